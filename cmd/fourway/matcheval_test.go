package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMatchEval(t *testing.T) {
	name := town(t)
	code, out, said := command(t, "match-eval", name, "--count", "2", "--noise", "5,10", "--interval", "10s", "--outliers", "0.05")
	require.Zero(t, code, said)
	require.Regexp(t, `(?s)interval, noise.*default.*noise told.*robust.*10s, 5 m .*\d\.\d{4}.*10s, 10 m`, out)
	code, again, _ := command(t, "match-eval", name, "--count", "2", "--noise", "5,10", "--interval", "10s", "--outliers", "0.05")
	require.Zero(t, code)
	require.Equal(t, out, again)

	dir := t.TempDir()
	line := `{"type":"LineString","coordinates":[[6.003,45.002],[6.006,45.002],[6.012,45.002]]}`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "one-track.geojson"), []byte(line), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "one.json"), []byte(line), 0o600))
	code, out, said = command(t, "match-eval", name, dir)
	require.Zero(t, code, said)
	require.Regexp(t, `(?s)trace.*\| one .*\| all `, out)

	code, _, said = command(t, "match-eval", name, filepath.Join(dir, "one.json"))
	require.Equal(t, 1, code)
	require.Contains(t, said, "-track.geojson")
	code, _, said = command(t, "match-eval", name, "--interval", "1ms")
	require.Equal(t, 1, code)
	require.Contains(t, said, "interval of 1ms")
}
