package batch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse holds that no line makes a reader panic, and that what one reads comes
// through the coder that takes requests from stage to stage.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"id": "a", "coordinates": [[1, 2], [3, 4]], "coordinate": [1, 2], "bearing": [1, 2], "approach": "curb", "radiuses": ["unlimited", 1], "contours_minutes": [5]}`))
	f.Add([]byte(`{"id": 5}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		reads(t, line, parseRoute, encodeRoute, decodeRoute)
		reads(t, line, parseMatch, encodeMatch, decodeMatch)
		reads(t, line, parseNearest, encodeNearest, decodeNearest)
		reads(t, line, parseIsochrone, encodeIsochrone, decodeIsochrone)
		_, _ = parsePlace(line)
	})
}

func reads[Q any](t *testing.T, line []byte, read func([]byte) (Q, error), encode func(Q) ([]byte, error), decode func([]byte) (Q, error)) {
	q, err := read(line)
	if err != nil {
		return
	}
	text, err := encode(q)
	require.NoError(t, err)
	back, err := decode(text)
	require.NoError(t, err)
	again, err := encode(back)
	require.NoError(t, err)
	require.Equal(t, string(text), string(again))
}
