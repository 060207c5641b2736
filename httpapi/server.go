package httpapi

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/fourway-routing/fourway/httpapi/mappage"
	"github.com/fourway-routing/fourway/routing"
)

// Server is an http.Handler of OSRM's interface over one data set or several.
// It is safe for concurrent use.
type Server struct {
	engines     map[string]*routing.Engine
	names       []string // of engines, sorted
	languages   map[string]*routing.Instructions
	opt         Options
	limits      routing.Limits
	queue       *queue
	buffers     sync.Pool // of *buffer
	compressors compressors
	draining    atomic.Bool
	page        *mappage.Page // or nil
}

// Handler returns a Server of one data set, which answers to the profiles
// driving and car and to the name of its own profile.
func Handler(engine *routing.Engine, opt Options) *Server {
	return Mux(map[string]*routing.Engine{"driving": engine, "car": engine, engine.Info().Profile: engine}, opt)
}

// Mux returns a Server of data sets by the names of profiles in URLs.
func Mux(engines map[string]*routing.Engine, opt Options) *Server {
	s := &Server{
		engines:   maps.Clone(engines),
		names:     slices.Sorted(maps.Keys(engines)),
		languages: allInstructions(),
		opt:       opt,
		limits:    opt.limits(),
		queue:     newQueue(opt.running(), opt.waiting()),
	}
	if opt.Map {
		s.page = mappage.New()
	}
	return s
}

// MaxURL returns Options.MaxURL or its default: the size in bytes of the largest
// URL that is answered. http.Server.MaxHeaderBytes must leave room for it.
func (s *Server) MaxURL() int { return s.opt.maxURL() }

// buffer holds an answer while it is written.
type buffer struct {
	body       []byte
	compressed sliceWriter
	flat       *flatbuffers.Builder
}

// keptBuffer is the capacity in bytes up to which a buffer is kept.
const keptBuffer = 4 << 20

func (b *buffer) kept() bool {
	size := cap(b.body) + cap(b.compressed)
	if b.flat != nil {
		size += cap(b.flat.Bytes)
	}
	return size <= keptBuffer
}

// builder returns an empty builder of flatbuffers.
func (b *buffer) builder() *flatbuffers.Builder {
	if b.flat == nil {
		b.flat = flatbuffers.NewBuilder(1 << 10)
	}
	b.flat.Reset()
	return b.flat
}

// exchange is one request on its way through the server.
type exchange struct {
	status int
	kind   contentType
	seen   Observation
	gone   bool   // the client is
	allow  string // methods, if not all that other services take
	query  bool   // in the Overpass language

	values []string // of the header
}

// mostHeaders is the number of header fields that answers have.
const mostHeaders = 11

// set is header.Set of a canonical key, without a list of its own for each value.
func (x *exchange) set(header http.Header, key, value string) {
	if x.values == nil {
		x.values = make([]string, 0, mostHeaders)
	}
	x.values = append(x.values, value)
	last := len(x.values)
	header[key] = x.values[last-1 : last : last]
}

// contentType is what a body holds.
type contentType uint8

const (
	jsonBody contentType = iota
	flatbuffersBody
	tileBody
	geojsonBody
	gpxBody
	htmlBody
)

// String returns the type as the header Content-Type has it.
func (c contentType) String() string {
	switch c {
	case flatbuffersBody:
		return "application/x-flatbuffers;schema=osrm.engine.api.fbresult"
	case tileBody:
		return "application/x-protobuf"
	case htmlBody:
		return "text/html; charset=UTF-8"
	case geojsonBody:
		return "application/geo+json; charset=UTF-8"
	case gpxBody:
		return "application/gpx+xml; charset=UTF-8"
	}
	return "application/json; charset=UTF-8"
}

// fileName returns the name under which browsers keep a body, if it has one.
func (c contentType) fileName() string {
	switch c {
	case jsonBody:
		return "response.json"
	case geojsonBody:
		return "response.geojson"
	case gpxBody:
		return "response.gpx"
	}
	return ""
}

// wholeFrom is the size in bytes from which a body is sent apart from the header:
// somewhat less than net/http's buffer.
const wholeFrom = 2 << 10

const methods = "GET, HEAD, POST, OPTIONS"

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	header := w.Header()
	x := exchange{status: http.StatusOK, seen: Observation{Request: r, Code: "Ok"}}
	x.set(header, "X-Content-Type-Options", "nosniff") // a type is what it says
	if !s.isChange(r.URL.Path) {                       // pages of elsewhere, in the browser of somebody who may, must not
		x.set(header, "Access-Control-Allow-Origin", "*")
		x.set(header, "Access-Control-Allow-Methods", methods)
		x.set(header, "Access-Control-Allow-Headers", "X-Requested-With, Content-Type, Prefer")
	}
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if s.serveStatus(w, r) || s.page != nil && s.serveMap(w, r) {
		return
	}
	b, _ := s.buffers.Get().(*buffer)
	if b == nil {
		b = new(buffer)
	}
	if err := s.answerSafely(w, r, &x, b); err != nil {
		s.refuse(header, r, &x, b, err)
	}
	if x.gone {
		x.seen.Status = http.StatusServiceUnavailable
		w.WriteHeader(x.seen.Status)
	} else {
		s.write(w, r, &x, b)
	}
	if b.kept() {
		s.buffers.Put(b)
	}
	if s.opt.Observe != nil {
		x.seen.Took = time.Since(start)
		s.opt.Observe(x.seen)
	}
}

// write sends b.body.
func (s *Server) write(w http.ResponseWriter, r *http.Request, x *exchange, b *buffer) {
	header := w.Header()
	if x.status == http.StatusNotModified {
		x.seen.Status = x.status
		w.WriteHeader(x.status)
		return
	}
	x.set(header, "Content-Type", x.kind.String())
	if name := x.kind.fileName(); name != "" {
		x.set(header, "Content-Disposition", `inline; filename="`+name+`"`)
	}
	if s.opt.KeepAlive > 0 && r.ProtoMajor == 1 {
		x.set(header, "Keep-Alive", "timeout="+strconv.Itoa(int(s.opt.KeepAlive/time.Second)))
	}
	body := b.body
	if !s.opt.NoCompression {
		x.set(header, "Vary", "Accept-Encoding")
		e := encodingFor(r.Header.Get("Accept-Encoding"))
		if e != identity && len(body) >= compressFrom {
			b.compressed = b.compressed[:0]
			s.compressors.compress(&b.compressed, body, e)
			body = b.compressed
			x.set(header, "Content-Encoding", e.String())
		}
	}
	x.set(header, "Content-Length", strconv.Itoa(len(body)))
	x.seen.Status, x.seen.Bytes = x.status, int64(len(body))
	w.WriteHeader(x.status)
	// net/http would send what fits beside the header first and cut the body
	// there, within a character too, which some clients do not bear.
	if flusher, ok := w.(http.Flusher); ok && len(body) > wholeFrom {
		flusher.Flush()
	}
	// An error means that the client is gone: nobody is left to tell.
	_, _ = w.Write(body)
}

// answer writes the answer to a request to b.body.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, x *exchange, b *buffer) error {
	if profile, ok := interpreterProfile(r.URL.Path); ok && !s.opt.NoInterpreter {
		return s.interpret(w, r, x, b, profile)
	}
	if s.isChange(r.URL.Path) {
		return s.change(w, r, x, b)
	}
	q, engine, err := s.parse(w, r, x)
	if err != nil {
		return err
	}
	if q.flat {
		x.kind = flatbuffersBody
	}
	if q.tag != "" && unchanged(r.Header.Get("If-None-Match"), q.tag) {
		x.status = http.StatusNotModified
		x.cache(w.Header(), q.tag)
		return nil
	}
	if err := s.opt.checkAvoid(q.avoid); err != nil {
		return err
	}
	if len(q.avoid) > 0 {
		q.work += avoidWork
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.opt.timeout(r.Header))
	defer cancel()
	arrived := time.Now()
	long := q.work >= longWork
	lane, err := s.queue.enter(ctx, long)
	x.seen.Waited = time.Since(arrived)
	if err != nil {
		return err
	}
	defer s.queue.leave(lane)
	if long {
		ctx = newPace(ctx, s.queue)
	}
	a, err := q.ask(ctx, engine)
	if err != nil {
		return err
	}
	if q.tile {
		x.kind = tileBody
	}
	if q.kind != jsonBody {
		x.kind = q.kind
	}
	if q.tag != "" {
		x.cache(w.Header(), q.tag)
	}
	if q.flat {
		return renderFlat(b, a)
	}
	a.render(b, false)
	return nil
}

// question is a request that was understood.
type question struct {
	flat bool        // the answer is to be flatbuffers
	tile bool        // the answer is a tile
	kind contentType // of the answer, if it is neither of these
	// tag stands for the answer in the header ETag, if it may be kept by clients.
	tag string
	// avoid is what the request keeps out of.
	avoid []routing.Avoid
	work  int // how much there is to do, in units of a short route
	ask   func(ctx context.Context, e *routing.Engine) (answer, error)
}

// answer is what a service found.
type answer interface {
	// render writes the answer to b.body, in JSON or as flatbuffers.
	render(b *buffer, flat bool)
}

// service understands requests of one kind.
type service struct {
	// get reads a request whose query is text[offset:].
	get func(s *Server, text string, offset int) (question, error)
	// post reads a request in JSON; nil if the service takes none.
	post func(s *Server, body []byte) (question, error)
}

func serviceByName(name string) (service, bool) {
	switch name {
	case "route":
		return service{getRoute, postRoute}, true
	case "table":
		return service{getTable, postTable}, true
	case "match":
		return service{getMatch, postMatch}, true
	case "trip":
		return service{get: getTrip}, true
	case "nearest":
		return service{get: getNearest}, true
	case "tile":
		return service{get: getTile}, true
	case "isochrone":
		return service{get: getIsochrone}, true
	}
	return service{}, false
}

// parse understands a request.
func (s *Server) parse(w http.ResponseWriter, r *http.Request, x *exchange) (q question, e *routing.Engine, err error) {
	post := r.Method == http.MethodPost
	if !post && r.Method != http.MethodGet && r.Method != http.MethodHead {
		return q, nil, fail(codeInvalidMethod, "Method not allowed. Use GET, HEAD, POST, or OPTIONS.")
	}
	url := r.URL.EscapedPath()
	if r.URL.RawQuery != "" || r.URL.ForceQuery {
		url += "?" + r.URL.RawQuery
	}
	if most := s.opt.maxURL(); len(url) > most {
		return q, nil, tooLong("URL", int64(most))
	}
	url = decode(url)
	if !post && s.isMapTile(url) {
		q, e, err = s.parseMap(url, x)
		return q, e, err
	}
	if post && !strings.HasPrefix(strings.ToLower(r.Header.Get("Content-Type")), "application/json") {
		return q, nil, fail(codeInvalidContentType, "POST requests require a Content-Type of application/json.")
	}
	parse := parseURL
	if post {
		parse = parsePrefix
	}
	t, err := parse(url)
	if err != nil {
		return q, nil, err
	}
	x.seen.Service, x.seen.Profile = t.service, t.profile
	service, e, err := s.find(&t)
	if err != nil {
		return q, nil, err
	}
	if !post {
		q, err = service.get(s, url, t.offset)
		return q, e, err
	}
	if service.post == nil {
		return q, nil, fail(routing.ErrNotImplemented, "This service does not support POST requests with a JSON body.")
	}
	if most := s.opt.maxBody(); r.ContentLength > most {
		return q, nil, tooLong("request body", most) // without reading it
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.opt.maxBody()))
	if err != nil {
		if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return q, nil, tooLong("request body", e.Limit)
		}
		return q, nil, fail(routing.ErrInvalidQuery, "The request body ends early: %v", err)
	}
	q, err = service.post(s, body)
	return q, e, err
}

// find returns the service and the data set that a URL names.
func (s *Server) find(t *target) (service, *routing.Engine, error) {
	found, ok := serviceByName(t.service)
	if !ok {
		return found, nil, fail(codeInvalidService, "Service %s not found!", t.service)
	}
	if version, err := strconv.Atoi(t.version); err != nil || version != 1 {
		return found, nil, fail(codeInvalidVersion, "Service %s not found!", t.service)
	}
	e, err := s.engine(t.profile)
	return found, e, err
}

// engine returns the data set of a profile.
func (s *Server) engine(profile string) (*routing.Engine, error) {
	e, ok := s.engines[profile]
	if !ok && s.opt.AnyProfile {
		e, ok = s.engines["driving"]
	}
	if !ok {
		return nil, fail(codeProfileNotFound, "Profile %s not found! There is %s.", profile, strings.Join(s.names, ", "))
	}
	return e, nil
}
