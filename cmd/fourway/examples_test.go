package main

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every command that is shown has examples, which are command lines of it.
func TestExamplesOfHelp(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"delaware.osm.pbf", "monaco.osm.pbf", "rush.csv", "token", "day.txt", "traces"} {
		require.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	var shown cli
	parser, err := newParser(&shown, io.Discard, io.Discard)
	require.NoError(t, err)
	words := regexp.MustCompile(`'[^']*'|\S+`)
	for _, n := range parser.Model.Children {
		if n.Hidden {
			continue
		}
		require.NotEmpty(t, examples[n.Name], n.Name)
		for _, line := range examples[n.Name] {
			line, _, _ = strings.Cut(line, " | ")
			line = strings.TrimSuffix(strings.TrimPrefix(line, "source <("), ")")
			args := words.FindAllString(line, -1)
			for i := range args {
				args[i] = strings.Trim(args[i], "'")
			}
			var c cli
			parser, err := newParser(&c, io.Discard, io.Discard)
			require.NoError(t, err)
			require.Equal(t, "fourway", args[0], line)
			command, err := parser.Parse(shieldCoordinates(args[1:]))
			require.NoError(t, err, line)
			require.Equal(t, n.Name, command.Selected().Name, line)
		}
	}
}

func TestHelpEndsWithExamples(t *testing.T) {
	var out strings.Builder
	require.Equal(t, 0, run(t.Context(), []string{"nearest", "--help"}, &out, io.Discard))
	require.Contains(t, out.String(), "Example:\n\n    fourway nearest -n 3 delaware")
	out.Reset()
	require.Equal(t, 0, run(t.Context(), []string{"man"}, &out, io.Discard))
	require.Contains(t, out.String(), ".EX\nfourway nearest \\-n 3 delaware")
}
