package replay

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Request is one of a log.
type Request struct {
	Line int // in the log, from 1
	// At is the time since the first request of the log, never less than that
	// of the request before; 0 where the log tells no times.
	At   time.Duration
	Path string // with the query, and without the host
}

// Reader reads a log, which has lines of these kinds:
//
//	3600.250 /route/v1/driving/…           seconds since any moment, and a path
//	/route/v1/driving/…                    a path or URL alone
//	time=… msg=request method=GET uri=…    what "fourway serve --access-log" writes
//	… 30-11-2026 17:31:18 … /route/…       what osrm-routed writes
//
// Empty lines and those that start with # are left out, and so, counted, are
// requests of the last two kinds that are no GET of a service, and lines of other
// kinds, which logs have between.
//
// A Reader belongs to one goroutine.
type Reader struct {
	name  string
	lines *bufio.Scanner
	line  int
	// first is the moment that times count from, and last the last one.
	started     bool
	first, last time.Duration
	skipped     int
}

// longest is the size in bytes of the longest line.
const longest = 1 << 20

// NewReader reads a log that errors call by the name.
func NewReader(r io.Reader, name string) *Reader {
	s := bufio.NewScanner(r)
	s.Buffer(nil, longest)
	return &Reader{name: name, lines: s}
}

// Skipped returns the number of lines left out, without empty lines and comments.
func (r *Reader) Skipped() int { return r.skipped }

// Next returns the next request, or io.EOF behind the last. A line that is of one of
// the kinds but cannot be read is an error that names it, and so is a log without
// requests.
func (r *Reader) Next() (Request, error) {
	for r.lines.Scan() {
		r.line++
		line := bytes.TrimSpace(r.lines.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		at, path, err := parse(string(line))
		if err != nil {
			if errors.Is(err, errOther) {
				r.skipped++
				continue
			}
			return Request{}, fmt.Errorf("replay: %s:%d: %w", r.name, r.line, err)
		}
		if !r.started {
			r.started, r.first = true, at
		}
		r.last = max(r.last, at-r.first)
		return Request{Line: r.line, At: r.last, Path: path}, nil
	}
	if err := r.lines.Err(); err != nil {
		return Request{}, fmt.Errorf("replay: %s:%d: %w", r.name, r.line+1, err)
	}
	if !r.started && r.skipped > 0 {
		return Request{}, fmt.Errorf("replay: %s: none of %d lines is a request, want seconds and a path, or a log of requests", r.name, r.line)
	}
	return Request{}, io.EOF
}

// errOther is the error of lines that are left out.
var errOther = errors.New("no request of a service")

// parse reads a line. Times of different kinds count from different moments.
func parse(line string) (at time.Duration, path string, err error) {
	head, rest, _ := strings.Cut(line, " ")
	if strings.HasPrefix(head, "/") || strings.Contains(head, "://") {
		path, err = pathOf(line)
		return 0, path, err
	}
	if s, err := strconv.ParseFloat(head, 64); err == nil {
		if !(s >= 0 && s < 1e9) {
			return 0, "", fmt.Errorf("time is %s seconds, want 0 to 1e9", head)
		}
		path, err = pathOf(strings.TrimSpace(rest))
		return time.Duration(s * float64(time.Second)), path, err
	}
	if strings.HasPrefix(head, "time=") {
		return parseAccess(line)
	}
	return parseRouted(line)
}

// pathOf checks a path, and takes the host off a URL.
func pathOf(s string) (string, error) {
	if _, rest, ok := strings.Cut(s, "://"); ok && !strings.HasPrefix(s, "/") {
		slash := strings.IndexByte(rest, '/')
		if slash < 0 {
			return "", errors.New("the URL has no path")
		}
		s = rest[slash:]
	}
	if !strings.HasPrefix(s, "/") {
		return "", fmt.Errorf("%s is no path, want one that starts with /", strconv.Quote(clip(s)))
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] == 0x7f {
			return "", fmt.Errorf("the path has a space or a control character at byte %d", i)
		}
	}
	return s, nil
}

// clip shortens what is shown in an error.
func clip(s string) string {
	const most = 60
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// service says whether a path is that of a service.
func service(path string) bool { return strings.Contains(path, "/v1/") }

// parseAccess reads a line of the access log, which has key=value pairs, values
// being quoted where they need to be.
func parseAccess(line string) (at time.Duration, path string, err error) {
	var moment time.Time
	request := false
	for rest := line; rest != ""; rest = strings.TrimLeft(rest, " ") {
		key, value, ok := strings.Cut(rest, "=")
		if !ok {
			return 0, "", fmt.Errorf("%s has no value", strconv.Quote(clip(rest)))
		}
		if strings.HasPrefix(value, `"`) {
			quoted, err := strconv.QuotedPrefix(value)
			if err != nil {
				return 0, "", fmt.Errorf("value of %s: %w", clip(key), err)
			}
			rest = value[len(quoted):]
			if value, err = strconv.Unquote(quoted); err != nil {
				return 0, "", fmt.Errorf("value of %s: %w", clip(key), err)
			}
		} else {
			value, rest, _ = strings.Cut(value, " ")
		}
		switch key {
		case "time":
			if moment, err = time.Parse(time.RFC3339Nano, value); err != nil {
				return 0, "", err
			}
		case "msg":
			request = value == "request"
		case "method":
			request = request && value == "GET"
		case "uri":
			path = value
		}
	}
	if !request || !service(path) {
		return 0, "", errOther
	}
	path, err = pathOf(path)
	return sinceEpoch(moment), path, err
}

// parseRouted reads a line of osrm-routed: somewhere date and time, and the path at
// the end.
func parseRouted(line string) (at time.Duration, path string, err error) {
	fields := strings.Fields(line)
	last := fields[len(fields)-1]
	for i := range len(fields) - 1 {
		moment, err := time.Parse("02-01-2006 15:04:05", fields[i]+" "+fields[i+1])
		if err != nil {
			continue
		}
		if !service(last) {
			return 0, "", errOther
		}
		path, err = pathOf(last)
		return sinceEpoch(moment), path, err
	}
	return 0, "", errOther
}

func sinceEpoch(t time.Time) time.Duration { return time.Duration(t.UnixNano()) }
