package routing

import (
	"errors"

	"github.com/fourway-routing/fourway/internal/guidance/text"
)

// UnknownLanguageError says that there are no instructions in a language, and
// lists those that there are.
type UnknownLanguageError = text.UnknownLanguageError

// InstructionLanguages returns the tags (BCP 47) of the languages of Instructions,
// sorted.
func InstructionLanguages() []string { return text.Languages() }

// InstructionLanguage returns the one of InstructionLanguages that serves for a
// tag: "de" for "de-AT". The error is that of NewInstructions.
func InstructionLanguage(tag string) (string, error) {
	name, err := text.Match(tag)
	return name, unknownLanguage(err)
}

// Instructions tell the steps of routes in sentences of one language. They are
// immutable and safe for concurrent use; making them reads a file of data, so
// keep them.
type Instructions struct {
	language *text.Language
	imperial bool
}

// NewInstructions returns instructions in the language that serves for a tag
// (BCP 47), with distances in kilometers and meters. The error is an
// ErrInvalidValue that wraps an *UnknownLanguageError.
func NewInstructions(tag string) (*Instructions, error) {
	l, err := text.Open(tag)
	if err != nil {
		return nil, unknownLanguage(err)
	}
	return &Instructions{language: l}, nil
}

func unknownLanguage(err error) error {
	if e, ok := errors.AsType[*text.UnknownLanguageError](err); ok {
		return &Error{Code: ErrInvalidValue, Index: -1, Message: "Unknown language of instructions.", cause: e}
	}
	return err
}

// Imperial returns the instructions with distances in miles and feet.
func (in *Instructions) Imperial() *Instructions { return &Instructions{in.language, true} }

// Language returns the tag of the language.
func (in *Instructions) Language() string { return in.language.Tag() }

// Tell sets Maneuver.Instruction of every step of a route, which was asked for
// with steps.
func (in *Instructions) Tell(r *RouteResult) {
	var sentence []byte
	var lanes []bool
	for i := range r.Legs {
		steps := r.Legs[i].Steps
		for k := range steps {
			s := &steps[k]
			m := text.Maneuver{
				Type: s.Maneuver.Type, Modifier: s.Maneuver.Modifier, Exit: s.Maneuver.Exit, Bearing: s.Maneuver.BearingAfter,
				Name: s.Name, Ref: s.Ref, Destinations: s.Destinations, Exits: s.Exits, Rotary: s.RotaryName,
				Mode: s.Mode, Distance: s.Distance, Imperial: in.imperial,
			}
			if k > 0 {
				m.ModeBefore = steps[k-1].Mode
			}
			if i < len(r.Legs)-1 {
				m.Waypoint = i + 1
			}
			if len(s.Intersections) > 0 {
				lanes = lanes[:0]
				for _, l := range s.Intersections[0].Lanes {
					lanes = append(lanes, l.Valid)
				}
				m.Lanes = lanes
			}
			sentence = in.language.Append(sentence[:0], &m)
			s.Maneuver.Instruction = string(sentence)
		}
	}
}
