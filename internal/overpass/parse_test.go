package overpass_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/overpass"
)

// TestRefusals: what is not understood or not there is told by name and place.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "line 1: parse error: the query is empty (column 1)"},
		{" // nothing\n", "line 2: parse error: the query is empty (column 1)"},
		{"[out:xml];node(1);out;", `line 1: static error: the format "xml" is not supported: use [out:json] (column 6)`},
		{"[out:json][date:\"2020-01-01T00:00:00Z\"];node(1);out;", `line 1: static error: the setting "date" is not supported (column 12)`},
		{"[out:json][out:json];node(1);out;", `line 1: parse error: the setting "out" is there twice (column 12)`},
		{"[out:json]node(1);out;", "line 1: parse error: ';' expected - 'node' found (column 11)"},
		{"[timeout:0];node(1);", "line 1: static error: the timeout must be positive (column 10)"},
		{"[maxsize:0];node(1);", "line 1: static error: the maxsize must be positive (column 10)"},
		{"[timeout:x];", "line 1: parse error: non-negative integer expected - 'x' found (column 10)"},
		{"node(1);\nrel(2);out;", `line 2: static error: the statement "rel" is not supported (column 1)`},
		{"node(1);\n  nwr(2);out;", `line 2: static error: the statement "nwr" is not supported (column 3)`},
		{"area[name=Berlin];out;", `line 1: static error: the statement "area" is not supported (column 1)`},
		{"foreach(out;);", `line 1: static error: the statement "foreach" is not supported (column 1)`},
		{".a is_in;", `line 1: static error: the statement "is_in" is not supported (column 1)`},
		{".a node;", "line 1: parse error: '->', ';', '>', '<' or 'out' expected after the name of a set (column 1)"},
		{"nodes(1);", `line 1: parse error: unknown statement "nodes" (column 1)`},
		{"{{bbox}}", `line 1: parse error: statement expected - "{" found (column 1)`},
		{"node(1)", "line 1: parse error: ';' expected - the end of the query found (column 8)"},
		{"node(-1);", "line 1: parse error: non-negative integer expected - \"-\" found (column 6)"},
		{"node(99999999999999999999);", "line 1: parse error: non-negative integer expected - '99999999999999999999' found (column 6)"},
		{"node(1,2,3);", "line 1: parse error: ',' expected - \")\" found (column 11)"},
		{"node(91,0,92,1);", "line 1: static error: a latitude is not between -90 and 90: a box is south,west,north,east (column 6)"},
		{"node(1,0,0,1);", "line 1: static error: the south is north of the north: a box is south,west,north,east (column 6)"},
		{"node(1,181,2,182);", "line 1: static error: a longitude is not between -180 and 180: a box is south,west,north,east (column 6)"},
		{"node(poly:\"1 2 3 4 5 6\");", `line 1: static error: the filter "poly" is not supported here (column 6)`},
		{"node(newer:\"2020\");", `line 1: static error: the filter "newer" is not supported here (column 6)`},
		{"node(if:1);", `line 1: static error: the filter "if" is not supported here (column 6)`},
		{"way(w);", `line 1: static error: the filter "w" is not supported here (column 5)`},
		{"node(bn);", `line 1: static error: the filter "bn" is not supported here (column 6)`},
		{"node(around:10);", "line 1: static error: \"around\" of a set is not supported: use (around:radius,latitude,longitude) (column 15)"},
		{"node(around.a:10);", "line 1: static error: \"around\" of a set is not supported: use (around:radius,latitude,longitude) (column 12)"},
		{"node(around:10,1,2,3,4);", "line 1: static error: \"around\" of a line is not supported: use (around:radius,latitude,longitude) (column 19)"},
		{"node(around:-1,1,2);", "line 1: static error: the radius must not be negative (column 13)"},
		{"node(around:NaN,1,2);", "line 1: parse error: number expected - 'NaN' found (column 13)"},
		{"node(around:1,100,2);", "line 1: static error: no such place: \"around\" takes radius,latitude,longitude (column 13)"},
		{"node[highway;", "line 1: parse error: ']' expected - \";\" found (column 13)"},
		{"node[];", "line 1: parse error: string expected - \"]\" found (column 6)"},
		{"node[\"a];", "line 1: parse error: the string does not end (column 6)"},
		{"node[\"a\\u12\"];", "line 1: parse error: four hexadecimal digits expected after \\u (column 8)"},
		{"node[a~\"(\"];", "line 1: static error: invalid regular expression: error parsing regexp: missing closing ): `(` (column 8)"},
		{"node[a~\"(\\\\pL{1000}){1}\"];", "line 1: static error: invalid regular expression: it is too large once its repetitions are written out (column 8)"},
		{"node[a~b][c~'" + strings.Repeat("x", 4096) + "'];", "line 1: static error: the regular expressions have more than 4096 bytes together (column 13)"},
		{"node[!~a~b];", `line 1: static error: [!~"key"] is not supported (column 8)`},
		{"node(1)->a;", "line 1: parse error: '.' expected - 'a' found (column 10)"},
		{"node(1)->.1;", "line 1: parse error: the name of a set expected - '1' found (column 11)"},
		{"();", "line 1: static error: the union is empty (column 1)"},
		{"(node(1);out;);", `line 1: static error: "out" cannot be part of a union (column 10)`},
		{"(-node(1););", "line 1: static error: a difference has one statement before '-' and one behind it (column 3)"},
		{"(node(1);-node(2);-node(3););", "line 1: static error: a difference has one statement before '-' and one behind it (column 20)"},
		{"(node(1);-node(2);node(3););", "line 1: static error: a difference has one statement before '-' and one behind it (column 19)"},
		{"node(1);out meta;", `line 1: static error: "out meta" is not supported: versions and authors are not kept (column 13)`},
		{"node(1);out csv;", `line 1: parse error: unknown option "csv" of "out" (column 13)`},
		{"node(1);out ids tags;", `line 1: static error: "tags" is one too many: "out" has one verbosity (column 17)`},
		{"node(1);out 1 2;", `line 1: static error: "the number" is one too many: "out" has one limit (column 15)`},
		{"node(1);out (1,2,3,4);", `line 1: static error: a box of "out" needs "geom" (column 22)`},
		{"/* node(1);", "line 1: parse error: the comment does not end (column 1)"},
		{strings.Repeat("(", 40), "line 1: static error: statements are nested deeper than 32 (column 33)"},
	} {
		_, err := overpass.Parse(c.text)
		var syntax *overpass.SyntaxError
		require.True(t, errors.As(err, &syntax), "%s: %v", c.text, err)
		require.EqualError(t, err, c.want, c.text)
	}
}

func TestSettings(t *testing.T) {
	q, err := overpass.Parse(" [ out : json ] [timeout:25][maxsize:1073741824] [bbox:1,2,3,4] ; node ( id : 1 , 2 ) ; out ; ")
	require.NoError(t, err)
	require.Equal(t, 25*time.Second, q.Timeout)
	require.EqualValues(t, 1<<30, q.MaxSize)
	q, err = overpass.Parse("node(1);out;")
	require.NoError(t, err)
	require.Zero(t, q.Timeout)
	require.Zero(t, q.MaxSize)
}

// TestLight: queries that may not take their turn before others.
func TestLight(t *testing.T) {
	many := "1" + strings.Repeat(",1", 300)
	for text, light := range map[string]bool{
		"node(1);out;":                             true,
		"way(id:1,2,3)[highway];out geom;":         true,
		"way(1);(._;>;);out;":                      true,
		"way(1)->.a;node(w.a);out;":                true,
		"way(id:" + many + ");out;":                false,
		"way(id:1,2,3,4,5,6,7,8,9);>;<;out;":       false,
		"way[highway];out;":                        false,
		"way;out count;":                           false,
		"node(1,2,3,4);out;":                       false,
		"node(around:1,2,3);out;":                  false,
		"(node(1);node(2););way._;out;":            true,
		"way(1);>;<;>;<;out;":                      false,
		"node(1);way(bn)[\"highway\"];out center;": true,
	} {
		q, err := overpass.Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, light, q.Light(), text)
	}
}

// TestManyStatements: the time that a query takes to be understood grows with its
// length, not with its square; places are still told from the beginning.
func TestManyStatements(t *testing.T) {
	const statements = 49_999
	comment := "/*" + strings.Repeat("ü", 50) + "*/"
	for _, c := range []struct{ text, place string }{
		{comment + ".a;", "line 1: parse error: unknown statement \"x\" (column 2849944)"},
		{comment + ".a;\n", "line 50000: parse error: unknown statement \"x\" (column 1)"},
	} {
		began := time.Now()
		_, err := overpass.Parse(strings.Repeat(c.text, statements) + "x;")
		require.EqualError(t, err, c.place)
		require.Less(t, time.Since(began), 10*time.Second)
	}
}

// TestTooManyParts: the memory of a query that was understood is bounded.
func TestTooManyParts(t *testing.T) {
	for _, text := range []string{
		strings.Repeat(".a;", 50_001), "(" + strings.Repeat(".a;", 50_000) + ");",
		"node" + strings.Repeat(".a", 50_000) + ";", "way" + strings.Repeat("[a]", 50_000) + ";",
	} {
		_, err := overpass.Parse(text)
		require.ErrorContains(t, err, "static error: more than 50000 statements and filters")
	}
	_, err := overpass.Parse(strings.Repeat(".a;", 50_000))
	require.NoError(t, err)
}
