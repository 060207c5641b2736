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
	report, rounds := filepath.Join(filepath.Dir(extract), "report.json"), filepath.Join(filepath.Dir(extract), "rounds.txt")
	code, out, said := command(t, "bench", "--rounds", "2", "--round", "0s", "--requests", "2", "--json", report, "--benchfmt", rounds,
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
	require.Len(t, r.Stages, 5)
	require.Equal(t, "contract-grid", r.Stages[4].Stage)
	require.Len(t, r.Serving, 3)
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

	text, err = os.ReadFile(rounds)
	require.NoError(t, err)
	require.Regexp(t, `(?m)^BenchmarkSuite/rtree/results=1/pool=gc-\d+\t\d+\t[\d.]+ ns/op\t`, string(text))

	for _, args := range [][]string{
		{},
		{"--data", "x", extract},
		{"--rounds", "0", extract},
		{"--round", "-1s", extract},
		{"--requests", "-1", extract},
		{"--only", "(", extract},
		{"--pool", "arena", extract},
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

func TestGrowth(t *testing.T) {
	t.Setenv(childVariable, "1")
	extract := townExtract(t)
	folder := filepath.Dir(extract)
	report, again, svg := filepath.Join(folder, "growth.json"), filepath.Join(folder, "again.json"), filepath.Join(folder, "growth.svg")
	code, out, said := command(t, "growth", "--sizes", "4e3", "--requests", "10", "--round", "0s", "--folder", folder, "--json", report, "--svg", svg)
	require.Zero(t, code, said)
	require.Regexp(t, `(?s)country +\d+ nodes +extract.*contract.*random_match/algo=ch`, out)
	code, _, said = command(t, "growth", "--no-countries", "--from", report, "--mosaic", extract, "--copies", "2x1",
		"--requests", "10", "--round", "0s", "--folder", folder, "--json", again, "--svg", svg)
	require.Zero(t, code, said)
	text, err := os.ReadFile(again)
	require.NoError(t, err)
	var r growthReport
	require.NoError(t, json.Unmarshal(text, &r))
	require.Len(t, r.Points, 2)
	for _, p := range r.Points {
		require.Positive(t, p.Nodes)
		require.Positive(t, p.Search)
		require.Len(t, p.Stages, 5)
		require.Len(t, p.Serving, 3)
		require.NotEmpty(t, p.Benchmarks)
	}
	text, err = os.ReadFile(svg)
	require.NoError(t, err)
	require.Contains(t, string(text), ">contract<")
	require.Contains(t, string(text), ">route mld, town<")
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, 4, "what was measured is gone")

	for _, args := range [][]string{
		{"--no-countries"}, {"--from", svg, "--no-countries"}, {"--sizes", "1"}, {"--requests", "1"}, {"--round", "-1s"},
	} {
		code, _, said := command(t, append([]string{"growth"}, args...)...)
		require.NotZero(t, code, args)
		require.NotEmpty(t, said)
	}
}
