package osrm

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/fourway-routing/fourway/httpapi"
)

// maxLoggedBody bounds what is logged of the body of a request, in bytes.
const maxLoggedBody = 1 << 20

// recordedBody is the body of a request, which remembers what was read of it.
type recordedBody struct {
	io.ReadCloser
	read []byte
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read = append(b.read, p[:min(n, maxLoggedBody-len(b.read))]...)
	return n, err
}

// recording lets access see the bodies of requests.
func (s *server) recording(next http.Handler) http.Handler {
	if s.silent || s.log.level < levelInfo {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			r.Body = &recordedBody{ReadCloser: r.Body}
		}
		next.ServeHTTP(w, r)
	})
}

// access logs a request as OSRM does: when it ended, how long it took, from where,
// the page that led to it, the program, the status of HTTP, the URL, and a body, so
// that the request can be made again.
func (s *server) access(o httpapi.Observation) {
	if o.Code == "InternalError" {
		s.log.warnf("[server error] %v, uri: %s", o.Err, o.Request.RequestURI)
	}
	if s.silent {
		return
	}
	r := o.Request
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	body := ""
	if recorded, ok := r.Body.(*recordedBody); ok && len(recorded.read) > 0 {
		body = " " + oneLine(recorded.read)
	}
	s.log.infof("%s %gms %s %s %s %d %s%s", time.Now().Format("02-01-2006 15:04:05"),
		float64(o.Took.Microseconds())/1000, host, dash(r.Referer()), dash(r.UserAgent()), o.Status, r.RequestURI, body)
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return escape(s)
}

// oneLine returns JSON without white space between its parts; of what is no JSON,
// the text.
func oneLine(text []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, text) == nil {
		return b.String()
	}
	return escape(string(text))
}

// escape keeps clients from making lines of their own.
func escape(s string) string {
	quoted := strconv.Quote(s)
	return quoted[1 : len(quoted)-1]
}
