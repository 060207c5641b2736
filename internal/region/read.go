package region

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ReadError tells what is wrong with a GeoJSON file.
type ReadError struct {
	Path string
	// Feature is the number of the feature at fault, from 1, or 0.
	Feature int
	// Offset is where in the file, in bytes.
	Offset int64
	Err    error
}

// Error tells where in the file the fault is.
func (e *ReadError) Error() string {
	place, what := "", e.Err.Error()
	if e.Feature != 0 {
		place = fmt.Sprintf(", feature %d", e.Feature)
	}
	if errors.Is(e.Err, io.EOF) || errors.Is(e.Err, io.ErrUnexpectedEOF) {
		what = "the file ends too early"
	}
	return fmt.Sprintf("region: %s malformed at byte %d%s: %s", e.Path, e.Offset, place, what)
}

// Unwrap returns what is wrong.
func (e *ReadError) Unwrap() error { return e.Err }

var (
	errCollection = errors.New("a FeatureCollection is expected")
	errFeature    = errors.New("a Feature is expected")
	errGeometry   = errors.New("a feature needs a geometry with type and coordinates")
	errProperties = errors.New("properties are an object")
	errPosition   = errors.New("a position is a longitude and a latitude in degrees")
	errRing       = errors.New("a ring has at least three corners")
	errArray      = errors.New("coordinates are lists of lists of positions")
)

// Read adds the polygons and multipolygons of a FeatureCollection; other geometries
// are skipped. The name is for errors, which are of type *ReadError but for those of
// src. After an error the set is as it was.
func (s *Set) Read(name string, src io.Reader) error {
	r := reader{dec: json.NewDecoder(src)}
	if err := r.collection(); err != nil {
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case r.broken == nil, errors.As(err, &syntax), errors.As(err, &kind), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
			return &ReadError{Path: name, Feature: r.count, Offset: r.dec.InputOffset(), Err: err}
		}
		return fmt.Errorf("region: read %s: %w", name, err)
	}
	for _, f := range r.features {
		for _, area := range f.polygons {
			p := newPolygon(len(s.features), area.corners, area.ends)
			s.index.Insert(p.min, p.max, uint32(len(s.polygons)))
			s.polygons = append(s.polygons, p)
		}
		s.features = append(s.features, f.properties)
	}
	return nil
}

// reader reads one file.
type reader struct {
	dec      *json.Decoder
	features []feature
	count    int   // the feature at hand, from 1
	broken   error // of the decoder, not the content
}

type feature struct {
	properties map[string]any
	polygons   []area
}

// area are the rings of a polygon, as newPolygon takes them.
type area struct {
	corners []vertex
	ends    []int
}

// token returns the next token.
func (r *reader) token() (json.Token, error) {
	t, err := r.dec.Token()
	r.broken = err
	return t, err
}

func (r *reader) decode(v any) error {
	err := r.dec.Decode(v)
	r.broken = err
	return err
}

// collection reads the outermost object.
func (r *reader) collection() error {
	if t, err := r.token(); err != nil {
		return err
	} else if t != json.Delim('{') {
		return errCollection
	}
	typed, listed := false, false
	for r.dec.More() {
		key, err := r.token()
		if err != nil {
			return err
		}
		switch key {
		case "type":
			var kind string
			if err := r.decode(&kind); err != nil {
				return err
			}
			if typed = kind == "FeatureCollection"; !typed {
				return errCollection
			}
		case "features":
			if listed {
				return errCollection
			}
			listed = true
			if err := r.list(); err != nil {
				return err
			}
		default:
			var skipped json.RawMessage
			if err := r.decode(&skipped); err != nil {
				return err
			}
		}
	}
	if _, err := r.token(); err != nil {
		return err
	}
	if !typed || !listed {
		return errCollection
	}
	return nil
}

// list reads the features.
func (r *reader) list() error {
	if t, err := r.token(); err != nil {
		return err
	} else if t != json.Delim('[') {
		return errCollection
	}
	for r.dec.More() {
		r.count++
		if err := r.feature(); err != nil {
			return err
		}
	}
	r.count = 0
	_, err := r.token()
	return err
}

func (r *reader) feature() error {
	var raw struct {
		Type       string
		Properties json.RawMessage
		Geometry   *struct {
			Type        string
			Coordinates json.RawMessage
		}
	}
	if err := r.decode(&raw); err != nil {
		return err
	}
	if raw.Type != "Feature" {
		return errFeature
	}
	f := feature{}
	if len(raw.Properties) == 0 || raw.Properties[0] != '{' {
		return errProperties
	}
	if err := json.Unmarshal(raw.Properties, &f.properties); err != nil {
		return err
	}
	if raw.Geometry == nil || raw.Geometry.Type == "" || len(raw.Geometry.Coordinates) == 0 {
		return errGeometry
	}
	c := coordinates{text: raw.Geometry.Coordinates}
	switch raw.Geometry.Type {
	case "Polygon":
		f.polygons = append(f.polygons, c.polygon())
	case "MultiPolygon":
		c.list(func() { f.polygons = append(f.polygons, c.polygon()) })
	default:
		return nil
	}
	if c.err == nil {
		r.features = append(r.features, f)
	}
	return c.err
}
