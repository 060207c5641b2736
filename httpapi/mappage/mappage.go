// Package mappage is the map page: HTML, scripts and style, built in tools/map
// from their sources and from npm packages, whose licenses come along.
//
// The page asks nobody but the server that it is from.
package mappage

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
)

//go:embed dist
var dist embed.FS

// policy lets the page load from its own server alone. MapLibre has its images
// from data and blob URLs.
const policy = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; " +
	"img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

const ending = ".gz"

// kindOf returns the media type of a file.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=UTF-8"
	case ".js":
		return "text/javascript; charset=UTF-8"
	case ".css":
		return "text/css; charset=UTF-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "text/plain; charset=UTF-8"
}

// Page is an http.Handler of the page at / and of its files below /map/. It is
// immutable and safe for concurrent use.
type Page struct {
	files map[string]*file // by path of the URL
}

type file struct {
	kind       string
	tag        string
	compressed []byte // by gzip
}

// New returns the page.
func New() *Page {
	p := &Page{files: map[string]*file{}}
	// Reading what is embedded does not fail.
	list, _ := dist.ReadDir("dist")
	for _, entry := range list {
		base, ok := strings.CutSuffix(entry.Name(), ending)
		if !ok {
			continue
		}
		data, _ := dist.ReadFile("dist/" + entry.Name())
		sum := sha256.Sum256(data)
		url := "/map/" + base
		if base == "index.html" {
			url = "/"
		}
		p.files[url] = &file{kindOf(base), `W/"` + hex.EncodeToString(sum[:12]) + `"`, data}
	}
	return p
}

// Has says whether there is something at a path. A nil Page has nothing.
func (p *Page) Has(path string) bool { return p != nil && p.files[path] != nil }

// ServeHTTP answers with the file at the request's path, compressed if the client
// takes it so.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f := p.files[r.URL.Path]
	if f == nil {
		http.NotFound(w, r)
		return
	}
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-cache") // but to be asked for by its tag
	header.Set("ETag", f.tag)
	header.Set("Vary", "Accept-Encoding")
	if match := r.Header.Get("If-None-Match"); match == f.tag || match == "*" {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Type", f.kind)
	if acceptsGzip(r.Header.Get("Accept-Encoding")) {
		header.Set("Content-Encoding", "gzip")
		header.Set("Content-Length", strconv.Itoa(len(f.compressed)))
		_, _ = w.Write(f.compressed)
		return
	}
	// What is embedded can be read.
	if z, err := gzip.NewReader(bytes.NewReader(f.compressed)); err == nil {
		_, _ = io.Copy(w, z)
	}
}

// acceptsGzip reads the header Accept-Encoding.
func acceptsGzip(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, weighted := strings.CutPrefix(strings.TrimSpace(params), "q=")
			v, err := strconv.ParseFloat(q, 64)
			return !weighted || err == nil && v > 0
		}
	}
	return false
}
