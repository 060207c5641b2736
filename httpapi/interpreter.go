package httpapi

import (
	"context"
	"errors"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/fourway-routing/fourway/routing"
)

// codeNoTags is what Observation has of a query of a data set without tags.
const codeNoTags routing.Code = "NoTags"

const (
	interpreterPrefix = "/api/"
	interpreterSuffix = "interpreter"
)

// interpreterProfile returns the profile of a path that takes queries in the Overpass
// language: /api/interpreter, for which it is empty, or /api/{profile}/interpreter.
func interpreterProfile(path string) (profile string, ok bool) {
	rest, ok := strings.CutPrefix(path, interpreterPrefix)
	if !ok {
		return "", false
	}
	if profile, ok = strings.CutSuffix(rest, interpreterSuffix); !ok {
		return "", false
	}
	if profile == "" {
		return "", true
	}
	profile, ok = strings.CutSuffix(profile, "/")
	return profile, ok && ValidProfile(profile)
}

// interpreterEngine returns the data set that answers queries, and its name.
func (s *Server) interpreterEngine(profile string) (*routing.Engine, string, error) {
	if profile == "" {
		profile = s.opt.Interpreter
	}
	if profile == "" {
		if profile = "driving"; s.engines[profile] == nil && len(s.names) > 0 {
			profile = s.names[0]
		}
	}
	e, ok := s.engines[profile]
	if !ok {
		return nil, profile, fail(codeProfileNotFound, "Profile %s not found! There is %s.", profile, strings.Join(s.names, ", "))
	}
	return e, profile, nil
}

// interpret writes the answer to a query in the Overpass language to b.body.
func (s *Server) interpret(w http.ResponseWriter, r *http.Request, x *exchange, b *buffer, profile string) error {
	x.query = true
	x.seen.Service = "interpreter"
	engine, name, err := s.interpreterEngine(profile)
	x.seen.Profile = name
	if err != nil {
		return err
	}
	text, err := s.queryText(w, r)
	if err != nil {
		return err
	}
	query, err := routing.ParseOverpass(text)
	if err != nil {
		return err
	}
	limit := s.opt.timeout(r.Header)
	if query.Timeout > 0 {
		limit = min(query.Timeout, MaxTimeout)
	}
	ctx, cancel := context.WithTimeout(r.Context(), limit)
	defer cancel()
	long := !query.Light()
	arrived := time.Now()
	lane, err := s.queue.enter(ctx, long)
	x.seen.Waited = time.Since(arrived)
	if err != nil {
		return err
	}
	defer s.queue.leave(lane)
	if long {
		ctx = newPace(ctx, s.queue)
	}
	b.body, err = routing.AppendOverpass(ctx, engine, b.body[:0], query, s.opt.Lookup)
	return err
}

// queryText returns the text of a query: the parameter data of the URL or of a form,
// or else the body as it is.
func (s *Server) queryText(w http.ResponseWriter, r *http.Request) (string, error) {
	post := r.Method == http.MethodPost
	if !post && r.Method != http.MethodGet && r.Method != http.MethodHead {
		return "", fail(codeInvalidMethod, "Method not allowed. Use GET, HEAD, POST, or OPTIONS.")
	}
	if most := s.opt.maxURL(); len(r.URL.Path)+len(r.URL.RawQuery) > most {
		return "", tooLong("URL", int64(most))
	}
	if text, ok, err := formValue(r.URL.RawQuery, "data"); ok || err != nil || !post {
		return text, err
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.opt.maxBody()))
	if err != nil {
		if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return "", tooLong("request body", e.Limit)
		}
		return "", fail(routing.ErrInvalidQuery, "The request body ends early: %v", err)
	}
	if text, ok, err := formValue(string(body), "data"); ok || err != nil {
		return text, err
	}
	return string(body), nil
}

// formValue returns the value of the first field of a form that has a name.
func formValue(form, name string) (value string, ok bool, err error) {
	for form != "" {
		var field string
		field, form, _ = strings.Cut(form, "&")
		raw, ok := strings.CutPrefix(field, name)
		if !ok {
			continue
		}
		if raw, ok = strings.CutPrefix(raw, "="); !ok {
			continue
		}
		if value, err = url.QueryUnescape(raw); err != nil {
			return "", false, fail(routing.ErrInvalidQuery, "The parameter %s is not encoded as forms are: %v", name, err)
		}
		return value, true, nil
	}
	return "", false, nil
}

// refusalPolicy lets the page of refuseQuery do nothing but have a color.
const refusalPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// refuseQuery writes what to tell a client of a query that failed to b.body, as
// Overpass servers do: a page whose messages programs find.
func (s *Server) refuseQuery(header http.Header, x *exchange, b *buffer, err error) {
	x.kind = htmlBody
	x.set(header, "Content-Security-Policy", refusalPolicy)
	var message string
	if e, ok := errors.AsType[*routing.OverpassError](err); ok {
		x.status, x.seen.Code, message = http.StatusBadRequest, string(routing.ErrInvalidQuery), e.Error()
	} else {
		e, status := describe(err)
		message = e.Message
		switch {
		case e.Code == codeOverloaded:
			status = http.StatusTooManyRequests
			header.Set("Retry-After", retryAfter)
		case e.Code == codeTimeout:
			status = http.StatusGatewayTimeout
		case e.Code == routing.ErrNotImplemented:
			e.Code, status = codeNoTags, http.StatusNotFound
		case status == http.StatusMethodNotAllowed:
			header.Set("Allow", methods)
		}
		if e.Detail != "" {
			message += " " + e.Detail
		}
		x.status, x.seen.Code = status, string(e.Code)
	}
	b.body = append(b.body[:0], "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Fourway: error</title></head>\n<body>\n<p><strong style=\"color:#FF0000\">Error</strong>: "...)
	b.body = append(b.body, html.EscapeString(message)...)
	b.body = append(b.body, " </p>\n</body>\n</html>\n"...)
}
