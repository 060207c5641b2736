package traffic

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

type speedRow struct {
	from, to int64
	Speed
}

func speeds(text string) (rows []speedRow, err error) {
	err = ReadSpeeds("speeds.csv", strings.NewReader(text), func(from, to int64, s Speed) error {
		rows = append(rows, speedRow{from, to, s})
		return nil
	})
	return rows, err
}

func TestReadSpeeds(t *testing.T) {
	rows, err := speeds("\ufeff1,2,36\r\n\n 3 , 4 , 27.5 , 7.5 ,a comment, with commas\n5,6,0\n \t\n7,8,1e1,\n9,10,11,-1\n-1,18446744073709551615,+.5,1.\n\n")
	require.NoError(t, err)
	require.Equal(t, []speedRow{
		{1, 2, Speed{KMH: 36}},
		{3, 4, Speed{KMH: 27.5, Rate: 7.5, Rule: WeightRate}},
		{5, 6, Speed{}},
		{7, 8, Speed{KMH: 10, Rule: WeightKept}},
		{9, 10, Speed{KMH: 11, Rate: -1, Rule: WeightRate}},
		{-1, math.MinInt64, Speed{KMH: 0.5, Rate: 1, Rule: WeightRate}},
	}, rows)
	rows, err = speeds("")
	require.NoError(t, err)
	require.Empty(t, rows)
}

func TestReadPenalties(t *testing.T) {
	type row struct {
		from, via, to int64
		seconds       float64
		weight        string
	}
	var rows []row
	err := ReadPenalties("turns.csv", strings.NewReader("1,2,5,0,comment\n3,4,7,-30\n1,2,5,0,-3.33,comment\n1,2,3,1.5,\n1,2,3,4,-,x\n"),
		func(from, via, to int64, p Penalty) error {
			rows = append(rows, row{from, via, to, p.Seconds, fmt.Sprint(p.Weight)})
			return nil
		})
	require.NoError(t, err)
	require.Equal(t, []row{
		{1, 2, 5, 0, "NaN"}, {3, 4, 7, -30, "NaN"}, {1, 2, 5, 0, "-3.33"}, {1, 2, 3, 1.5, "NaN"}, {1, 2, 3, 4, "NaN"},
	}, rows)
}

func TestMalformed(t *testing.T) {
	read := map[string]func(string) error{
		"speeds": func(text string) error { _, err := speeds(text); return err },
		"turns": func(text string) error {
			return ReadPenalties("speeds.csv", strings.NewReader(text), func(int64, int64, int64, Penalty) error { return nil })
		},
	}
	for _, tc := range []struct {
		reader, text string
		line, column int
		err          error
	}{
		{"speeds", "1,2,3\n1,2,-10", 2, 5, errNegative},
		{"speeds", "\n\n1,x,3", 3, 3, errNode},
		{"speeds", "from,to,speed", 1, 1, errNode},
		{"speeds", "1,2", 1, 4, errField},
		{"speeds", "1,,3", 1, 3, errNode},
		{"speeds", "1,2.5,3", 1, 3, errNode},
		{"speeds", "1,99999999999999999999999,3", 1, 3, errNode},
		{"speeds", "1,2,nan", 1, 5, errNumber},
		{"speeds", "1,2,inf", 1, 5, errNumber},
		{"speeds", "1,2,0x10", 1, 5, errNumber},
		{"speeds", "1,2,1e999", 1, 5, errNumber},
		{"speeds", "1,2,", 1, 5, errNumber},
		{"speeds", "1,2,.", 1, 5, errNumber},
		{"speeds", "1,2,1-2", 1, 5, errNumber},
		{"speeds", "1,2,3,fast", 1, 7, errNumber},
		{"speeds", "1;2;3", 1, 1, errNode},
		{"speeds", "1,2,3\n" + strings.Repeat("9", maxLine+1), 2, maxLine, errLong},
		{"turns", "1,2,3", 1, 6, errField},
		{"turns", "1,2,3,x", 1, 7, errNumber},
		{"turns", "1,2,3,4,5x", 1, 9, errNumber},
		{"turns", "1,2,3,4,-.5.", 1, 9, errNumber},
		{"turns", "1,2,x,4", 1, 5, errNode},
	} {
		err := read[tc.reader](tc.text)
		var parse *ParseError
		require.ErrorAs(t, err, &parse, tc.text)
		require.ErrorIs(t, err, tc.err, tc.text)
		require.Equal(t, []any{"speeds.csv", tc.line, tc.column}, []any{parse.Path, parse.Line, parse.Column}, "%.40s", tc.text)
		require.Contains(t, err.Error(), "malformed")
	}
	broken := iotest.ErrReader(errors.New("broken disk"))
	require.ErrorContains(t, ReadSpeeds("a.csv", broken, nil), "a.csv: broken disk")
	stop := errors.New("stop")
	require.ErrorIs(t, ReadSpeeds("", strings.NewReader("1,2,3"), func(int64, int64, Speed) error { return stop }), stop)
}

// Numbers come out as strconv reads them.
func TestNumber(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		text := strconv.FormatFloat(rng.NormFloat64()*math.Pow10(rng.IntN(12)-4), "fge"[rng.IntN(3)], rng.IntN(18)-1, 64)
		want, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		got, ok := number([]byte(text))
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
}

func FuzzReadSpeeds(f *testing.F) {
	for _, text := range []string{"1,2,36\n3,4,27.5,7.5,x\n", "1,2,3,\r\n\n-1,2,0.1e1,-5", "1,2,-1", ",,,", "1,2,3,4,5\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := speeds(text)
		if err != nil {
			var parse *ParseError
			require.ErrorAs(t, err, &parse)
			lines := strings.Split(text, "\n")
			require.True(t, parse.Line >= 1 && parse.Line <= len(lines))
			require.True(t, parse.Column >= 1 && parse.Column <= maxLine+len(lines[parse.Line-1])+1)
		}
		// What was read can be written and read again.
		var again strings.Builder
		for _, r := range rows {
			require.True(t, r.KMH >= 0 && !math.IsInf(r.KMH, 0))
			fmt.Fprintf(&again, "%d,%d,%g", r.from, r.to, r.KMH)
			switch r.Rule {
			case WeightKept:
				again.WriteString(",")
			case WeightRate:
				fmt.Fprintf(&again, ",%g", r.Rate)
			}
			again.WriteString("\n")
		}
		same, err := speeds(again.String())
		require.NoError(t, err)
		require.Equal(t, rows, same)
	})
}

func FuzzReadPenalties(f *testing.F) {
	for _, text := range []string{"1,2,5,0,comment\n3,4,7,-30\n", "1,2,5,0,-3.33,comment", "1,2,3,4,5x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		err := ReadPenalties("f", strings.NewReader(text), func(_, _, _ int64, p Penalty) error {
			require.False(t, math.IsNaN(p.Seconds) || math.IsInf(p.Seconds, 0) || math.IsInf(p.Weight, 0))
			return nil
		})
		if err != nil {
			var parse *ParseError
			require.ErrorAs(t, err, &parse)
		}
	})
}

func BenchmarkReadSpeeds(b *testing.B) {
	var text strings.Builder
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		fmt.Fprintf(&text, "%d,%d,%d.%d,%.2f\n", rng.Int64N(1e10), rng.Int64N(1e10), rng.IntN(130), rng.IntN(10), rng.Float64()*30)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		rows := 0
		err := ReadSpeeds("", io.Reader(strings.NewReader(text.String())), func(int64, int64, Speed) error {
			rows++
			return nil
		})
		if err != nil || rows != 100_000 {
			b.Fatal(rows, err)
		}
	}
}

// Rows cost no memory of their own.
func TestReadAllocations(t *testing.T) {
	text := strings.Repeat("1234567,2345678,36.25,10.07\n", 10_000)
	allocs := testing.AllocsPerRun(3, func() {
		_ = ReadSpeeds("", strings.NewReader(text), func(int64, int64, Speed) error { return nil })
	})
	require.Less(t, allocs, 10.0)
}
