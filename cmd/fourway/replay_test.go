package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReplay(t *testing.T) {
	name := town(t)
	folder := filepath.Dir(name)
	day, report, slow := filepath.Join(folder, "day.txt"), filepath.Join(folder, "report.json"), filepath.Join(folder, "slow.txt")
	code, _, said := command(t, "synth-day", "--requests", "200", "-o", day, name)
	require.Zero(t, code, said)
	require.Contains(t, said, "200 requests")
	for _, args := range [][]string{
		{"--json", report},
		{"--http", "--algorithm", "mld", "--pool", "gc", "--slow", slow},
		{"--recorded", "--speed", "1e6", "--slowest", "0"},
	} {
		code, out, said := command(t, append([]string{"replay", "--workers", "3", "--data", name, day}, args...)...)
		require.Zero(t, code, said)
		require.Regexp(t, `(?s)200 requests, 3 workers.*, 0 failed.*99\.999%.*Memory: .*none exceeded it: true`, out)
		if args[0] == "--json" {
			require.Regexp(t, `settled +cells`, out)
		} else {
			require.NotContains(t, out, "settled")
		}
	}
	var measured struct{ Requests, Failed int }
	text, err := os.ReadFile(report)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &measured))
	require.Equal(t, 200, measured.Requests)
	text, err = os.ReadFile(slow)
	require.NoError(t, err)
	require.Regexp(t, `(?s)settled +cells.*/v1/driving/`, string(text))

	// A server that is not there: all fail, and are counted.
	code, out, said := command(t, "replay", "--url", "http://127.0.0.1:1/", "--slowest", "1", day)
	require.Zero(t, code, said)
	require.Regexp(t, `(?s)0 answered, 0 without a route, 200 failed.*failed: 200 times dial`, out)

	for _, test := range []struct {
		code int
		said string
		args []string
	}{
		{2, "--data or --url", []string{day}},
		{2, "can't be used together", []string{"--data", name, "--url", "http://x", day}},
		{2, "--http goes with", []string{"--url", "http://x", "--http", day}},
		{2, "--workers is 0", []string{"--data", name, "--workers", "0", day}},
		{2, "at most 5m", []string{"--data", name, "--timeout", "6m", day}},
		{2, "--speed", []string{"--data", name, "--speed", "0", day}},
		{2, "--slowest", []string{"--data", name, "--slowest", "-1", day}},
		{2, "arena", []string{"--data", name, "--pool", "arena", day}},
		{1, "nowhere", []string{"--data", "nowhere", day}},
		{1, "report.json: none of", []string{"--data", name, report}},
	} {
		code, _, said := command(t, append([]string{"replay"}, test.args...)...)
		require.Equal(t, test.code, code, test.args)
		require.Contains(t, said, test.said)
	}
	code, _, said = command(t, "synth-day", "-o", day, "nowhere")
	require.Equal(t, 1, code)
	require.Contains(t, said, "nowhere")
	code, _, said = command(t, "synth-day", "--requests", "-1", "-o", day, name)
	require.Equal(t, 1, code)
	require.Contains(t, said, "--requests")
}
