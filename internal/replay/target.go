package replay

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
)

// Outcome is what became of a request.
type Outcome uint8

const (
	// Answered is an answer of status 200.
	Answered Outcome = iota
	// Unanswered is an answer that says that the places have no route, or none
	// near them.
	Unanswered
	// Failed is anything else.
	Failed
)

// Asker asks one request after the other. It belongs to one goroutine.
type Asker interface {
	// Ask asks for a path and returns the outcome and the size of the body. The
	// error tells why it is Failed.
	Ask(ctx context.Context, path string) (Outcome, int64, error)
}

// Target makes Askers, one for each worker.
type Target func() Asker

// InProcess asks a handler.
func InProcess(h http.Handler) Target {
	return func() Asker { return &handlerAsker{handler: h, header: http.Header{}} }
}

// handlerAsker is the http.ResponseWriter of its requests.
type handlerAsker struct {
	handler http.Handler
	header  http.Header
	status  int
	size    int64
	start   []byte // of the body
}

func (a *handlerAsker) Header() http.Header { return a.header }

func (a *handlerAsker) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *handlerAsker) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.size += int64(len(b))
	a.start = append(a.start, b[:min(len(b), startSize-len(a.start))]...)
	return len(b), nil
}

// Ask implements Asker.
func (a *handlerAsker) Ask(ctx context.Context, path string) (Outcome, int64, error) {
	clear(a.header)
	a.status, a.size, a.start = 0, 0, a.start[:0]
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, path, nil)
	if err != nil {
		return Failed, 0, err
	}
	r.RequestURI = path
	a.handler.ServeHTTP(a, r)
	outcome, err := judge(a.status, a.start)
	return outcome, a.size, err
}

// OverHTTP asks a server at a URL without path, with a client that keeps as many
// connections as there are workers.
func OverHTTP(client *http.Client, url string) Target {
	return func() Asker { return &webAsker{client: client, url: url} }
}

type webAsker struct {
	client *http.Client
	url    string
	start  [startSize]byte
}

// Ask implements Asker.
func (a *webAsker) Ask(ctx context.Context, path string) (Outcome, int64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.url+path, nil)
	if err != nil {
		return Failed, 0, err
	}
	res, err := a.client.Do(r)
	if err != nil {
		return Failed, 0, err
	}
	n, err := io.ReadFull(res.Body, a.start[:])
	size := int64(n)
	if err == nil {
		var more int64
		more, err = io.Copy(io.Discard, res.Body)
		size += more
	} else if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil // a body shorter than that
	}
	if closing := res.Body.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return Failed, size, err
	}
	outcome, err := judge(res.StatusCode, a.start[:n])
	return outcome, size, err
}

// startSize is how much of a body is looked at for its code, which comes first.
const startSize = 512

// judge tells the outcome by status and code.
func judge(status int, body []byte) (Outcome, error) {
	if status == http.StatusOK {
		return Answered, nil
	}
	_, rest, _ := bytes.Cut(body, []byte(`"code":"`))
	code, _, _ := bytes.Cut(rest, []byte(`"`))
	switch string(code) {
	case "NoRoute", "NoSegment", "NoMatch", "NoTrips", "NoTable":
		return Unanswered, nil
	}
	return Failed, fmt.Errorf("status %d, code %s", status, code)
}
