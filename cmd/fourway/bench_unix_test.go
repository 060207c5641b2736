//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBench(t *testing.T) {
	t.Setenv(childVariable, "1")
	extract := townExtract(t)
	report := filepath.Join(filepath.Dir(extract), "report.json")
	code, out, said := command(t, "bench", "--rounds", "2", "--round", "0s", "--requests", "2", "--json", report,
		"--only", "customize|contract|serving|rtree/results=1$|random_route.*plain|e2e_nearest", "--pool", "freelist,gc", extract)
	require.Zero(t, code, said)
	require.Regexp(t, `(?s)stage +pool.*customize +freelist.*customize +gc.*contract +gc.*serving.*ch .* B.*mld.*`+
		`benchmark +pool.*rtree/results=1 +gc.*random_route/algo=mld/coordinates=2/plain +freelist.*e2e_nearest/algo=mld +gc`, out)
	require.NotContains(t, out, "partition")
	require.NotContains(t, out, "syncpool")
	text, err := os.ReadFile(report)
	require.NoError(t, err)
	var r benchReport
	require.NoError(t, json.Unmarshal(text, &r))
	require.NotEmpty(t, r.Go)
	require.Len(t, r.Stages, 4)
	require.Len(t, r.Serving, 2)
	require.Positive(t, r.Serving[0].Heap)
	for _, s := range r.Stages {
		require.Positive(t, s.Wall)
		require.Positive(t, s.Bytes)
		require.Positive(t, s.PeakGo)
	}
	require.Equal(t, r.Stages[0].Bytes, r.Stages[1].Bytes)
	for _, m := range r.Benchmarks {
		require.GreaterOrEqual(t, m.Count, uint64(2), m.Name)
	}

	for _, args := range [][]string{
		{}, {"--data", "x", extract}, {"--rounds", "0", extract}, {"--round", "-1s", extract}, {"--requests", "-1", extract},
		{"--only", "(", extract}, {"--pool", "arena", extract},
	} {
		code, _, said := command(t, append([]string{"bench"}, args...)...)
		require.Equal(t, 2, code, args)
		require.NotEmpty(t, said)
	}
	code, _, said = command(t, "bench", "--data", "nowhere")
	require.Equal(t, 1, code)
	require.Contains(t, said, "nowhere")
	code, _, said = command(t, "bench-stage", "swap", "nowhere")
	require.Equal(t, 1, code)
	require.Contains(t, said, "swap")
}
