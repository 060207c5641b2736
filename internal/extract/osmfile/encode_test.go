package osmfile

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
)

// pb builds protobuf messages by hand.
type pb []byte

func (p pb) varint(num protowire.Number, v int64) pb {
	return protowire.AppendVarint(protowire.AppendTag(p, num, protowire.VarintType), uint64(v))
}

func (p pb) sint(num protowire.Number, v int64) pb {
	return p.varint(num, int64(protowire.EncodeZigZag(v)))
}

func (p pb) bytes(num protowire.Number, b []byte) pb {
	return protowire.AppendBytes(protowire.AppendTag(p, num, protowire.BytesType), b)
}

func (p pb) str(num protowire.Number, s string) pb { return p.bytes(num, []byte(s)) }

// packed writes plain varints.
func (p pb) packed(num protowire.Number, vs ...int64) pb {
	var b []byte
	for _, v := range vs {
		b = protowire.AppendVarint(b, uint64(v))
	}
	return p.bytes(num, b)
}

// deltas writes absolute values as zigzag-coded differences.
func (p pb) deltas(num protowire.Number, vs ...int64) pb {
	var b []byte
	last := int64(0)
	for _, v := range vs {
		b = protowire.AppendVarint(b, protowire.EncodeZigZag(v-last))
		last = v
	}
	return p.bytes(num, b)
}

func table(words ...string) pb {
	t := pb{}.str(1, "")
	for _, w := range words {
		t = t.str(1, w)
	}
	return t
}

type packing func(t testing.TB, raw []byte) pb

func stored(_ testing.TB, raw []byte) pb { return pb{}.bytes(1, raw) }

func deflated(t testing.TB, raw []byte) pb {
	return pb{}.varint(2, int64(len(raw))).bytes(3, deflate(t, raw))
}

func deflate(t testing.TB, raw []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := w.Write(raw)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func zstandard(t testing.TB, raw []byte) pb {
	w, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	defer w.Close()
	return pb{}.varint(2, int64(len(raw))).bytes(7, w.EncodeAll(raw, nil))
}

// frame puts a Blob message behind its header.
func frame(kind string, blob pb) []byte {
	head := pb{}.str(1, kind).varint(3, int64(len(blob)))
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(head))), head...), blob...)
}

// header is a HeaderBlock as most writers make it.
func header(features ...string) pb {
	h := pb{}
	for _, f := range append([]string{"OsmSchema-V0.6", "DenseNodes"}, features...) {
		h = h.str(4, f)
	}
	return h
}

// pbf makes a file of the blocks.
func pbf(t testing.TB, head pb, pack packing, blocks ...pb) []byte {
	out := frame("OSMHeader", pack(t, head))
	for _, b := range blocks {
		out = append(out, frame("OSMData", pack(t, b))...)
	}
	return out
}

// block joins a string table and groups.
func block(table pb, groups ...pb) pb {
	b := pb{}.bytes(1, table)
	for _, g := range groups {
		b = b.bytes(2, g)
	}
	return b
}
