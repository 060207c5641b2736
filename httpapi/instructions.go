package httpapi

import (
	"strings"

	"github.com/fourway-routing/fourway/routing"
)

// allInstructions returns the instructions in every language, by its tag.
func allInstructions() map[string]*routing.Instructions {
	all := map[string]*routing.Instructions{}
	for _, tag := range routing.InstructionLanguages() {
		if in, err := routing.NewInstructions(tag); err == nil { // tests see to it that all are sound
			all[tag] = in
		}
	}
	return all
}

// teller tells the steps of a route, or nothing.
type teller struct{ *routing.Instructions }

// instructions returns those in the language that serves for a tag; without one
// they tell nothing.
func (s *Server) instructions(tag string) (teller, error) {
	if tag == "" {
		return teller{}, nil
	}
	name, err := routing.InstructionLanguage(tag)
	if err != nil {
		return teller{}, fail(routing.ErrInvalidValue, "There are no instructions in %s, only in %s.",
			tag, strings.Join(routing.InstructionLanguages(), ", "))
	}
	return teller{s.languages[name]}, nil
}

func (t teller) tell(r *routing.RouteResult) {
	if t.Instructions != nil {
		t.Tell(r)
	}
}
