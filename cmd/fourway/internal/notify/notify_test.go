package notify

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSend(t *testing.T) {
	t.Setenv(Variable, "")
	require.NoError(t, Send(Ready), "nobody asked")
	if runtime.GOOS == "windows" {
		return // it has no sockets for datagrams
	}
	// Paths of sockets are short.
	dir, err := os.MkdirTemp("", "notify")
	require.NoError(t, err)
	defer os.RemoveAll(dir) //nolint:errcheck // temporary
	name := filepath.Join(dir, "s")
	t.Setenv(Variable, name)
	require.Error(t, Send(Ready), "nobody is there")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	require.NoError(t, err)
	defer l.Close()
	for _, state := range []string{Ready, Stopping} {
		require.NoError(t, Send(state))
		b := make([]byte, 64)
		n, err := l.Read(b)
		require.NoError(t, err)
		require.Equal(t, state, string(b[:n]))
	}
}
