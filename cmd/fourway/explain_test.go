package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExplain(t *testing.T) {
	extract := townExtract(t)
	name := filepath.Join(filepath.Dir(extract), "tagged")
	code, _, said := command(t, "build", "--tags", "--algorithm", "mld", "-o", name, extract)
	require.Zero(t, code, said)
	args := []string{"explain", "--algorithm", "mld", name, "6.003,45.002", "6.012,45.013"}
	code, out, said := command(t, args...)
	require.Zero(t, code, said)
	require.Regexp(t, `(?s)\d:\d\d:\d\d, \d+\.\d km, weight .*meters +seconds.* \d+ to \d+, lua profile\n.*way -?\d+, .*, driving\n  highway=\w+ decides access; without it closed\n`, out)
	code, out, said = command(t, append(args, "--json")...)
	require.Zero(t, code, said)
	var answer struct {
		Routes []struct {
			Legs []struct {
				Explanation struct {
					Segments []map[string]any
					Ways     []struct{ Effects []map[string]any }
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &answer))
	require.NotEmpty(t, answer.Routes[0].Legs[0].Explanation.Segments)
	require.NotEmpty(t, answer.Routes[0].Legs[0].Explanation.Ways[0].Effects)

	code, out, _ = command(t, "explain", town(t), "6.003,45.002", "6.012,45.013")
	require.Zero(t, code)
	require.Contains(t, out, "build it with tags")
	code, _, _ = command(t, "explain", name, "6.003")
	require.NotZero(t, code)
}
