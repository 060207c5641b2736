package osmfile

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/paulmach/osm"
)

func (s *pbfStream) readHeader(h *Header) error {
	b, n, data, err := s.fetch(context.Background(), nil)
	if err == nil {
		var in inflater
		defer in.close()
		var raw []byte
		if raw, err = in.inflate(context.Background(), data, nil); err == nil {
			err = parseHeader(raw, h)
		}
	}
	if err != nil {
		return located(err, s.file.src.name, n, b.start)
	}
	return s.remember(n, 0)
}

// parseHeader reads a HeaderBlock message and refuses files that need more than this package has.
func parseHeader(raw []byte, h *Header) error {
	var bbox []byte
	m := message{rest: raw}
	for m.next() {
		switch m.num {
		case 1:
			bbox = m.bytes(bbox)
		case 4:
			h.RequiredFeatures = append(h.RequiredFeatures, string(m.bytes(nil)))
		case 5:
			h.OptionalFeatures = append(h.OptionalFeatures, string(m.bytes(nil)))
		case 16:
			h.Generator = string(m.bytes(nil))
		case 17:
			h.Source = string(m.bytes(nil))
		case 32:
			h.ReplicationTimestamp = time.Unix(int64(m.varint()), 0).UTC()
		case 33:
			h.ReplicationSequence = int64(m.varint())
		case 34:
			h.ReplicationURL = string(m.bytes(nil))
		}
	}
	if m.bad {
		return fault(ErrCorrupt, "malformed file header")
	}
	if bbox != nil {
		bounds, ok := parseBBox(bbox)
		if !ok {
			return fault(ErrCorrupt, "malformed bounding box in the file header")
		}
		h.Bounds = bounds
	}
	for _, text := range []string{h.Generator, h.Source, h.ReplicationURL} {
		if !utf8.ValidString(text) {
			return fault(ErrCorrupt, "the file header holds invalid UTF-8: %q", text)
		}
	}
	for _, feature := range h.OptionalFeatures {
		switch feature {
		case "Sort.Type_then_ID":
			h.SortedByTypeThenID = true
		case "LocationsOnWays":
			h.LocationsOnWays = true
		}
	}
	for _, feature := range h.RequiredFeatures {
		switch feature {
		case "OsmSchema-V0.6", "DenseNodes":
		case "LocationsOnWays":
			h.LocationsOnWays = true
		case "HistoricalInformation":
			return fault(ErrUnsupported, "feature %q: the file holds several versions of an element; "+
				"cut a snapshot of one moment from it first", feature)
		default:
			return fault(ErrUnsupported, "feature %q, which the file declares as required", feature)
		}
	}
	return nil
}

// parseBBox reads a HeaderBBox message, which is in nanodegrees.
func parseBBox(data []byte) (*osm.Bounds, bool) {
	var edges [5]float64
	m := message{rest: data}
	for m.next() {
		if m.num < 5 {
			edges[m.num] = float64(zigzag(m.varint())) / 1e9
		}
	}
	return &osm.Bounds{MinLon: edges[1], MaxLon: edges[2], MaxLat: edges[3], MinLat: edges[4]}, !m.bad
}
