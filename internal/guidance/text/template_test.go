package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTemplate(t *testing.T) {
	has := map[string]string{"a": "A", "b": "B"}
	for _, c := range []struct {
		template, want string
		filled         bool
	}{
		{"", "", true},
		{"plain", "plain", true},
		{"{a}", "A", true},
		{"{x}", "", false},
		{"go {x}", "", false},
		{"go[ to {a}]", "go to A", true},
		{"go[ to {x}]", "go", true},
		{"go[ to {x}| for {b}]!", "go for B!", true},
		{"go[ to {x}| away]", "go away", true},
		{"{x}|{a}|{b}", "A", true},
		{"x {x}|{a}[ and {x}[ or {b}]][ and {b}[ or {x}]]", "A and B", true},
		{"[[{x}|{y}]|{a}]", "", true}, // the inner brackets take nothing, which suffices
		{`\[\{\}\|\\\]`, `[{}|\]`, true},
		{"Ü {a} ß", "Ü A ß", true},
	} {
		parsed, err := parseTemplate(c.template)
		require.NoError(t, err, c.template)
		got, filled := parsed.render([]byte("> "), func(slot string) string { return has[slot] })
		require.Equal(t, "> "+c.want, string(got), c.template)
		require.Equal(t, c.filled, filled, c.template)
		require.Equal(t, c.template, parsed.String())
	}
}

func TestTemplateMalformed(t *testing.T) {
	for template, want := range map[string]string{
		"a]":    `text: "a]": byte 1: bracket without a beginning`,
		"a[b":   `text: "a[b": byte 3: bracket without an end`,
		"{a":    `text: "{a": byte 0: no name in braces`,
		"a{}":   `text: "a{}": byte 1: no name in braces`,
		"{a{b}": `text: "{a{b}": byte 0: no name in braces`,
		"a}":    `text: "a}": byte 1: brace without a beginning`,
		`a\`:    `text: "a\\": byte 2: nothing after the backslash`,
		strings.Repeat("[", 20) + strings.Repeat("]", 20): "brackets too deep",
	} {
		_, err := parseTemplate(template)
		require.ErrorContains(t, err, want)
	}
}

// Whatever the text, parsing ends with an error or with a template that parses to
// itself and renders.
func FuzzTemplate(f *testing.F) {
	for _, tag := range Languages() {
		data, err := files.ReadFile(folder + tag + ".json")
		require.NoError(f, err)
		for i, line := range strings.Split(string(data), "\n") {
			if i%7 == 0 {
				f.Add(line)
			}
		}
	}
	f.Add(`\[[{a}|b[c]|]`)
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := parseTemplate(text)
		if err != nil {
			require.IsType(t, &syntaxError{}, err)
			return
		}
		again, err := parseTemplate(parsed.String())
		require.NoError(t, err)
		require.Equal(t, parsed.String(), again.String())
		for _, value := range []string{"", "x"} {
			fill := func(string) string { return value }
			got, ok := parsed.render(nil, fill)
			same, okAgain := again.render(nil, fill)
			require.Equal(t, string(got), string(same))
			require.Equal(t, ok, okAgain)
		}
	})
}
