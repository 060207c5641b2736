package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// dial opens a connection to a server that is closed at the end of the test.
func (s *served) dial(t *testing.T) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.SetDeadline(time.Now().Add(20*time.Second)))
	return c
}

// requireServes asks for a route, which is to come at once.
func (s *served) requireServes(t *testing.T) {
	t.Helper()
	began := time.Now()
	status, _ := s.get(t, "/route/v1/car"+across+"?overview=false")
	require.Equal(t, 200, status)
	require.Less(t, time.Since(began), 5*time.Second)
}

// TestClientsThatDoNotBehave has clients of all bad kinds at once at a server with one
// place, and no place to wait: others are served beside them, and the connections end.
func TestClientsThatDoNotBehave(t *testing.T) {
	s := startServer(t, "--read-timeout", "400ms", "--write-timeout", "1s", "--max-running", "1", "--max-waiting", "4", town(t))
	const line = "GET /route/v1/car" + across + " HTTP/1.1\r\nHost: localhost\r\n"
	const post = "POST /route/v1/car HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

	t.Run("says nothing", func(t *testing.T) {
		c := s.dial(t)
		s.requireServes(t)
		_, err := c.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF, "it is closed")
	})
	t.Run("a byte at a time", func(t *testing.T) {
		c := s.dial(t)
		for i := range line {
			if _, err := c.Write([]byte{line[i]}); err != nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
			if i == 5 {
				s.requireServes(t)
			}
		}
		_, err := io.ReadAll(c)
		var fault net.Error
		require.False(t, err != nil && errors.As(err, &fault) && fault.Timeout(), "it is closed")
	})
	t.Run("a body that does not come", func(t *testing.T) {
		c := s.dial(t)
		_, err := io.WriteString(c, post+"Content-Length: 500\r\n\r\n{\"coord")
		require.NoError(t, err)
		s.requireServes(t)
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, 503, answer.StatusCode)
	})
	t.Run("a flood of headers", func(t *testing.T) {
		c := s.dial(t)
		_, err := io.WriteString(c, line)
		for i := 0; err == nil && i < 100_000; i++ {
			_, err = fmt.Fprintf(c, "X-Flood-%d: %s\r\n", i, strings.Repeat("x", 100))
		}
		s.requireServes(t)
		if answer, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil { // not reset before it was read
			require.NoError(t, answer.Body.Close())
			require.Equal(t, 431, answer.StatusCode)
		}
	})
	t.Run("a huge body", func(t *testing.T) {
		for _, length := range []string{"Content-Length: 100000000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n"} {
			c := s.dial(t)
			_, err := io.WriteString(c, post+length)
			require.NoError(t, err)
			go func() {
				chunk := "10000\r\n" + strings.Repeat("[[1,2],\n", 1<<13) + "\r\n"
				var err error
				for err == nil {
					_, err = io.WriteString(c, chunk)
				}
			}()
			answer, err := http.ReadResponse(bufio.NewReader(c), nil)
			require.NoError(t, err)
			require.Equal(t, 413, answer.StatusCode)
			require.NoError(t, answer.Body.Close())
			s.requireServes(t)
		}
	})
	t.Run("answers that nobody reads", func(t *testing.T) {
		// Many requests on a connection, until the answers fill what lies between.
		c := s.dial(t)
		stuck := make(chan struct{})
		go func() {
			defer close(stuck)
			var err error
			for err == nil {
				_, err = io.WriteString(c, line+"\r\n")
			}
		}()
		time.Sleep(100 * time.Millisecond)
		for range 3 {
			s.requireServes(t)
		}
		require.NoError(t, c.Close())
		<-stuck
	})
	t.Run("gone in the middle", func(t *testing.T) {
		for range 20 {
			c := s.dial(t).(*net.TCPConn)
			_, err := io.WriteString(c, line+"\r\n")
			require.NoError(t, err)
			require.NoError(t, c.SetLinger(0)) // close by a reset
			require.NoError(t, c.Close())
		}
		s.requireServes(t)
	})
	t.Run("no HTTP", func(t *testing.T) {
		c := s.dial(t)
		_, err := io.WriteString(c, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")
		require.NoError(t, err)
		answer, err := io.ReadAll(c)
		require.NoError(t, err)
		require.Contains(t, string(answer), "400 Bad Request")
		s.requireServes(t)
	})
	s.stop(t)
}

// A data set that is built anew under a running server does not concern it: it goes
// on with what it has mapped, and the next one serves the new one.
func TestBuiltAnewUnderServer(t *testing.T) {
	name := filepath.Join(t.TempDir(), "town")
	build := func(version string) {
		code, _, said := command(t, "build", "--data-version", version, "-o", name, townExtract(t))
		require.Zero(t, code, said)
	}
	build("first")
	s := startServer(t, name)
	_, before := s.get(t, "/route/v1/car"+across+"?overview=full&steps=true")
	require.Contains(t, before, `"first"`)
	for i := range 3 {
		build(fmt.Sprint("later", i))
		_, now := s.get(t, "/route/v1/car"+across+"?overview=full&steps=true")
		require.Equal(t, before, now)
	}
	s.stop(t)
	s = startServer(t, name)
	_, now := s.get(t, "/route/v1/car"+across)
	require.Contains(t, now, `"later2"`)
	s.stop(t)
}
