package suite

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"

	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/internal/workload"
)

// web is a server on the loopback interface, and a client of it.
type web struct {
	server *http.Server
	client *http.Client
	url    string
	served chan struct{} // closed when the server has ended
	body   bytes.Buffer
}

func serve(handler http.Handler) (*web, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w := &web{
		server: &http.Server{Handler: handler},
		client: &http.Client{Transport: &http.Transport{DisableCompression: true}},
		url:    "http://" + listener.Addr().String(),
		served: make(chan struct{}),
	}
	go func() {
		defer close(w.served)
		_ = w.server.Serve(listener) // ends by close
	}()
	return w, nil
}

func (w *web) close() {
	w.client.CloseIdleConnections()
	_ = w.server.Close()
	<-w.served
}

// get fills w.body.
func (w *web) get(ctx context.Context, path string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url+path, nil)
	if err != nil {
		return err
	}
	res, err := w.client.Do(r)
	if err != nil {
		return err
	}
	w.body.Reset()
	_, err = w.body.ReadFrom(res.Body)
	if closing := res.Body.Close(); err == nil {
		err = closing
	}
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("suite: %s: %s: %s", path, res.Status, w.body.Bytes())
	}
	return err
}

// askWeb asks the requests of a shape over HTTP by turns, on one connection.
func (s *Suite) askWeb(ctx context.Context, r *Running, v variant, shape workload.Shape) error {
	set, e, err := s.prepare(ctx, r, v, shape)
	if err != nil {
		return err
	}
	paths := make([]string, len(set.Queries))
	for i, q := range set.Queries {
		paths[i] = string(q.AppendPath(nil, "driving"))
	}
	w, err := serve(httpapi.Handler(e, httpapi.Options{}))
	if err != nil {
		return err
	}
	r.onClose(func() error { w.close(); return nil })
	for i := range min(verified, len(paths)) {
		if err := w.get(ctx, paths[i]); err != nil {
			return err
		}
		if err := set.VerifyJSON(i, w.body.Bytes()); err != nil {
			return err
		}
	}
	i := -1
	r.Do = func() error {
		i++
		return w.get(ctx, paths[i%len(paths)])
	}
	return nil
}
