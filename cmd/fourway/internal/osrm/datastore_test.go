package osrm

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/cmd/fourway/internal/store"
)

// ownStore gives the test a store of its own.
func ownStore(t *testing.T) {
	t.Helper()
	t.Setenv("SHM_LOCK_DIR", t.TempDir())
}

func TestDatastore(t *testing.T) {
	ownStore(t)
	f := prepared(t)
	base := f.path("square.osrm")
	must(t, "osrm-datastore", base, "--dataset-name", "a/b", "--max-wait", "5")
	must(t, "osrm-datastore", "--dataset-name=a/b", base, "--only-metric")
	r := must(t, "osrm-datastore", "--list")
	require.Contains(t, r.out, "a/b/static\t")
	require.Contains(t, r.out, "a/b/updatable\t")
	require.NotContains(t, r.out, ".graph")
	require.Contains(t, must(t, "osrm-datastore", "--list-blocks").out, "  .graph ")
	must(t, "osrm-datastore", "--remove-locks")
	got := runWithInput(t, "n\n", "osrm-datastore", "--spring-clean")
	require.Zero(t, got.code)
	require.Contains(t, got.out, "aborted.")
	require.Contains(t, must(t, "osrm-datastore", "--list").out, "a/b")
	got = runWithInput(t, "Y", "osrm-datastore", "-s")
	require.Zero(t, got.code)
	require.NotContains(t, must(t, "osrm-datastore", "--list").out, "a/b")
	got = run(t, "osrm-datastore", "")
	require.Zero(t, got.code)
	require.Contains(t, got.err, "the argument for option '--base' is invalid")
}

// Without a dataset there is nothing to serve.
func TestRoutedWithoutDataset(t *testing.T) {
	ownStore(t)
	r := run(t, "osrm-routed", "--shared-memory=1", "--dataset-name", "none")
	require.Equal(t, 1, r.code)
	require.Contains(t, r.err, "No shared memory block")
}

// A server of a dataset goes over to what is put in its place, and drops no request
// meanwhile, though the files of the old data set are gone.
func TestRoutedFollowsDataset(t *testing.T) {
	ownStore(t)
	f := prepared(t)
	put := func(args ...string) {
		t.Helper()
		must(t, "osrm-datastore", append(args, "--dataset-name", "live", f.path("square.osrm"))...)
	}
	put()
	r := startRouted(t, "-s", "--dataset-name", "live")
	require.Equal(t, "Ok", r.route("").Code)

	var stop atomic.Bool
	var asked atomic.Int64
	faults := make(chan error, 4)
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for !stop.Load() {
				res, err := r.client.Get(r.url + routePath())
				if err == nil && res.StatusCode != 200 {
					err = fmt.Errorf("status %d", res.StatusCode)
				}
				if err == nil {
					err = res.Body.Close()
				}
				if err != nil {
					faults <- err
					return
				}
				asked.Add(1)
			}
		})
	}
	for i := range 5 {
		version := fmt.Sprint("v", i)
		f.extract(t, "-d", version)
		must(t, "osrm-contract", f.path("square.osrm"))
		put()
		old, err := filepath.Glob(f.path("square.osrm.*"))
		require.NoError(t, err)
		for _, path := range old {
			require.NoError(t, os.Remove(path))
		}
		require.Eventually(t, func() bool { return r.route("").DataVersion == version }, 10*time.Second, time.Millisecond)
	}
	stop.Store(true)
	clients.Wait()
	require.Empty(t, faults)
	require.Greater(t, asked.Load(), int64(10))
	r.await("updated facade to regions")

	// One that cannot be opened is said once, and the old one stays.
	f.extract(t)
	put()
	require.Eventually(t, func() bool { return r.err.String() != "" }, 10*time.Second, time.Millisecond)
	require.Equal(t, "v4", r.route("").DataVersion)
	require.Contains(t, r.err.String(), "the old one stays")
	must(t, "osrm-contract", f.path("square.osrm"))
	put("--disable-feature-dataset", "ROUTE_GEOMETRY")
	require.Eventually(t, func() bool { return r.route("").Code == "DisabledDataset" }, 10*time.Second, time.Millisecond)
	got := runWithInput(t, "Y", "osrm-datastore", "--spring-clean")
	require.Zero(t, got.code)
	require.Equal(t, "DisabledDataset", r.route("").Code, "it has what it has")
	require.Zero(t, r.stop())
}

// Two runs at once may take the same number; the one whose record is there counts.
func TestRoutedFollowsSameNumber(t *testing.T) {
	ownStore(t)
	f := prepared(t)
	must(t, "osrm-datastore", "--dataset-name", "live", f.path("square.osrm"))
	r := startRouted(t, "-s", "--dataset-name", "live")
	require.Empty(t, r.route("").DataVersion)
	s, err := store.Open()
	require.NoError(t, err)
	d, err := s.Get("live")
	require.NoError(t, err)
	f.extract(t, "-d", "other", "--output", f.path("other.osrm"))
	must(t, "osrm-contract", f.path("other.osrm"))
	d.Base, d.Links = f.path("other.osrm"), ""
	record, err := json.Marshal(d)
	require.NoError(t, err)
	path := filepath.Join(os.Getenv("SHM_LOCK_DIR"), "datasets", "dataset-live.json")
	require.NoError(t, os.WriteFile(path+".new", record, 0o600))
	require.NoError(t, os.Rename(path+".new", path))
	require.Eventually(t, func() bool { return r.route("").DataVersion == "other" }, 10*time.Second, time.Millisecond)
	require.Zero(t, r.stop())
}
