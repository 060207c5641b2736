package main

import (
	"errors"
	"io"
	"log/slog"

	"github.com/fourway-routing/fourway/httpapi"
)

// requestLog writes lines about requests. It is safe for concurrent use.
type requestLog struct {
	log *slog.Logger
	all bool // requests, not only those with an InternalError
}

func newRequestLog(w io.Writer, all bool) *requestLog {
	return &requestLog{slog.New(slog.NewTextHandler(w, nil)), all}
}

// request writes a line. Clients are not told what an InternalError was, so that
// it is written always.
func (l *requestLog) request(o *httpapi.Observation) {
	failed := o.Code == "InternalError"
	if !failed && !l.all {
		return
	}
	r := o.Request
	level := slog.LevelInfo
	attributes := []slog.Attr{
		slog.String("remote", r.RemoteAddr), slog.String("method", r.Method), slog.String("uri", r.RequestURI),
		slog.Int("status", o.Status), slog.String("code", o.Code), slog.Int64("bytes", o.Bytes),
		slog.Duration("waited", o.Waited), slog.Duration("took", o.Took),
		slog.String("agent", r.UserAgent()),
	}
	if o.Err != nil {
		attributes = append(attributes, slog.Any("error", o.Err))
	}
	if p, ok := errors.AsType[*httpapi.PanicError](o.Err); ok {
		attributes = append(attributes, slog.String("stack", string(p.Stack)))
	}
	if failed {
		level = slog.LevelError
	}
	l.log.LogAttrs(r.Context(), level, "request", attributes...)
}
