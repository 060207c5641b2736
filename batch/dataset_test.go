package batch_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/batch"
)

func TestADatasetThatCannotBeOpenedFailsThePipeline(t *testing.T) {
	_, err := batch.Dataset{Name: "nowhere"}.Pin(t.Context())
	require.ErrorIs(t, err, batch.ErrDataset)
	require.ErrorIs(t, err, fs.ErrNotExist)

	d := pinned(t)
	d.MetricID = "another"
	_, err = d.Pin(t.Context())
	require.ErrorIs(t, err, batch.ErrDataset)
	require.ErrorContains(t, err, "was made for another")
	p, s := beam.NewPipelineWithRoot()
	batch.Nearest(s, d, batch.Options{}, beam.CreateList(s, []batch.NearestRequest{{ID: "a"}}))
	err = beamx.Run(t.Context(), p)
	require.ErrorContains(t, err, "was made for another")
}

func TestADatasetIsStaged(t *testing.T) {
	for _, suffix := range []string{".graph", ".metric", ".ch"} {
		b, err := os.ReadFile(delaware + suffix)
		require.NoError(t, err)
		memfs.Write("memfs://data/delaware"+suffix, b)
	}
	dir := t.TempDir()
	d := batch.Dataset{Name: "memfs://data/delaware", Dir: dir}
	there, err := d.Pin(t.Context())
	require.NoError(t, err)
	require.Equal(t, pinned(t).GraphID, there.GraphID)
	copies, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	require.NoError(t, err)
	require.Len(t, copies, 3)
	_, err = d.Pin(t.Context())
	require.NoError(t, err)
	again, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	require.NoError(t, err)
	require.Equal(t, copies, again)

	_, err = batch.Dataset{Name: "memfs://data/elsewhere", Dir: dir}.Pin(t.Context())
	require.ErrorIs(t, err, batch.ErrDataset)
	_, err = batch.Dataset{Name: "tape://data", Dir: dir}.Pin(t.Context())
	require.ErrorContains(t, err, "not registered")
}

// TestTheLibraryDoesNotNeedBeam holds that importers of the library get none of what
// this module needs.
func TestTheLibraryDoesNotNeedBeam(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "./...")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "fourway/routing")
	for _, foreign := range []string{"apache/beam", "parquet-go", "google.golang.org/grpc"} {
		require.False(t, strings.Contains(string(out), foreign), foreign)
	}
}
