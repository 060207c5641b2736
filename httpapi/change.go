package httpapi

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/fourway-routing/fourway/routing"
)

// standardUpdateBody is the default of Options.MaxUpdateBody.
const standardUpdateBody = 16 << 20

// codeUnauthorized: the request changes something and does not carry the token.
const codeUnauthorized routing.Code = "Unauthorized"

// change is a request that changes a data set, or asks for what was changed.
type change struct {
	service, profile string
	rest             string // of the path behind the profile
	query            url.Values
	engine           *routing.Engine
	body             io.Reader
	kind             string // of the body
}

// isChange says whether a path is that of a service that changes something, and these
// are allowed.
func (s *Server) isChange(path string) bool {
	return s.opt.AllowUpdates && (strings.HasPrefix(path, "/update/") || strings.HasPrefix(path, "/closure/"))
}

// change answers a request that isChange knows.
func (s *Server) change(w http.ResponseWriter, r *http.Request, x *exchange, b *buffer) error {
	x.allow = "POST"
	if strings.HasPrefix(r.URL.Path, "/closure/") {
		x.allow = "GET, POST, DELETE"
	}
	c, err := s.parseChange(w, r, x)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.opt.timeout(r.Header))
	defer cancel()
	do := c.update
	switch {
	case c.service == "update" && r.Method == http.MethodPost:
	case c.service == "closure" && r.Method == http.MethodPost:
		do = c.closeRoads
	case c.service == "closure" && r.Method == http.MethodDelete:
		do = c.openRoads
	case c.service == "closure" && r.Method == http.MethodGet:
		do = c.closures
	default:
		return fail(codeInvalidMethod, "Method not allowed. Use %s.", x.allow)
	}
	// It reads the body first, so that slow clients keep nobody waiting.
	run, err := do()
	if err != nil {
		if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return tooLong("request body", e.Limit)
		}
		return err
	}
	lane, err := s.queue.enter(ctx, true)
	if err != nil {
		return err
	}
	defer s.queue.leave(lane)
	answer, err := run(ctx)
	if err != nil {
		return err
	}
	b.body, err = json.Marshal(answer)
	return err
}

// parseChange takes a request apart, and refuses those that may change nothing.
func (s *Server) parseChange(w http.ResponseWriter, r *http.Request, x *exchange) (*change, error) {
	if !authorized(r, s.opt.UpdateToken) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		return nil, fail(codeUnauthorized, "The request needs the token of this server in the header Authorization.")
	}
	if most := s.opt.maxURL(); len(r.RequestURI) > most {
		return nil, tooLong("URL", int64(most))
	}
	// The path is /service/v1/profile or /service/v1/profile/rest.
	parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/"), "/", 4)
	c := &change{service: parts[0]}
	if len(parts) < 2 || parts[1] != "v1" {
		return nil, fail(codeInvalidVersion, "Service %s not found!", c.service)
	}
	if len(parts) > 2 {
		c.profile = parts[2]
	}
	if len(parts) > 3 {
		c.rest = parts[3]
	}
	x.seen.Service, x.seen.Profile = c.service, c.profile
	var err error
	if c.query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		return nil, fail(codeInvalidURL, "The query cannot be read: %v", err)
	}
	if c.engine, err = s.engine(c.profile); err != nil {
		return nil, err
	}
	c.kind, _, _ = mime.ParseMediaType(r.Header.Get("Content-Type"))
	most := s.opt.MaxUpdateBody
	if most <= 0 {
		most = standardUpdateBody
	}
	if r.ContentLength > most {
		return nil, tooLong("request body", most)
	}
	c.body = http.MaxBytesReader(w, r.Body, most)
	return c, nil
}

// authorized says whether a request carries the token, in a time that does not tell
// how much of it is right.
func authorized(r *http.Request, token string) bool {
	if token == "" {
		return true
	}
	kind, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(kind, "Bearer") && subtle.ConstantTimeCompare([]byte(strings.TrimSpace(given)), []byte(token)) == 1
}

// only refuses options that are not among some, and those that come twice.
func (c *change) only(known ...string) error {
	for name, values := range c.query {
		if len(values) > 1 {
			return fail(routing.ErrInvalidOptions, "An option comes %d times.", len(values))
		}
		found := false
		for _, k := range known {
			found = found || k == name
		}
		if !found {
			return fail(routing.ErrInvalidOptions, "Unknown option; want %s.", oneOfNames(known))
		}
	}
	return nil
}

func oneOfNames(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// flag reads an option that is true or false.
func (c *change) flag(name string) (bool, error) {
	switch c.query.Get(name) {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, fail(routing.ErrInvalidOptions, "%s is true or false.", name)
}

// text reads a body whole.
func (c *change) text() ([]byte, error) {
	data, err := io.ReadAll(c.body)
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return nil, err
		}
		return nil, fail(routing.ErrInvalidQuery, "The request body ends early: %v", err)
	}
	return data, nil
}
