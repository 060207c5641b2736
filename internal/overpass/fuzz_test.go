package overpass_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/overpass"
)

// FuzzQuery: any text is refused with a place, or answered with JSON.
func FuzzQuery(f *testing.F) {
	for _, text := range []string{
		"", "node(1);out;", "[out:json][timeout:5][maxsize:1000];way(id:1,2,3)[\"highway\"=\"residential\"];out geom(1,2,3,4) 5 qt;",
		"(node(1.0,1.0,1.1,1.1);way(around:100,1.0,1.0);)->.a;.a>->.b;(.a;-.b;);<;out center;",
		"nw[~\"^h\"~\"way\",i][!name][ref!~'x'](-90,170,90,-170);out count;", "node(w.a)[a='\\u00e9\\n'];out tags bb;",
		"[bbox:0,0,2,2];way;>>;out skel;/* c */ // d", "((((((node(1););););););););out;", ".a->.b;.b<<;out ids 0;",
	} {
		f.Add(text)
	}
	w := city(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return
		}
		q, err := overpass.Parse(text)
		if err != nil {
			var syntax *overpass.SyntaxError
			require.True(t, errors.As(err, &syntax))
			require.Positive(t, syntax.Line)
			require.Positive(t, syntax.Column)
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		data, err := q.Append(ctx, nil, w.elements, overpass.Limits{Elements: 20000, Size: 8 << 20})
		require.NoError(t, err)
		require.True(t, json.Valid(data), "%q: %.500q", text, data)
	})
}
