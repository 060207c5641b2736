package osmdata

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
)

// module names the exact release: expected figures in tests are those of its extracts, whatever go.mod asks for later.
const module = "github.com/paulmach/osm@v0.9.0"

// Dir returns the folder that holds the extracts. It fails the test when the go command cannot supply the module,
// which needs either a filled module cache or a module proxy.
func Dir(tb testing.TB) string {
	tb.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(tb.Context(), "go", "mod", "download", "-json", module)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	runErr := cmd.Run()
	var answer struct{ Dir, Error string }
	if err := json.Unmarshal(stdout.Bytes(), &answer); err != nil || answer.Error != "" || answer.Dir == "" {
		tb.Fatalf("this test reads the extracts shipped with %s, and `go mod download -json %s` did not find it "+
			"(fill the module cache or allow a module proxy): %v; %s; %s", module, module, runErr, answer.Error, stderr.Bytes())
	}
	return filepath.Join(answer.Dir, "testdata")
}

// Delaware returns the path of the Delaware extract, a 7.8 MB .osm.pbf sorted by kind and id.
func Delaware(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(Dir(tb), "delaware-latest.osm.pbf")
}

// Andorra returns the path of the Andorra extract, a 3.0 MB .osm.bz2.
func Andorra(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(Dir(tb), "andorra-latest.osm.bz2")
}
