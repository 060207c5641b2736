package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTable(t *testing.T) {
	name := town(t)
	places := []string{name, "6.003,45.002", "6.012,45.013", "6.008,45.004"}
	run := func(args ...string) string {
		t.Helper()
		code, out, said := command(t, append(append([]string{"table"}, args...), places...)...)
		require.Zero(t, code, said)
		require.Regexp(t, `opened in .*, table in `, said)
		return out
	}
	plain := run()
	require.Regexp(t, `(?m)^ *from\\to +0 +1 +2$`, plain)
	require.Regexp(t, `(?m)^ *2( +\d:\d\d:\d\d \d+\.\d km){2} +0:00:00 0.0 km$`, plain)
	require.Equal(t, plain, run("--algorithm", "mld"))
	require.Regexp(t, `(?m)^ *from\\to +2 +0$`, run("--sources", "1", "--destinations", "2,0"))

	var answer struct {
		Code                 string
		Durations, Distances [][]float64
	}
	require.NoError(t, json.Unmarshal([]byte(run("--json", "--sources", "1")), &answer))
	require.Equal(t, "Ok", answer.Code)
	require.Len(t, answer.Durations, 1)
	require.Len(t, answer.Distances[0], 3)
}

// TestAlgorithms: a data set answers with what it was built for.
func TestAlgorithms(t *testing.T) {
	name := town(t)
	places := []string{name, "6.003,45.002", "6.012,45.013"}
	code, want, _ := command(t, append([]string{"route"}, places...)...)
	require.Zero(t, code)
	code, got, said := command(t, append([]string{"route", "--algorithm", "mld"}, places...)...)
	require.Zero(t, code, said)
	require.Equal(t, want, got)

	require.NoError(t, os.Remove(name+".ch"))
	code, _, said = command(t, append([]string{"route"}, places...)...)
	require.Equal(t, 1, code)
	require.Contains(t, said, ".ch")
	code, _, said = command(t, "verify", name)
	require.Zero(t, code, said)
	code, _, said = command(t, append([]string{"route", "--algorithm", "a-star"}, places...)...)
	require.Equal(t, 2, code)
	require.Contains(t, said, "ch, mld or cch")
}
