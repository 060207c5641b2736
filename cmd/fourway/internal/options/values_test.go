package options

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func valid[T any](t *testing.T, parse func(string) (T, error), cases map[string]T) {
	t.Helper()
	for text, want := range cases {
		got, err := parse(text)
		require.NoError(t, err, "%q", text)
		require.Equal(t, want, got, "%q", text)
	}
}

func invalid[T any](t *testing.T, parse func(string) (T, error), texts ...string) {
	t.Helper()
	for _, text := range texts {
		_, err := parse(text)
		require.Error(t, err, "%q", text)
	}
}

func TestValues(t *testing.T) {
	valid(t, Unsigned, map[string]int{"0": 0, "+7": 7, "2147483647": 1<<31 - 1})
	invalid(t, Unsigned, "", "-1", "1.5", "2147483648", " 1", "0x1")
	valid(t, Integer, map[string]int{"-1": -1, "+3": 3})
	invalid(t, Integer, "", "x", "2147483648")
	valid(t, Integer64, map[string]int64{"1493719200": 1493719200, "-5": -5})
	invalid(t, Integer64, "", "now")
	valid(t, Number, map[string]float64{"2": 2, "-1.5": -1.5, "1e3": 1000})
	invalid(t, Number, "", "nan", "1,5", "1x")
	valid(t, Limit, map[string]float64{"unlimited": -1, "3": 3})
	invalid(t, Limit, "", "none")
	valid(t, Bool, map[string]bool{"on": true, "YES": true, "1": true, "true": true, "": true, "off": false, "no": false, "0": false, "False": false})
	invalid(t, Bool, "2", "y")
	valid(t, Sizes, map[string][]int{"4": {4}, "128,4096": {128, 4096}})
	invalid(t, Sizes, "", "4,", "4,6@4,16")
	valid(t, Path, map[string]string{"a b": "a b"})
	invalid(t, Path, "")
	valid(t, Text, map[string]string{"": "", "x": "x"})
}
