package main

import (
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLookup(t *testing.T) {
	extract := townExtract(t)
	name := filepath.Join(filepath.Dir(extract), "town")
	code, _, said := command(t, "build", "-q", "--tags", "--algorithm", "ch", "-o", name, extract)
	require.Zero(t, code, said)
	require.Contains(t, said, "town.tags")

	code, out, said := command(t, "lookup", name, "--around", "6.003,45.002", "--radius", "200")
	require.Zero(t, code, said)
	require.Regexp(t, `(?m)^way/\d+ of \d+ nodes, from 6\.\d+,45\.\d+ to 6\.\d+,45\.\d+\n  highway="`, out)
	node := regexp.MustCompile(`node/\d+`).FindString(out)
	require.NotEmpty(t, node)
	code, out, said = command(t, "lookup", "--ways-of", name, node)
	require.Zero(t, code, said)
	require.Regexp(t, `(?s)^`+node+` at .*\nway/\d+`, out)
	require.Regexp(t, `found 1 nodes and \d+ ways`, said)

	code, out, said = command(t, "lookup", name, "--query", "way[highway];out count;")
	require.Zero(t, code, said)
	require.Regexp(t, `"ways":"[1-9]\d*"`, out)

	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{name}, "nothing to look up"},
		{[]string{name, "relation/1"}, `"relation/1" is no element`},
		{[]string{name, "node/x"}, `"node/x" is no element`},
		{[]string{name, "--around", "here"}, "--around: "},
		{[]string{name, "node/1", "--query", "node(1);"}, "leave out elements"},
		{[]string{name, "--query", "rel(1);"}, `line 1: static error: the statement "rel" is not supported`},
	} {
		code, _, said := command(t, append([]string{"lookup"}, c.args...)...)
		require.Equal(t, 1, code, c.args)
		require.Contains(t, said, c.want)
	}

	code, _, said = command(t, "build", "-q", "--algorithm", "ch", "-o", name, extract)
	require.Zero(t, code, said)
	require.NoFileExists(t, name+".tags")
	code, out, said = command(t, "lookup", name, node)
	require.Zero(t, code, said)
	require.Contains(t, out, node)
	require.Contains(t, said, "build it with --tags")
	code, _, said = command(t, "lookup", name, "--query", "node(1);")
	require.Equal(t, 1, code)
	require.Contains(t, said, "without tags")
}

// TestServeInterpreter: queries without a profile go to the first data set of the command
// line.
func TestServeInterpreter(t *testing.T) {
	extract := townExtract(t)
	folder := filepath.Dir(extract)
	car, foot := filepath.Join(folder, "car"), filepath.Join(folder, "foot")
	for _, args := range [][]string{
		{"build", "-q", "--tags", "--algorithm", "ch", "-o", car, extract},
		{"build", "-q", "--profile", "foot", "--algorithm", "ch", "-o", foot, extract},
	} {
		code, _, said := command(t, args...)
		require.Zero(t, code, said)
	}
	query := "interpreter?data=" + url.QueryEscape("way;out count;")
	s := startServer(t, "walk="+foot, "drive="+car)
	status, body := s.get(t, "/api/"+query)
	require.Equal(t, http.StatusNotFound, status, body)
	require.Contains(t, body, "without tags")
	status, body = s.get(t, "/api/drive/"+query)
	require.Equal(t, http.StatusOK, status, body)
	require.Contains(t, body, `"type":"count"`)
	_, body = s.get(t, "/metrics")
	require.Contains(t, body, `service="interpreter"`)
	s.stop(t)

	s = startServer(t, "drive="+car, "walk="+foot)
	status, body = s.get(t, "/api/"+query)
	require.Equal(t, http.StatusOK, status, body)
	s.stop(t)
	s = startServer(t, car)
	status, body = s.get(t, "/api/"+query)
	require.Equal(t, http.StatusOK, status, body)
	s.stop(t)
}
