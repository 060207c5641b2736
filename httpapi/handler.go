package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/fourway-routing/fourway/routing"
)

// Handler returns a handler that serves engine.
func Handler(engine *routing.Engine, opt Options) http.Handler {
	return &handler{
		engine:   engine,
		opt:      opt,
		limits:   opt.limits(),
		services: services(),
	}
}

type handler struct {
	engine      *routing.Engine
	opt         Options
	limits      routing.Limits
	services    map[string]service
	buffers     sync.Pool // of *buffer
	compressors compressors
}

// service answers one kind of request.
type service struct {
	// get answers a request whose query is text[offset:].
	get func(ctx context.Context, h *handler, text string, offset int) (answer, error)
	// post answers a request in JSON; nil if the service takes none.
	post func(ctx context.Context, h *handler, body []byte) (answer, error)
}

// answer is what a service found.
type answer interface {
	AppendJSON(dst []byte) []byte
}

func services() map[string]service {
	absent := service{get: func(context.Context, *handler, string, int) (answer, error) {
		return nil, fail(routing.ErrNotImplemented, "The service is not available.")
	}}
	return map[string]service{
		"route":   {getRoute, postRoute},
		"nearest": {get: getNearest},
		"table":   absent,
		"trip":    absent,
		"match":   absent,
		"tile":    absent,
	}
}

// buffer holds an answer while it is written.
type buffer struct {
	body       []byte
	compressed sliceWriter
}

// keptBuffer is the capacity in bytes up to which a buffer is kept.
const keptBuffer = 4 << 20

// ServeHTTP answers one request.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS")
	header.Set("Access-Control-Allow-Headers", "X-Requested-With, Content-Type")
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	b, _ := h.buffers.Get().(*buffer)
	if b == nil {
		b = new(buffer)
	}
	status := http.StatusOK
	a, err := h.answer(w, r)
	switch {
	case err == nil:
		b.body = a.AppendJSON(b.body[:0])
	case r.Context().Err() != nil:
		// The client is gone, or the server has no time left for it.
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	default:
		var e *routing.Error
		e, status = describe(err)
		if status == http.StatusMethodNotAllowed {
			header.Set("Allow", "GET, HEAD, POST, OPTIONS")
		}
		b.body = e.AppendJSON(b.body[:0])
	}
	h.write(w, r, b, status)
	if cap(b.body)+cap(b.compressed) <= keptBuffer {
		h.buffers.Put(b)
	}
}

// write sends b.body.
func (h *handler) write(w http.ResponseWriter, r *http.Request, b *buffer, status int) {
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=UTF-8")
	header.Set("Content-Disposition", `inline; filename="response.json"`)
	body := b.body
	if !h.opt.NoCompression {
		header.Set("Vary", "Accept-Encoding")
		e := encodingFor(r.Header.Get("Accept-Encoding"))
		if e != identity && len(body) >= compressFrom {
			b.compressed = b.compressed[:0]
			h.compressors.compress(&b.compressed, body, e)
			body = b.compressed
			header.Set("Content-Encoding", e.String())
		}
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	// An error means that the client is gone: nobody is left to tell.
	_, _ = w.Write(body)
}

// answer finds the service of a request and runs it.
func (h *handler) answer(w http.ResponseWriter, r *http.Request) (answer, error) {
	url := r.URL.EscapedPath()
	if r.URL.RawQuery != "" || r.URL.ForceQuery {
		url += "?" + r.URL.RawQuery
	}
	url = decode(url)
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		t, err := parseURL(url)
		if err != nil {
			return nil, err
		}
		s, err := h.service(&t)
		if err != nil {
			return nil, err
		}
		return s.get(r.Context(), h, url, t.offset)
	case http.MethodPost:
		if kind := r.Header.Get("Content-Type"); !strings.HasPrefix(strings.ToLower(kind), "application/json") {
			return nil, fail(codeInvalidContentType, "POST requests require a Content-Type of application/json.")
		}
		t, err := parsePrefix(url)
		if err != nil {
			return nil, err
		}
		s, err := h.service(&t)
		if err != nil {
			return nil, err
		}
		if s.post == nil {
			return nil, fail(routing.ErrNotImplemented, "This service does not support POST requests with a JSON body.")
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.opt.maxBody()))
		if err != nil {
			if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
				return nil, fail(codeBodyTooBig, "The request body is larger than %d bytes.", e.Limit)
			}
			return nil, fail(routing.ErrInvalidQuery, "The request body ends early: %v", err)
		}
		return s.post(r.Context(), h, body)
	}
	return nil, fail(codeInvalidMethod, "Method not allowed. Use GET, HEAD, POST, or OPTIONS.")
}

func (h *handler) service(t *target) (service, error) {
	s, ok := h.services[t.service]
	if !ok {
		return s, fail(codeInvalidService, "Service %s not found!", t.service)
	}
	if version, err := strconv.Atoi(t.version); err != nil || version != 1 {
		return s, fail(codeInvalidVersion, "Service %s not found!", t.service)
	}
	return s, nil
}

// describe returns what to tell a client of an error, and the HTTP status.
func describe(err error) (*routing.Error, int) {
	e, ok := errors.AsType[*routing.Error](err)
	if !ok || e.Code == routing.ErrCorrupt || e.Code == routing.ErrClosed {
		return fail(codeInternalError, "Internal Server Error"), http.StatusInternalServerError
	}
	switch e.Code {
	case codeInvalidMethod:
		return e, http.StatusMethodNotAllowed
	case codeInvalidContentType:
		return e, http.StatusUnsupportedMediaType
	case codeBodyTooBig:
		return fail(routing.ErrTooBig, "%s", e.Message), http.StatusRequestEntityTooLarge
	}
	return e, http.StatusBadRequest
}

func getRoute(ctx context.Context, h *handler, text string, offset int) (answer, error) {
	r, err := parseRoute(text, offset)
	return h.route(ctx, &r, err)
}

func postRoute(ctx context.Context, h *handler, body []byte) (answer, error) {
	r, err := routeOfBody(body)
	return h.route(ctx, &r, err)
}

// route answers a request that was parsed with an error or none.
func (h *handler) route(ctx context.Context, r *routing.RouteRequest, err error) (answer, error) {
	if err != nil {
		return nil, err
	}
	if err := h.limits.CheckRoute(r); err != nil {
		return nil, err
	}
	if h.opt.DefaultRadius > 0 {
		if r.Radiuses == nil {
			r.Radiuses = make([]float64, len(r.Coordinates))
		}
		for i, meters := range r.Radiuses {
			if meters == 0 {
				r.Radiuses[i] = h.opt.DefaultRadius
			}
		}
	}
	return routing.Route(ctx, h.engine, *r)
}

func getNearest(ctx context.Context, h *handler, text string, offset int) (answer, error) {
	r, err := parseNearest(text, offset)
	if err != nil {
		return nil, err
	}
	if err := h.limits.CheckNearest(&r); err != nil {
		return nil, err
	}
	if r.Radius == 0 {
		r.Radius = h.opt.DefaultRadius
	}
	return routing.Nearest(ctx, h.engine, r)
}
