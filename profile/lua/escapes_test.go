package lua

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOldEscapes(t *testing.T) {
	for source, want := range map[string]string{
		`print("plain")`:                             `print("plain")`,
		`"\x41" '\xfF\x00'`:                          `"\065" '\255\000'`,
		`"\u{41}\u{20AC}\u{1F600}"`:                  `"\065\226\130\172\240\159\152\128"`,
		"\"a\\z \n\t b\\z\nc\" d":                    "\"abc\"\n\n d",
		`"\\x41\"\x41"`:                              `"\\x41\"\065"`,
		`-- "\x41` + "\n" + `"\x41"`:                 `-- "\x41` + "\n" + `"\065"`,
		`--[==[ "\x41" ]] ]==] "\x41"`:               `--[==[ "\x41" ]] ]==] "\065"`,
		`[[\x41]] a[1] "\x41"`:                       `[[\x41]] a[1] "\065"`,
		`[=[\x41`:                                    `[=[\x41`,
		`"\x4" "\xgg" "\u{}" "\u41" "\u{fffffffff}"`: `"\x4" "\xgg" "\u{}" "\u41" "\u{fffffffff}"`,
		`"\x`:    `"\x`,
		`"\u{41`: `"\u{41`,
		`"\z`:    `"`,
		`'\x4`:   `'\x4`,
	} {
		require.Equal(t, want, oldEscapes(source), source)
	}
	require.Equal(t, "A\t€\tab\t3\n", printed(t, Options{}, `print("\x41", "\u{20ac}", "a\z
		b", #"\u{20AC}")`))
	_, err := Open(write(t, "local s = 'a\\z\n\n b' .. '\\x41'\nerror('line four')"), Options{})
	require.ErrorContains(t, err, ":4: line four")
}

// Programs without newer escapes stay as they are, and lines are never lost.
func FuzzOldEscapes(f *testing.F) {
	for _, s := range []string{`"\x41"`, "'\\z\n'", `--[[\x`, `[==[ "\u{41}" ]=]`, "\"\\u{7fffffff}\\\n\"", `'\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		got := oldEscapes(source)
		if strings.Count(got, "\n") != strings.Count(source, "\n") {
			t.Fatalf("%q became %q", source, got)
		}
		if again := oldEscapes(got); !strings.Contains(got, `\z`) && again != got {
			t.Fatalf("%q became %q, then %q", source, got, again)
		}
	})
}
