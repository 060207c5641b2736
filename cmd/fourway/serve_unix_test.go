//go:build unix

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A SIGHUP lets the server answer from what a build has put in the place of the data
// set, and from the old one if that cannot be opened.
func TestServeReopens(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "town")
	build := func(version string, more ...string) {
		code, _, said := command(t, append([]string{"build", "-q", "--algorithm", "ch", "--data-version", version, "-o", name, townExtract(t)}, more...)...)
		require.Zero(t, code, said)
		if len(more) > 0 {
			require.Contains(t, said, "(100.0 %)")
			require.Contains(t, said, "ch: the order was taken over")
		}
	}
	build("one")
	s := startServer(t, name)
	version := func() string {
		status, body := s.get(t, "/nearest/v1/driving/7.4,43.7")
		require.Equal(t, http.StatusOK, status, body)
		return body
	}
	hangUp := func(answer string) {
		before := strings.Count(s.said.String(), answer)
		require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGHUP))
		require.Eventually(t, func() bool { return strings.Count(s.said.String(), answer) > before }, 10*time.Second, time.Millisecond, s.said.String())
	}
	require.Contains(t, version(), `"data_version":"one"`)
	build("two", "--like", name)
	require.Contains(t, version(), `"data_version":"one"`)
	hangUp("opened " + name + " anew")
	require.Contains(t, version(), `"data_version":"two"`)
	require.NoError(t, os.Rename(name+".ch", name+".away"))
	hangUp(name + " stays as it was: ")
	require.Contains(t, version(), `"data_version":"two"`)
	s.stop(t)
}
