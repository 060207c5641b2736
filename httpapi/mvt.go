package httpapi

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field numbers and kinds of the Mapbox Vector Tile specification 2.1.
const (
	tileLayers = 3

	layerName     = 1
	layerFeatures = 2
	layerKeys     = 3
	layerValues   = 4
	layerExtent   = 5
	layerVersion  = 15

	featureID       = 1
	featureTags     = 2
	featureType     = 3
	featureGeometry = 4

	valueString = 1
	valueFloat  = 2
	valueDouble = 3
	valueUint   = 5
	valueSint   = 6
	valueBool   = 7

	typePoint = 1
	typeLine  = 2

	commandMoveTo = 1
	commandLineTo = 2
)

const (
	// tileExtent is the length of a tile's side in its own unit.
	tileExtent = 4096
	// tileMargin is how far beyond its sides a tile is drawn.
	tileMargin = 128
)

// tilePoint is a place in a tile, right and down from its upper left corner.
type tilePoint struct{ x, y int32 }

// layer builds one layer of a tile.
type layer struct {
	name     string
	keys     []string
	features []byte
	values   []byte
	known    map[string]uint64 // position of an encoded value
	tags     []uint64          // of the next feature
	scratch  []byte
	geometry []byte
}

func newLayer(name string, keys ...string) *layer {
	return &layer{name: name, keys: keys, known: map[string]uint64{}}
}

// tag gives the next feature the value that is encoded in l.scratch.
func (l *layer) tag(key int) {
	at, ok := l.known[string(l.scratch)]
	if !ok {
		at = uint64(len(l.known))
		l.known[string(l.scratch)] = at
		l.values = protowire.AppendTag(l.values, layerValues, protowire.BytesType)
		l.values = protowire.AppendBytes(l.values, l.scratch)
	}
	l.tags = append(l.tags, uint64(key), at)
}

func (l *layer) text(key int, v string) {
	l.scratch = protowire.AppendTag(l.scratch[:0], valueString, protowire.BytesType)
	l.scratch = protowire.AppendString(l.scratch, v)
	l.tag(key)
}

func (l *layer) float(key int, v float32) {
	l.scratch = protowire.AppendTag(l.scratch[:0], valueFloat, protowire.Fixed32Type)
	l.scratch = protowire.AppendFixed32(l.scratch, math.Float32bits(v))
	l.tag(key)
}

func (l *layer) double(key int, v float64) {
	l.scratch = protowire.AppendTag(l.scratch[:0], valueDouble, protowire.Fixed64Type)
	l.scratch = protowire.AppendFixed64(l.scratch, math.Float64bits(v))
	l.tag(key)
}

func (l *layer) varint(key int, kind protowire.Number, v uint64) {
	l.scratch = protowire.AppendTag(l.scratch[:0], kind, protowire.VarintType)
	l.scratch = protowire.AppendVarint(l.scratch, v)
	l.tag(key)
}

func (l *layer) uint(key int, v uint64) { l.varint(key, valueUint, v) }
func (l *layer) sint(key int, v int64)  { l.varint(key, valueSint, protowire.EncodeZigZag(v)) }
func (l *layer) bool(key int, v bool)   { l.varint(key, valueBool, protowire.EncodeBool(v)) }

// add ends a feature, which is one point or a line.
func (l *layer) add(id uint64, points ...tilePoint) {
	kind := uint64(typePoint)
	if len(points) > 1 {
		kind = typeLine
	}
	geometry := l.geometry[:0]
	var at tilePoint
	for i, p := range points {
		switch i {
		case 0:
			geometry = protowire.AppendVarint(geometry, commandMoveTo|1<<3)
		case 1:
			geometry = protowire.AppendVarint(geometry, commandLineTo|uint64(len(points)-1)<<3)
		}
		geometry = protowire.AppendVarint(geometry, protowire.EncodeZigZag(int64(p.x-at.x)))
		geometry = protowire.AppendVarint(geometry, protowire.EncodeZigZag(int64(p.y-at.y)))
		at = p
	}
	l.geometry = geometry
	f := l.scratch[:0]
	if id != 0 {
		f = protowire.AppendTag(f, featureID, protowire.VarintType)
		f = protowire.AppendVarint(f, id)
	}
	if len(l.tags) > 0 {
		size := 0
		for _, t := range l.tags {
			size += protowire.SizeVarint(t)
		}
		f = protowire.AppendTag(f, featureTags, protowire.BytesType)
		f = protowire.AppendVarint(f, uint64(size))
		for _, t := range l.tags {
			f = protowire.AppendVarint(f, t)
		}
	}
	f = protowire.AppendTag(f, featureType, protowire.VarintType)
	f = protowire.AppendVarint(f, kind)
	f = protowire.AppendTag(f, featureGeometry, protowire.BytesType)
	f = protowire.AppendBytes(f, geometry)
	l.features = protowire.AppendTag(l.features, layerFeatures, protowire.BytesType)
	l.features = protowire.AppendBytes(l.features, f)
	l.scratch, l.tags = f, l.tags[:0]
}

// appendTo appends the layer to a tile, nothing if it has no features.
func (l *layer) appendTo(dst []byte) []byte {
	if len(l.features) == 0 {
		return dst
	}
	body := protowire.AppendTag(nil, layerVersion, protowire.VarintType)
	body = protowire.AppendVarint(body, 2)
	body = protowire.AppendTag(body, layerName, protowire.BytesType)
	body = protowire.AppendString(body, l.name)
	body = protowire.AppendTag(body, layerExtent, protowire.VarintType)
	body = protowire.AppendVarint(body, tileExtent)
	body = append(body, l.features...)
	for _, key := range l.keys {
		body = protowire.AppendTag(body, layerKeys, protowire.BytesType)
		body = protowire.AppendString(body, key)
	}
	body = append(body, l.values...)
	dst = protowire.AppendTag(dst, tileLayers, protowire.BytesType)
	return protowire.AppendBytes(dst, body)
}
