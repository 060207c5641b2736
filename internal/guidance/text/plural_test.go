package text

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The plurals of Polish, which has more of them than the languages here.
func TestRules(t *testing.T) {
	polish := map[category]string{
		"one":  "i = 1 and v = 0",
		"few":  "v = 0 and i % 10 = 2..4 and i % 100 != 12..14",
		"many": "v = 0 and i != 1 and i % 10 = 0,1 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 12..14",
	}
	c := compiler{}
	rules := c.rules(polish)
	require.Empty(t, c.faults)
	for n, want := range map[int]category{
		0: "many", 1: "one", 2: "few", 4: "few", 5: "many", 11: "many", 12: "many", 14: "many", 21: "many", 22: "few", 112: "many", 122: "few",
	} {
		require.Equal(t, want, rules.of(integer(n)), n)
	}
	require.Equal(t, other, rules.of(number{1.5, 1, 1}))
}

func TestBrokenNumbers(t *testing.T) {
	for text, want := range map[string]bool{
		"n = 1": false, "n != 1": true, "i = 1": true, "v = 1": true, "v = 0": false, "n = 1..2": false, "i = 0,1": true,
	} {
		r, err := parseRule(text)
		require.NoError(t, err)
		require.Equal(t, want, r.holds(number{1.5, 1, 1}), text)
	}
}

func TestRuleMalformed(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "no = in the relation",
		"n":                "no = in the relation",
		"x = 1":            "the operand is not n, i or v",
		"n % 0 = 1":        "not a number to divide by",
		"n % a = 1":        "not a number to divide by",
		"n = 4..2":         "not a range of numbers",
		"n = 1 and n = x":  `text: "n = 1 and n = x": byte 10: not a range of numbers`,
		"n = 1 or":         "not a range of numbers",
		"n = 1 or v = 1..": "not a range of numbers",
	} {
		_, err := parseRule(text)
		require.ErrorContains(t, err, want, text)
	}
}

func FuzzRule(f *testing.F) {
	f.Add("i % 10 = 2..4 and n != 1 or v = 0,7", 3)
	f.Fuzz(func(t *testing.T, text string, n int) {
		if r, err := parseRule(text); err == nil {
			r.holds(integer(n))
		} else {
			require.IsType(t, &syntaxError{}, err)
		}
	})
}
