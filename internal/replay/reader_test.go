package replay

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func readAll(log string) (all []Request, skipped int, err error) {
	r := NewReader(strings.NewReader(log), "day.log")
	for {
		q, err := r.Next()
		if err == io.EOF {
			return all, r.Skipped(), nil
		}
		if err != nil {
			return all, r.Skipped(), err
		}
		all = append(all, q)
	}
}

func TestKindsOfLines(t *testing.T) {
	for _, test := range []struct {
		name, log string
		want      []Request
		skipped   int
	}{
		{"seconds and paths", "# a day\n\n10.5 /route/v1/car/1,2;3,4\n  12.25  /nearest/v1/car/1,2?number=3\r\n11 /tile/v1/car/tile(1,2,3).mvt", []Request{
			{3, 0, "/route/v1/car/1,2;3,4"},
			{4, 1750 * time.Millisecond, "/nearest/v1/car/1,2?number=3"},
			{5, 1750 * time.Millisecond, "/tile/v1/car/tile(1,2,3).mvt"},
		}, 0},
		{"paths and URLs", "/route/v1/car/1,2;3,4\nhttp://host:5000/table/v1/car/1,2?x=://", []Request{
			{1, 0, "/route/v1/car/1,2;3,4"}, {2, 0, "/table/v1/car/1,2?x=://"},
		}, 0},
		{"access log", `opened delaware
time=2026-11-30T10:00:00.000Z level=INFO msg=request remote=[::1]:4 method=GET uri="/route/v1/car/1,2;3,4?steps=true" status=200
time=2026-11-30T10:00:01.500Z level=INFO msg=request method=GET uri=/nearest/v1/car/1,2 status=200 agent="a \"b\" uri=/x"
time=2026-11-30T10:00:02.000Z level=INFO msg=request method=POST uri=/route/v1/car status=200
time=2026-11-30T10:00:02.000Z level=INFO msg=stopped
time=2026-11-30T10:00:03.000Z level=INFO msg=request method=GET uri=/health status=200`, []Request{
			{2, 0, "/route/v1/car/1,2;3,4?steps=true"}, {3, 1500 * time.Millisecond, "/nearest/v1/car/1,2"},
		}, 4},
		{"osrm-routed", `[2026-11-30T17:31:18.1] [info] starting up engines, v26.8
[2026-11-30T17:31:18.1] [info] 30-11-2026 17:31:18 0.35ms 127.0.0.1 - curl/7.88 (x y) 200 /route/v1/car/1,2;3,4
[info] 30-11-2026 17:31:20 0.35ms 127.0.0.1 - - 200 /nearest/v1/car/1,2
[info] 30-11-2026 17:31:20 0.35ms 127.0.0.1 - - 404 /favicon.ico`, []Request{
			{2, 0, "/route/v1/car/1,2;3,4"}, {3, 2 * time.Second, "/nearest/v1/car/1,2"},
		}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, skipped, err := readAll(test.log)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
			require.Equal(t, test.skipped, skipped)
		})
	}
}

func TestFaultsOfLines(t *testing.T) {
	for _, test := range []struct{ log, said string }{
		{"/ok\n1.5", `day.log:2: "" is no path`},
		{"1.5 route", `"route" is no path`},
		{"-1 /route", "want 0 to 1e9"},
		{"NaN /route", "want 0 to 1e9"},
		{"1 /route v1", "at byte 6"},
		{"http://host", "no path"},
		{"# x\nhello there", "none of 2 lines"},
		{"time=yesterday msg=request", "yesterday"},
		{`time=2026-11-30T10:00:00Z uri="/v1/`, "value of uri"},
		{"time=2026-11-30T10:00:00Z rest", "no value"},
		{"1 /" + strings.Repeat("x", 2<<20), "day.log:1: bufio"},
	} {
		_, _, err := readAll(test.log)
		require.ErrorContains(t, err, test.said)
	}
}

func FuzzReader(f *testing.F) {
	f.Add("10.5 /route/v1/car/1,2;3,4\n/x\nhttp://h/y")
	f.Add(`time=2026-11-30T10:00:00.000Z level=INFO msg=request method=GET uri="/route/v1/car/1,2?steps=true" status=200`)
	f.Add("[info] 30-11-2026 17:31:18 0.35ms 127.0.0.1 - - 200 /route/v1/car/1,2;3,4")
	f.Fuzz(func(t *testing.T, log string) {
		all, _, _ := readAll(log)
		last, line := time.Duration(0), 0
		for _, q := range all {
			require.GreaterOrEqual(t, q.At, last)
			require.Greater(t, q.Line, line)
			require.True(t, strings.HasPrefix(q.Path, "/"))
			require.NotContains(t, q.Path, " ")
			last, line = q.At, q.Line
			// A request written anew reads the same.
			again, _, err := readAll("7 " + q.Path)
			require.NoError(t, err)
			require.Equal(t, q.Path, again[0].Path)
		}
	})
}
