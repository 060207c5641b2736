package options

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// example is a Set with an option of each kind.
type example struct {
	*Set
	version *bool
	port    *int
	radius  *float64
	name    *string
	mapped  *bool
	files   *[]string
	words   *[]string
	input   *string
}

func newExample() *example {
	s := New()
	g := s.Group("Options")
	return &example{
		Set:     s,
		version: Flag(g, "version,v", "Version"),
		port:    Add(g, "port,p", 5000, Integer, "Port"),
		radius:  Add(g, "max-radius", -1, Limit, "Radius"),
		name:    Add(g, "name,n", "", Text, "Name"),
		mapped:  Switch(g, "mmap,m", false, "Map"),
		files:   List(g, "max-file", Path, "Files"),
		words: Words(g, "word", func(s string) (string, error) {
			if !strings.HasPrefix(s, "w") {
				return "", errInvalid
			}
			return s, nil
		}, "Words"),
		input: positional(s),
	}
}

func positional(s *Set) *string {
	v := Add(s.Hidden(), "input,i", "", Path, "Input")
	s.Positional("input")
	return v
}

func TestParse(t *testing.T) {
	for line, check := range map[string]func(*testing.T, *example){
		"": func(t *testing.T, e *example) {
			require.Equal(t, 5000, *e.port)
			require.False(t, *e.version || *e.mapped)
			require.False(t, e.Given("port"))
		},
		"--port 1":            func(t *testing.T, e *example) { require.Equal(t, 1, *e.port); require.True(t, e.Given("port")) },
		"--port=1":            func(t *testing.T, e *example) { require.Equal(t, 1, *e.port) },
		"-p 1":                func(t *testing.T, e *example) { require.Equal(t, 1, *e.port) },
		"-p1":                 func(t *testing.T, e *example) { require.Equal(t, 1, *e.port) },
		"--po 1":              func(t *testing.T, e *example) { require.Equal(t, 1, *e.port) },
		"--port -1":           func(t *testing.T, e *example) { require.Equal(t, -1, *e.port) },
		"-p -1":               func(t *testing.T, e *example) { require.Equal(t, -1, *e.port) },
		"-vp1":                func(t *testing.T, e *example) { require.True(t, *e.version); require.Equal(t, 1, *e.port) },
		"--vers":              func(t *testing.T, e *example) { require.True(t, *e.version) },
		"--name -x":           func(t *testing.T, e *example) { require.Equal(t, "-x", *e.name) },
		"--name --x":          func(t *testing.T, e *example) { require.Equal(t, "--x", *e.name) },
		"--name=a=b":          func(t *testing.T, e *example) { require.Equal(t, "a=b", *e.name) },
		"--max-radius 2.5":    func(t *testing.T, e *example) { require.Equal(t, 2.5, *e.radius) },
		"--max-r unlimited":   func(t *testing.T, e *example) { require.Equal(t, -1.0, *e.radius) },
		"-m":                  func(t *testing.T, e *example) { require.True(t, *e.mapped) },
		"--mmap":              func(t *testing.T, e *example) { require.True(t, *e.mapped) },
		"--mmap=1":            func(t *testing.T, e *example) { require.True(t, *e.mapped) },
		"--mmap=off":          func(t *testing.T, e *example) { require.False(t, *e.mapped) },
		"--mmap No":           func(t *testing.T, e *example) { require.False(t, *e.mapped) },
		"--mmap x -p1":        func(t *testing.T, e *example) { require.True(t, *e.mapped); require.Equal(t, "x", *e.input) },
		"x":                   func(t *testing.T, e *example) { require.Equal(t, "x", *e.input) },
		"-p 1 x -v":           func(t *testing.T, e *example) { require.Equal(t, "x", *e.input); require.True(t, *e.version) },
		"--input x":           func(t *testing.T, e *example) { require.Equal(t, "x", *e.input) },
		"-v -- -x":            func(t *testing.T, e *example) { require.Equal(t, "-x", *e.input) },
		"--max-f a --max-f b": func(t *testing.T, e *example) { require.Equal(t, []string{"a", "b"}, *e.files) },
		"--word w1 w2 x":      func(t *testing.T, e *example) { require.Equal(t, []string{"w1", "w2"}, *e.words) },
		"--version --version": func(t *testing.T, e *example) { require.True(t, *e.version) },
		"-":                   func(t *testing.T, e *example) { require.Equal(t, "-", *e.input) },
	} {
		t.Run(line, func(t *testing.T) {
			e := newExample()
			require.NoError(t, e.Parse(strings.Fields(line)))
			check(t, e)
		})
	}
}

func TestParseErrors(t *testing.T) {
	for line, want := range map[string]string{
		"--fly":           "unrecognised option '--fly'",
		"--fly=3":         "unrecognised option '--fly=3'",
		"-x":              "unrecognised option '-x'",
		"-vx":             "unrecognised option '-vx'",
		"--":              "",
		"--=":             "unrecognised option '--='",
		"--max 1":         "option '--max' is ambiguous and matches '--max-file', and '--max-radius'",
		"--port":          "the required argument for option '--port' is missing",
		"-p":              "the required argument for option '-p' is missing",
		"--port --mmap":   "the required argument for option '--port' is missing",
		"--name -v":       "the required argument for option '--name' is missing",
		"--port=":         "the argument for option '--port' should follow immediately after the equal sign",
		"--port x":        "the argument ('x') for option '--port' is invalid",
		"-p x":            "the argument ('x') for option '-p' is invalid",
		"--port 1 -p 2":   "option '--port' cannot be specified more than once",
		"x --input y":     "option '--input' cannot be specified more than once",
		"--version=1":     "option '--version' does not take any arguments",
		"--mmap=x":        "the argument ('x') for option '--mmap' is invalid. Valid choices are 'on|off', 'yes|no', '1|0' and 'true|false'",
		"-mp 1":           "the argument ('p') for option '-m' is invalid. Valid choices are 'on|off', 'yes|no', '1|0' and 'true|false'",
		"x y":             "too many positional options have been specified on the command line",
		"--word x":        "the argument ('x') for option '--word' is invalid",
		"--max-radius mm": "the argument ('mm') for option '--max-radius' is invalid",
	} {
		t.Run(line, func(t *testing.T) {
			err := newExample().Parse(strings.Fields(line))
			if want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, want)
		})
	}
	// A word without letters is an argument too, and no path.
	require.EqualError(t, newExample().Parse([]string{""}), "the argument for option '--input' is invalid")
	require.ErrorIs(t, newExample().Parse([]string{"--port", "x"}), errInvalid)
	require.EqualError(t, New().Parse([]string{"x"}), "too many positional options have been specified on the command line")
}

// Whatever the words, there is an answer.
func FuzzParse(f *testing.F) {
	for _, line := range []string{"--port 1 x", "-vp1 -- -x", "--mmap=off --word w1 w2", "--max", "-p -1"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		e := newExample()
		if err := e.Parse(strings.Split(line, " ")); err != nil {
			require.NotContains(t, err.Error(), "options:")
			return
		}
		if !e.Given("port") {
			require.Equal(t, 5000, *e.port)
		}
	})
}
