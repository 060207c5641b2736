package routing_test

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

// TestOpenSaysWhatToDo opens data sets that are not there, or not prepared for the
// algorithm.
func TestOpenSaysWhatToDo(t *testing.T) {
	_, err := routing.Open(filepath.Join(t.TempDir(), "town"), routing.Options{})
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "the name that it was built with")

	files := dataSet(t)
	delete(files, "town.ch")
	_, err = routing.Open("town", routing.Options{FS: files})
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "built for mld and cch, not for ch")

	delete(files, "town.mld")
	delete(files, "town.cch")
	_, err = routing.Open("town", routing.Options{FS: files})
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "build it for ch")
}

// TestOptionsNameTheFault looks for the field and the value in errors of options.
func TestOptionsNameTheFault(t *testing.T) {
	for want, opt := range map[string]routing.Options{
		"routing: Options.Algorithm is 9: want CH, MLD or CCH": {Algorithm: 9},
		"routing: Options.Limits.MatchRadius is -3: want 0 (no limit) or more": {
			Limits: routing.Limits{MatchRadius: -3},
		},
		"routing: Options.Limits.TripCoordinates is -1: want 0 (no limit) or more": {
			Limits: routing.Limits{TripCoordinates: -1},
		},
	} {
		require.EqualError(t, opt.Validate(), want)
	}
}

// TestErrorIsASentence looks at the seams between message and cause.
func TestErrorIsASentence(t *testing.T) {
	_, err := routing.NewInstructions("xx")
	require.EqualError(t, err, `routing: InvalidValue: Unknown language of instructions: text: no language "xx": choose one of de, en, fr`)
}
