package routing

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

func TestInstructions(t *testing.T) {
	m := draw(t, testmap.Drawing{
		Map: `
			a-1-b-c-d
			    |
			    2
			    |
			    e`,
		Ways: []testmap.Row{
			{"abcd", `name="Mill Lane" ref="A 1;B 2"`}, {"be", `name="Dale Road" turn:lanes:backward=left|right turn:lanes:forward=`},
		},
	})
	tell := func(in *Instructions, letters string) []string {
		res := m.route(letters, func(r *RouteRequest) { r.Steps = true })
		in.Tell(&res.Routes[0])
		var out []string
		for _, leg := range res.Routes[0].Legs {
			for _, s := range leg.Steps {
				out = append(out, s.Maneuver.Instruction)
				require.Contains(t, string(res.AppendJSON(nil)), `,"instruction":"`+s.Maneuver.Instruction+`"}`)
			}
		}
		return out
	}
	english, err := NewInstructions("en-US")
	require.NoError(t, err)
	require.Equal(t, "en", english.Language())
	require.Equal(t, []string{
		"Start out east along Mill Lane (A 1 / B 2) and go on for 100 meters",
		"Turn right onto Dale Road",
		"You are at your first stop",
		"Start out south along Dale Road and go on for 200 meters",
		"You are at your destination",
	}, tell(english, "12e"))
	require.Equal(t, "Start out east along Mill Lane (A 1 / B 2) and go on for 350 feet", tell(english.Imperial(), "12e")[0])
	german, err := NewInstructions("de")
	require.NoError(t, err)
	require.Equal(t, []string{
		"Richtung Norden auf Dale Road losfahren und 400 Meter weiterfahren",
		"Links auf Mill Lane (A 1 / B 2) abbiegen",
		"Sie sind am Ziel",
	}, tell(german, "ea"))
	res := m.route("ea", func(r *RouteRequest) { r.Steps = true })
	require.NotContains(t, string(res.AppendJSON(nil)), "instruction")
}

func TestInstructionLanguages(t *testing.T) {
	for _, tag := range InstructionLanguages() {
		in, err := NewInstructions(strings.ToUpper(tag) + "-x-y")
		require.NoError(t, err)
		require.Equal(t, tag, in.Language())
		name, err := InstructionLanguage(tag)
		require.NoError(t, err)
		require.Equal(t, tag, name)
	}
	_, err := NewInstructions("tlh")
	require.ErrorIs(t, err, ErrInvalidValue)
	var unknown *UnknownLanguageError
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, "tlh", unknown.Language)
	require.Equal(t, InstructionLanguages(), unknown.Present)
	_, err = InstructionLanguage("tlh")
	require.ErrorIs(t, err, ErrInvalidValue)
}
