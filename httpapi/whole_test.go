package httpapi

import (
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// tap is a listener that takes note of what is written to its connections.
type tap struct {
	net.Listener
	mu     sync.Mutex
	writes [][]byte
}

func (l *tap) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return &tappedConn{c, l}, err
}

type tappedConn struct {
	net.Conn
	tap *tap
}

func (c *tappedConn) Write(p []byte) (int, error) {
	c.tap.mu.Lock()
	c.tap.writes = append(c.tap.writes, append([]byte(nil), p...))
	c.tap.mu.Unlock()
	return c.Conn.Write(p)
}

// A body leaves in one piece, so that clients that read piece by piece find no
// cut characters.
func TestBodiesAreWhole(t *testing.T) {
	server := httptest.NewUnstartedServer(Handler(drawn(t), Options{NoCompression: true}))
	l := &tap{Listener: server.Listener}
	server.Listener = l
	server.Start()
	defer server.Close()
	line := strings.Repeat(place('1')+";"+place('2')+";", 40)
	for _, number := range []int{2, 20, 80} {
		points := strings.Split(strings.TrimSuffix(line, ";"), ";")[:number]
		l.writes = nil
		res, err := server.Client().Get(server.URL + "/table/v1/driving/" + strings.Join(points, ";"))
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		l.mu.Lock()
		last := l.writes[len(l.writes)-1]
		l.mu.Unlock()
		require.True(t, strings.HasSuffix(string(last), string(body)), "%d bytes in %d pieces", len(body), len(l.writes))
	}
}
