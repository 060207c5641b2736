package httpapi

import (
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// compressFrom is the size in bytes from which an answer is compressed: below
// it, the answer fits one packet anyway.
const compressFrom = 1024

// encoding is a content encoding of HTTP.
type encoding int

const (
	identity encoding = iota
	gzipped
	deflated
)

// String returns the encoding's name in HTTP.
func (e encoding) String() string {
	switch e {
	case gzipped:
		return "gzip"
	case deflated:
		return "deflate"
	}
	return "identity"
}

// encodingFor chooses the encoding of an answer by the header Accept-Encoding.
func encodingFor(accept string) encoding {
	best := identity
	for part := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(part, ";")
		if q, ok := strings.CutPrefix(strings.TrimSpace(params), "q="); ok {
			if v, err := strconv.ParseFloat(q, 64); err != nil || v == 0 {
				continue
			}
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip", "x-gzip", "*":
			return gzipped
		case "deflate":
			best = deflated
		}
	}
	return best
}

// compressors keeps writers, whose tables are large, for reuse.
type compressors struct {
	gzip, flate sync.Pool
}

// compress appends body, compressed, to dst.
func (c *compressors) compress(dst *sliceWriter, body []byte, e encoding) {
	var w interface {
		io.WriteCloser
		Reset(io.Writer)
	}
	pool := &c.gzip
	if e == deflated {
		pool = &c.flate
	}
	switch kept := pool.Get().(type) {
	case *gzip.Writer:
		w = kept
	case *flate.Writer:
		w = kept
	default:
		// The level is valid, so there is no error.
		if e == deflated {
			w, _ = flate.NewWriter(nil, flate.BestSpeed)
		} else {
			w, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed)
		}
	}
	w.Reset(dst)
	// Writing to memory does not fail.
	_, _ = w.Write(body)
	_ = w.Close()
	pool.Put(w)
}

// sliceWriter appends what is written to it.
type sliceWriter []byte

func (s *sliceWriter) Write(p []byte) (int, error) {
	*s = append(*s, p...)
	return len(p), nil
}
