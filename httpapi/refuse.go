package httpapi

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"github.com/fourway-routing/fourway/routing"
)

// codes of the interface that package routing has no use for
const (
	codeInvalidURL         routing.Code = "InvalidUrl"
	codeInvalidService     routing.Code = "InvalidService"
	codeInvalidVersion     routing.Code = "InvalidVersion"
	codeInvalidMethod      routing.Code = "InvalidMethod"
	codeInvalidContentType routing.Code = "InvalidContentType"
	codeInternalError      routing.Code = "InternalError"

	// Of ours: OSRM has no such failures.
	codeProfileNotFound routing.Code = "ProfileNotFound"
	codeTimeout         routing.Code = "Timeout"
	codeOverloaded      routing.Code = "Overloaded"
	// codeGone is seen by Options.Observe alone.
	codeGone = "ClientGone"
)

// retryAfter is told in seconds to a client that was turned away.
const retryAfter = "1"

// tooLongError is a request that exceeds a limit in bytes.
type tooLongError struct {
	what  string
	limit int64
}

func tooLong(what string, limit int64) error { return &tooLongError{what, limit} }

// Error tells what is too long.
func (e *tooLongError) Error() string { return "httpapi: " + e.what + " too long" }

// refuse writes what to tell a client of an error to b.body.
func (s *Server) refuse(header http.Header, r *http.Request, x *exchange, b *buffer, err error) {
	x.seen.Err = err
	if r.Context().Err() != nil {
		x.gone = true
		x.seen.Code = codeGone
		return
	}
	if x.query {
		s.refuseQuery(header, x, b, err)
		return
	}
	e, status := describe(err)
	switch {
	case status == http.StatusMethodNotAllowed:
		header.Set("Allow", cmp.Or(x.allow, methods))
	case e.Code == codeOverloaded:
		header.Set("Retry-After", retryAfter)
	}
	x.status, x.seen.Code = status, string(e.Code)
	if x.kind == flatbuffersBody {
		renderFlatError(b, e)
		return
	}
	b.body = e.AppendJSON(b.body[:0])
}

// describe returns what to tell a client of an error, and the HTTP status.
func describe(err error) (*routing.Error, int) {
	if errors.Is(err, errOverloaded) {
		return fail(codeOverloaded, "Too many requests at once. Try again later."), http.StatusServiceUnavailable
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fail(codeTimeout, "The request took too long."), http.StatusServiceUnavailable
	}
	if e, ok := errors.AsType[*tooLongError](err); ok {
		status := http.StatusRequestEntityTooLarge
		if e.what == "URL" {
			status = http.StatusRequestURITooLong
		}
		return fail(routing.ErrTooBig, "The %s is larger than %d bytes.", e.what, e.limit), status
	}
	if p, ok := errors.AsType[*PanicError](err); ok {
		e := fail(codeInternalError, "Internal Server Error")
		e.Detail = "Failure " + p.ID + "."
		return e, http.StatusInternalServerError
	}
	e, ok := errors.AsType[*routing.Error](err)
	if !ok || e.Code == routing.ErrCorrupt || e.Code == routing.ErrClosed {
		return fail(codeInternalError, "Internal Server Error"), http.StatusInternalServerError
	}
	switch e.Code {
	case codeInvalidMethod:
		return e, http.StatusMethodNotAllowed
	case codeInvalidContentType:
		return e, http.StatusUnsupportedMediaType
	case codeProfileNotFound:
		return e, http.StatusNotFound
	case codeUnauthorized:
		return e, http.StatusUnauthorized
	}
	return e, http.StatusBadRequest
}
