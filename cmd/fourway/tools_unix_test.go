//go:build unix

package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/cmd/fourway/internal/osrm"
)

// childVariable is set where the program calls itself.
const childVariable = "FOURWAY_TEST_CHILD"

// TestMain is the program itself if it is called by the name of a tool, or by
// itself.
func TestMain(m *testing.M) {
	if _, ok := osrm.Tool(os.Args[0]); ok || os.Getenv(childVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

// tool makes a link to the program and returns a command that calls it.
func tool(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	link := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.Symlink(self, link))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return exec.CommandContext(ctx, link, args...)
}

func TestToolByLink(t *testing.T) {
	out, err := tool(t, "osrm-contract", "--version").Output()
	require.NoError(t, err)
	require.Equal(t, osrm.Version+"\n", string(out))
	err = tool(t, "osrm-contract", "--fly").Run()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 1, exit.ExitCode())
	c := tool(t, "fourway", "osrm-routed", "-v")
	c.Env = append(os.Environ(), childVariable+"=1")
	out, err = c.Output()
	require.NoError(t, err)
	require.Equal(t, osrm.Version+"\n", string(out))
}

// A script that never ends does not keep a tool from being stopped.
func TestStopOfEndlessProfile(t *testing.T) {
	folder := t.TempDir()
	script, begun := filepath.Join(folder, "p.lua"), filepath.Join(folder, "begun")
	require.NoError(t, os.WriteFile(script, []byte("io.open('"+begun+"', 'w'):close() while true do end"), 0o600))
	c := tool(t, "osrm-extract", "--max-instructions", "0", "-p", script, script)
	require.NoError(t, c.Start())
	require.Eventually(t, func() bool { _, err := os.Stat(begun); return err == nil }, 20*time.Second, time.Millisecond)
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	var exit *exec.ExitError
	require.ErrorAs(t, c.Wait(), &exit)
	require.Equal(t, 1, exit.ExitCode())
}

// A server tells its parent that it is ready, reloads at SIGHUP though that may be
// ignored, and ends at SIGTERM.
func TestRoutedProcess(t *testing.T) {
	name := town(t)
	for _, ending := range []string{".graph", ".metric", ".ch"} {
		require.NoError(t, os.Rename(name+ending, name+".osrm"+ending))
	}
	ready := make(chan os.Signal, 1)
	signal.Notify(ready, syscall.SIGUSR1)
	defer signal.Stop(ready)
	c := tool(t, "osrm-routed", name+".osm.pbf", "-p", "0", "-i", "127.0.0.1")
	c.Env = append(os.Environ(), "SIGNAL_PARENT_WHEN_READY=1")
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	lines := bufio.NewScanner(out)
	await := func(text string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				return
			}
		}
		require.Fail(t, "the output ended", "before %q", text)
	}
	await("running and waiting for requests")
	<-ready
	for range 2 {
		require.NoError(t, c.Process.Signal(syscall.SIGHUP))
		await("updated facade")
	}
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	await("shutdown completed")
	require.NoError(t, c.Wait())
}

// The first signal lets a tool clean up, the second one ends it whatever it does.
func TestToolInterrupted(t *testing.T) {
	folder := t.TempDir()
	profile := filepath.Join(folder, "p.lua")
	require.NoError(t, os.WriteFile(profile, []byte("print('here') io.stdout:flush() while true do end"), 0o600))
	c := tool(t, "osrm-extract", townExtract(t), "-p", profile)
	require.NoError(t, c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case err := <-ended:
			require.ErrorContains(t, err, "signal: interrupt")
			return
		case <-time.After(20 * time.Millisecond):
			_ = c.Process.Signal(os.Interrupt) // it may have ended
		}
	}
}
