package osmfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// Limits of the PBF format.
const (
	maxBlobHeader = 64 << 10
	maxBlob       = 32 << 20 // stored and inflated
)

// inflateStep is the most that is inflated between two looks at the context.
const inflateStep = 256 << 10

// maxDeflateRatio is the most that deflate can gain, so a blob that declares more is not believed in advance.
const maxDeflateRatio = 1032

// A blob is what is remembered of one piece of a PBF file.
type blob struct {
	start  int64 // of its length field
	data   int64 // of the Blob message
	size   int32 // of the Blob message
	header bool  // type OSMHeader
	kinds  Kind  // with kindsKnown once determined, kindsAssumed if only concluded
}

func (b *blob) end() int64 { return b.data + int64(b.size) }

// pbfStream walks over the blobs of a file.
type pbfStream struct {
	file *File
	opts *Options
	tape tape
	head []byte
	next int // number of the blob to read

	mu sync.Mutex // guards file.blobs
}

func newPBFStream(f *File, r io.ReadCloser, opts *Options) *pbfStream {
	return &pbfStream{file: f, opts: opts, tape: tape{r: r, size: f.src.size}}
}

func (s *pbfStream) position() int64 { return s.tape.pos }

func (s *pbfStream) close() { s.tape.r.Close() }

// fetch reads the next blob that may hold something wanted into buf, and returns it with its number.
func (s *pbfStream) fetch(ctx context.Context, buf []byte) (blob, int, []byte, error) {
	for {
		if err := ctx.Err(); err != nil {
			return blob{}, s.next, buf, err
		}
		b, err := s.locate()
		n := s.next
		if err != nil {
			return b, n, buf, err
		}
		s.next++
		if b.kinds&kindsKnown != 0 && b.kinds&s.opts.Want == 0 {
			continue
		}
		if err := s.tape.moveTo(b.data); err != nil {
			return b, n, buf, endFault(err, "a blob")
		}
		buf = resized(buf, int(b.size))
		if err := s.tape.readFull(buf); err != nil {
			return b, n, buf, endFault(err, "a blob")
		}
		return b, n, buf, nil
	}
}

// locate finds the blob numbered s.next, from memory or by reading its header.
func (s *pbfStream) locate() (blob, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	blobs := s.file.blobs
	if s.next < len(blobs) {
		return blobs[s.next], nil
	}
	var b blob
	if s.next > 0 {
		b.start = blobs[s.next-1].end()
	}
	if b.start == s.tape.size {
		return b, io.EOF
	}
	if err := s.tape.moveTo(b.start); err != nil {
		return b, endFault(err, "a blob")
	}
	var length [4]byte
	if err := s.tape.readFull(length[:]); err != nil {
		return b, endFault(err, "the length of a blob header")
	}
	size := binary.BigEndian.Uint32(length[:])
	if size > maxBlobHeader {
		return b, fault(ErrTooBig, "blob header of %d bytes, the format allows %d", size, maxBlobHeader)
	}
	s.head = resized(s.head, int(size))
	if err := s.tape.readFull(s.head); err != nil {
		return b, endFault(err, "a blob header")
	}
	b.data = s.tape.pos
	if err := b.parse(s.head); err != nil {
		return b, err
	}
	if b.end() > s.tape.size {
		return b, fault(ErrTruncated, "the blob needs %d bytes, %d are left", b.size, s.tape.size-b.data)
	}
	if s.next == 0 && !b.header {
		return b, fault(ErrCorrupt, "the first blob is no OSMHeader")
	}
	s.file.blobs = append(blobs, b)
	return b, nil
}

// parse reads a BlobHeader message.
func (b *blob) parse(head []byte) error {
	var kind []byte
	size := int64(-1)
	m := message{rest: head}
	for m.next() {
		switch m.num {
		case 1:
			kind = m.bytes(kind)
		case 3:
			size = int64(m.varint())
		}
	}
	if m.bad || kind == nil || size < 0 {
		return fault(ErrCorrupt, "malformed blob header")
	}
	if size > maxBlob {
		return fault(ErrTooBig, "blob of %d bytes, the format allows %d", size, maxBlob)
	}
	b.size = int32(size)
	switch string(kind) {
	case "OSMHeader":
		b.header = true
	case "OSMData":
	default: // the format asks to skip foreign blobs
		b.kinds = kindsKnown
	}
	return nil
}

// remember notes what a blob holds, and complains if something else was concluded before.
func (s *pbfStream) remember(number int, kinds Kind) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := &s.file.blobs[number]
	if b.kinds&kindsAssumed != 0 && kinds&^b.kinds != 0 {
		return fault(ErrCorrupt, "the file declares that it is sorted by kind, and has %v among %v; sort it, or correct its header",
			kinds&^b.kinds, b.kinds&All)
	}
	b.kinds = kinds | kindsKnown
	return nil
}

// resized returns a slice of n bytes with unspecified content, reusing buf.
func resized(buf []byte, n int) []byte {
	if cap(buf) < n {
		return make([]byte, n, n+n/8)
	}
	return buf[:n]
}

// An inflater decompresses Blob messages, one at a time, and owns what that needs.
type inflater struct {
	raw  []byte
	src  bytes.Reader
	zlib io.ReadCloser
	zstd *zstd.Decoder
}

// inflate returns the content of a Blob message: valid until the next call, or as long as data if it was not compressed.
// It stops early, with nil, once dispensable (if not nil) says so of the first bytes of a content of the given size.
func (in *inflater) inflate(ctx context.Context, data []byte, dispensable func(start []byte, size int) bool) ([]byte, error) {
	var packed []byte
	var method int32
	rawSize := int64(-1)
	m := message{rest: data}
	for m.next() {
		switch m.num {
		case 1, 3, 4, 5, 6, 7:
			method, packed = int32(m.num), m.bytes(packed)
		case 2:
			rawSize = int64(m.varint())
		}
	}
	if m.bad || packed == nil {
		return nil, fault(ErrCorrupt, "malformed blob")
	}
	if rawSize > maxBlob {
		return nil, fault(ErrTooBig, "blob inflates to %d bytes, the format allows %d", rawSize, maxBlob)
	}
	switch method {
	case 1:
		return packed, nil
	case 3:
		return in.inflateZlib(ctx, packed, rawSize, dispensable)
	case 7:
		return in.inflateZstd(packed, rawSize)
	}
	name := map[int32]string{4: "LZMA", 5: "bzip2", 6: "LZ4"}[method]
	return nil, fault(ErrUnsupported, "blobs compressed with %s; rewrite the file with zlib or zstd", name)
}

func (in *inflater) inflateZlib(ctx context.Context, packed []byte, rawSize int64, dispensable func([]byte, int) bool) ([]byte, error) {
	in.src.Reset(packed)
	if in.zlib == nil {
		r, err := zlib.NewReader(&in.src)
		if err != nil {
			return nil, zlibFault(err)
		}
		in.zlib = r
	} else if err := in.zlib.(zlib.Resetter).Reset(&in.src, nil); err != nil {
		return nil, zlibFault(err)
	}
	limit := int(rawSize)
	if rawSize < 0 {
		limit = maxBlob
	}
	in.raw = in.raw[:0]
	if rawSize >= 0 && rawSize <= int64(len(packed))*maxDeflateRatio {
		in.raw = resized(in.raw, limit+1)[:0]
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// One byte beyond the limit tells a blob that is too long from one that ends there, and makes the reader check the sum.
		have := len(in.raw)
		in.raw = extended(in.raw, min(inflateStep, limit+1-have), limit+1)
		n, err := in.zlib.Read(in.raw[have:])
		in.raw = in.raw[:have+n]
		if len(in.raw) > limit {
			if rawSize < 0 {
				return nil, fault(ErrTooBig, "blob inflates to more than the %d bytes that the format allows", maxBlob)
			}
			return nil, fault(ErrCorrupt, "blob inflates to more than the %d bytes it declares", rawSize)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, zlibFault(err)
		}
		if have == 0 && rawSize >= 0 && dispensable != nil && dispensable(in.raw, limit) {
			return nil, nil
		}
	}
	if rawSize >= 0 && int64(len(in.raw)) != rawSize {
		return nil, fault(ErrCorrupt, "blob inflates to %d bytes and declares %d", len(in.raw), rawSize)
	}
	return in.raw, nil
}

func zlibFault(err error) error {
	return &Error{Offset: -1, Block: -1, Kind: ErrCorrupt, Err: err}
}

// extended lengthens b by n bytes, and makes room for limit at most.
func extended(b []byte, n, limit int) []byte {
	if cap(b)-len(b) < n {
		grown := make([]byte, len(b), min(max(2*cap(b), len(b)+n), limit))
		copy(grown, b)
		b = grown
	}
	return b[:len(b)+n]
}

func (in *inflater) inflateZstd(packed []byte, rawSize int64) ([]byte, error) {
	if in.zstd == nil {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBlob), zstd.WithDecoderMaxWindow(maxBlob))
		if err != nil {
			return nil, &Error{Offset: -1, Block: -1, Kind: ErrUnsupported, Err: err}
		}
		in.zstd = d
	}
	raw, err := in.zstd.DecodeAll(packed, in.raw[:0])
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, zstd.ErrWindowSizeExceeded) {
		return nil, fault(ErrTooBig, "blob inflates to more than the %d bytes that the format allows", maxBlob)
	}
	if err != nil {
		return nil, &Error{Offset: -1, Block: -1, Kind: ErrCorrupt, Err: err}
	}
	in.raw = raw
	if rawSize >= 0 && int64(len(raw)) != rawSize {
		return nil, fault(ErrCorrupt, "blob inflates to %d bytes and declares %d", len(raw), rawSize)
	}
	return raw, nil
}

func (in *inflater) close() {
	if in.zlib != nil {
		in.zlib.Close()
	}
	if in.zstd != nil {
		in.zstd.Close()
	}
}
