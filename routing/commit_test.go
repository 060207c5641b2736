package routing

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// onDisk is a folder's files.
type onDisk map[string][]byte

func readFolder(t *testing.T, dir string) onDisk {
	files := onDisk{}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		files[e.Name()] = data
	}
	return files
}

func (d onDisk) write(t *testing.T) (dir string) {
	dir = t.TempDir()
	for name, data := range d {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	return dir
}

// builtTown builds the town in a folder and returns the files.
func builtTown(t *testing.T, version string) onDisk {
	dir := t.TempDir()
	text, err := loop.OSM()
	require.NoError(t, err)
	_, err = Build(t.Context(), BuildOptions{
		Reader: strings.NewReader(string(text)), Input: "town.osm", Output: filepath.Join(dir, "town"),
		DataVersion: version, Algorithms: []Algorithm{CH, MLD, CCH},
	})
	require.NoError(t, err)
	return readFolder(t, dir)
}

// versionOf opens a data set with each algorithm and returns its version.
func versionOf(t *testing.T, dir string) string {
	version := ""
	for _, a := range []Algorithm{CH, MLD, CCH} {
		e, err := Open(filepath.Join(dir, "town"), Options{Algorithm: a})
		require.NoError(t, err, a)
		require.Contains(t, []string{"", e.Info().DataVersion}, version)
		version = e.Info().DataVersion
		require.NoError(t, e.Close())
	}
	return version
}

// When power fails while a data set takes the place of another, in whatever order the
// file system has done things, the one or the other is there, whole, and a build after
// it tidies up.
func TestPowerFailsWhileNamesChange(t *testing.T) {
	before, after := builtTown(t, "before"), builtTown(t, "after")
	var all []staged
	for name := range after {
		suffix := strings.TrimPrefix(name, "town")
		all = append(all, staged{suffix: suffix, path: name + unique()})
	}
	require.Len(t, all, 5)
	for renamed := range 1 << len(all) {
		for _, committed := range []bool{true, false} {
			if !committed && renamed != 0 && renamed != 1<<len(all)-1 {
				continue // nothing gets its name before the commit, or lacks it after
			}
			disk := onDisk{}
			for name, data := range before {
				disk[name] = data
			}
			for i, f := range all {
				if renamed>>i&1 == 1 {
					disk["town"+f.suffix] = after["town"+f.suffix]
				} else {
					disk[f.path] = after["town"+f.suffix]
				}
			}
			want := "after"
			if committed {
				disk["town"+commitSuffix] = encodeCommit(all)
			} else if renamed == 0 {
				want = "before"
			}
			dir := disk.write(t)
			require.Equal(t, want, versionOf(t, dir), "%b %v", renamed, committed)
			require.NoError(t, Verify(t.Context(), filepath.Join(dir, "town"), Options{}))
			if !committed {
				continue
			}
			// A later step of a build reads the same, and leaves nothing open.
			_, err := Partition(t.Context(), StepOptions{Input: filepath.Join(dir, "town")})
			require.NoError(t, err)
			require.Equal(t, want, versionOf(t, dir))
			left := readFolder(t, dir)
			require.Len(t, left, 6, "five files and the cells")
			require.Equal(t, after["town.ch"], left["town.ch"])
		}
	}
}

// A build that cannot give its files their names says so, and is complete all the same.
func TestNamesThatCannotBeGiven(t *testing.T) {
	disk := builtTown(t, "before")
	dir := disk.write(t)
	name := filepath.Join(dir, "town")
	require.NoError(t, os.Remove(name+".mld"))
	require.NoError(t, os.MkdirAll(filepath.Join(name+".mld", "occupied"), 0o700))
	text, err := loop.OSM()
	require.NoError(t, err)
	_, err = Build(t.Context(), BuildOptions{Reader: strings.NewReader(string(text)), Input: "town.osm", Output: name, DataVersion: "after"})
	require.ErrorContains(t, err, "is a folder")
	require.NoError(t, os.RemoveAll(name+".mld"))
	e, err := Open(name, Options{})
	require.NoError(t, err)
	require.Equal(t, "before", e.Info().DataVersion)
	require.NoError(t, e.Close())
	require.Len(t, readFolder(t, dir), 4)
}

func TestDamagedCommit(t *testing.T) {
	disk := builtTown(t, "now")
	for _, text := range []string{
		"", "fourway commit 2\n", commitHead + ".ch", commitHead + ".ch\tother\n", commitHead + ".ch\t../town.ch.0.new\n",
		commitHead + "ch\ttownch.0.new\n", commitHead + ".ch\ttown.ch.0.new\n.ch\ttown.ch.1.new\n",
	} {
		disk["town"+commitSuffix] = []byte(text)
		dir := disk.write(t)
		_, err := Open(filepath.Join(dir, "town"), Options{})
		require.ErrorIs(t, err, ErrCorrupt, "%q", text)
		require.ErrorContains(t, err, "town"+commitSuffix)
		// Building helps.
		text, err := loop.OSM()
		require.NoError(t, err)
		_, err = Build(t.Context(), BuildOptions{
			Reader: strings.NewReader(string(text)), Input: "town.osm", Output: filepath.Join(dir, "town"),
			DataVersion: "then", Algorithms: []Algorithm{CH, MLD, CCH},
		})
		require.NoError(t, err)
		require.Equal(t, "then", versionOf(t, dir))
	}
}

func FuzzDecodeCommit(f *testing.F) {
	f.Add([]byte(commitHead + ".ch\ttown.ch.0000abcd.new\n.ch.metric\ttown.ch.metric.1.new\n"))
	f.Add([]byte(commitHead))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := decodeCommit("town", text)
		if err != nil {
			return
		}
		for suffix, name := range c {
			require.Equal(t, name, filepath.Base(name), fmt.Sprintf("%q", text))
			require.True(t, strings.HasPrefix(suffix, "."))
		}
	})
}
