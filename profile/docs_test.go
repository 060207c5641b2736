package profile

import (
	"os"
	"reflect"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page about profiles names every field, and its examples work.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/profiles.md")
	require.NoError(t, err)
	fields := map[string]reflect.Value{}
	for _, options := range []any{&CarOptions{}, &BicycleOptions{}, &FootOptions{}} {
		collect(reflect.ValueOf(options).Elem(), fields, map[string]string{})
	}
	for name := range fields {
		require.Contains(t, string(page), "`"+name+"`")
	}
	examples := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(page, -1)
	require.Len(t, examples, 4)
	for _, example := range examples {
		_, err := Configure("", "docs/profiles.md", example[1])
		require.NoError(t, err)
	}
}
