package routing

import (
	"errors"
	"io"
	"math"
	"strings"

	"github.com/fourway-routing/fourway/internal/traffic"
)

// ReadSegmentSpeeds reads a file of speeds as Updates.SegmentSpeeds describes it, for
// Update. A line that cannot be read is an ErrInvalidValue error that tells where it
// is; name is what it calls the file. Other errors are those of src.
func ReadSegmentSpeeds(name string, src io.Reader) ([]SegmentSpeed, error) {
	var list []SegmentSpeed
	err := traffic.ReadSpeeds(name, src, func(from, to int64, s traffic.Speed) error {
		x := SegmentSpeed{From: from, To: to, Speed: s.KMH}
		switch {
		case s.Rule == traffic.WeightKept:
			x.KeepWeight = true
		case s.Rule == traffic.WeightRate && s.Rate > 0:
			x.Rate = s.Rate
		case s.Rule == traffic.WeightRate:
			x.Speed = 0
		}
		list = append(list, x)
		return nil
	})
	return list, misread(err)
}

// ReadTurnPenalties reads a file of penalties as Updates.TurnPenalties describes it,
// for Update. Errors are as those of ReadSegmentSpeeds.
func ReadTurnPenalties(name string, src io.Reader) ([]TurnPenalty, error) {
	var list []TurnPenalty
	err := traffic.ReadPenalties(name, src, func(from, via, to int64, p traffic.Penalty) error {
		x := TurnPenalty{From: from, Via: via, To: to, Penalty: p.Seconds, Weight: p.Weight}
		switch {
		case math.IsNaN(x.Weight):
			x.Weight = 0
		case x.Weight == 0: // told, and not left out
			x.Weight = math.SmallestNonzeroFloat64
		}
		list = append(list, x)
		return nil
	})
	return list, misread(err)
}

// misread makes what a file is at fault for an *Error.
func misread(err error) error {
	if at, ok := errors.AsType[*traffic.ParseError](err); ok {
		return &Error{Code: ErrInvalidValue, Index: -1, Message: strings.TrimPrefix(at.Error(), "traffic: ")}
	}
	return err
}
