package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dataSet writes the files of a data set and returns its path.
func dataSet(t *testing.T, content string, suffixes ...string) string {
	t.Helper()
	base := filepath.Join(t.TempDir(), "x.osrm")
	for _, suffix := range suffixes {
		require.NoError(t, os.WriteFile(base+suffix, []byte(content), 0o600))
	}
	return base
}

func read1(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

func TestPutAndGet(t *testing.T) {
	s, err := OpenFolder(filepath.Join(t.TempDir(), "deep", "store"))
	require.NoError(t, err)
	_, err = s.Get("a/b")
	require.ErrorIs(t, err, fs.ErrNotExist)
	base := dataSet(t, "one", ".graph", ".metric", ".ch")
	put, err := s.Put("a/b", base, []string{"ROUTE_STEPS"})
	require.NoError(t, err)
	got, err := s.Get("a/b")
	require.NoError(t, err)
	require.Equal(t, put, got)
	require.Equal(t, 1, got.Number)
	require.Equal(t, base, got.Source)
	require.Equal(t, []string{"ROUTE_STEPS"}, got.Disabled)
	require.Equal(t, []File{{".graph", 3}, {".metric", 3}, {".ch", 3}}, got.Files)

	// The dataset outlives the files that it was made of.
	for _, suffix := range []string{".graph", ".metric", ".ch"} {
		require.NoError(t, os.Remove(base+suffix))
	}
	require.Equal(t, "one", read1(t, got.Base+".ch"))

	again, err := s.Put("a/b", dataSet(t, "two", ".graph"), nil)
	require.NoError(t, err)
	require.Equal(t, 2, again.Number)
	require.Equal(t, "two", read1(t, again.Base+".graph"))
	require.NoFileExists(t, got.Base+".graph", "links of the dataset before")
}

func TestListAndClear(t *testing.T) {
	s, err := OpenFolder(t.TempDir())
	require.NoError(t, err)
	sets, err := s.List()
	require.NoError(t, err)
	require.Empty(t, sets)
	base := dataSet(t, "one", ".graph")
	for _, name := range []string{"b", "", "../a", "b"} {
		_, err := s.Put(name, base, nil)
		require.NoError(t, err)
	}
	sets, err = s.List()
	require.NoError(t, err)
	var names []string
	for _, d := range sets {
		names = append(names, d.Name)
	}
	require.Equal(t, []string{"", "../a", "b"}, names)
	require.NoError(t, s.Clear())
	sets, err = s.List()
	require.NoError(t, err)
	require.Empty(t, sets)
	left, err := os.ReadDir(s.folder)
	require.NoError(t, err)
	require.Empty(t, left)
	require.Equal(t, "one", read1(t, base+".graph"))
}

// What cannot be linked is pointed at.
func TestPutWithoutLinks(t *testing.T) {
	s, err := OpenFolder(t.TempDir())
	require.NoError(t, err)
	base := dataSet(t, "one", ".graph")
	require.NoError(t, os.Mkdir(base+".metric", 0o700)) // no system links folders
	d, err := s.Put("a", base, nil)
	require.NoError(t, err)
	require.Equal(t, base, d.Base)
	require.Empty(t, d.Links)
	left, err := os.ReadDir(s.folder)
	require.NoError(t, err)
	require.Len(t, left, 1, "the record alone")
	_, err = s.Put("a", base, nil)
	require.NoError(t, err)
	require.FileExists(t, base+".graph")
	left, err = os.ReadDir(filepath.Dir(base))
	require.NoError(t, err)
	require.Len(t, left, 2)
}

// Where the store is on another file system, links are beside the files.
func TestPutOnAnotherFileSystem(t *testing.T) {
	shared, err := os.MkdirTemp("/dev/shm", "store-")
	if err != nil {
		t.Skip("this system has no /dev/shm, a second file system to link across:", err)
	}
	defer os.RemoveAll(shared)
	base := dataSet(t, "one", ".graph")
	if os.Link(base+".graph", filepath.Join(shared, "x")) == nil {
		t.Skip("/dev/shm is on the same file system here: links across cannot fail")
	}
	s, err := OpenFolder(filepath.Join(shared, "datasets"))
	require.NoError(t, err)
	d, err := s.Put("a", base, nil)
	require.NoError(t, err)
	require.Equal(t, filepath.Dir(base), filepath.Dir(d.Links))
	require.NoError(t, os.Remove(base+".graph"))
	require.Equal(t, "one", read1(t, d.Base+".graph"))
	require.NoError(t, s.Clear())
	require.NoDirExists(t, d.Links)
}

// A record that was tampered with is refused, and deletes nothing.
func TestRecordsThatMakeNoSense(t *testing.T) {
	for _, text := range []string{"", "{", `{"Links":"links-1"}`, `{"Links":"/"}`} {
		s, err := OpenFolder(t.TempDir())
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(s.record("a"), []byte(text), 0o600))
		_, err = s.Get("a")
		require.ErrorContains(t, err, "dataset-a.json", text)
		_, err = s.Put("a", dataSet(t, "one", ".graph"), nil)
		require.Error(t, err)
		_, err = s.List()
		require.Error(t, err)
		require.NoError(t, s.Clear())
	}
}

func TestOpen(t *testing.T) {
	lock, home, temp := t.TempDir(), t.TempDir(), t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temp)
	}
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, home)
	}
	t.Setenv("SHM_LOCK_DIR", lock)
	for _, want := range []string{lock, home, temp} {
		s, err := Open()
		require.NoError(t, err)
		require.DirExists(t, s.folder)
		require.True(t, strings.HasPrefix(s.folder, want), s.folder)
		switch want {
		case lock:
			t.Setenv("SHM_LOCK_DIR", "")
		case home:
			for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
				t.Setenv(name, "")
			}
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := OpenFolder(file)
	require.Error(t, err)
}
