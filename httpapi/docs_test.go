package httpapi

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCompatibilityNamesTests keeps docs/compatibility.md true: the tests that
// it names exist, in the package that it names or in this one.
func TestCompatibilityNamesTests(t *testing.T) {
	doc, err := os.ReadFile("../docs/compatibility.md")
	require.NoError(t, err)
	declared := map[string]bool{}
	for _, pattern := range []string{"*_test.go", "../routing/*_test.go", "../graph/*_test.go", "../internal/guidance/*_test.go", "../internal/extract/*_test.go", "../internal/extract/areas/*_test.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllSubmatch(text, -1) {
				declared[filepath.Dir(file)+" "+string(m[1])] = true
			}
		}
	}
	// A package counts up to the end of its table cell, or to the next one.
	named := regexp.MustCompile("in `([\\w/]+)`|\\b(?:Test|Fuzz)[A-Z]\\w+|[|;]")
	dir, count := ".", 0
	for _, m := range named.FindAllStringSubmatch(string(doc), -1) {
		switch {
		case m[1] != "":
			dir = "../" + m[1]
		case m[0] == "|" || m[0] == ";":
			dir = "."
		default:
			count++
			require.True(t, declared[dir+" "+m[0]] || declared[". "+m[0]], "%s in %s", m[0], dir)
		}
	}
	require.Greater(t, count, 50)
}
