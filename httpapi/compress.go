package httpapi

import (
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
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
	// What is said of an encoding, by name and by "*": a name counts more.
	var named, allowed [deflated + 1]bool
	others := false
	for part := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(part, ";")
		welcome := true
		if q, ok := strings.CutPrefix(strings.TrimSpace(params), "q="); ok {
			v, err := strconv.ParseFloat(q, 64)
			welcome = err == nil && v > 0
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip", "x-gzip":
			named[gzipped], allowed[gzipped] = true, welcome
		case "deflate":
			named[deflated], allowed[deflated] = true, welcome
		case "*":
			others = welcome
		}
	}
	for _, e := range []encoding{gzipped, deflated} {
		if allowed[e] || others && !named[e] {
			return e
		}
	}
	return identity
}

// compressors keeps writers, whose tables are large, for reuse.
type compressors struct {
	gzip, zlib sync.Pool
}

// compress appends body, compressed, to dst.
func (c *compressors) compress(dst *sliceWriter, body []byte, e encoding) {
	var w interface {
		io.WriteCloser
		Reset(io.Writer)
	}
	pool := &c.gzip
	if e == deflated {
		pool = &c.zlib
	}
	switch kept := pool.Get().(type) {
	case *gzip.Writer:
		w = kept
	case *zlib.Writer:
		w = kept
	default:
		// The level is valid, so there is no error.
		if e == deflated {
			w, _ = zlib.NewWriterLevel(nil, zlib.BestSpeed)
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
