package osmfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"runtime"
	"time"

	"github.com/paulmach/osm"
)

// A Header tells what the file says about itself. Anything may be absent.
type Header struct {
	Bounds               *osm.Bounds // degrees
	Generator            string      // the writing program
	Source               string
	RequiredFeatures     []string
	OptionalFeatures     []string
	ReplicationTimestamp time.Time // UTC; the state of the OSM database that the data shows
	ReplicationSequence  int64
	ReplicationURL       string
	SortedByTypeThenID   bool // declared, not checked
	LocationsOnWays      bool // untagged nodes may be missing; positions on ways are not read
}

// A File is an OSM file open for scanning. It holds no operating system resources between scans.
type File struct {
	src    source
	format format
	header Header

	// PBF: what earlier scans met, from the start of the file, and whether that is all of it.
	blobs   []blob
	indexed bool
}

// Open opens the file at path and reads its header. The file must be a regular one, since it is read more than once.
func Open(path string) (*File, error) {
	src, err := pathSource(path)
	if err != nil {
		return nil, located(err, path, -1, -1)
	}
	return open(src)
}

// OpenFS is [Open] in a file system. If its files are no [io.Seeker], skipped parts are read and dropped.
func OpenFS(fsys fs.FS, name string) (*File, error) {
	src, err := fsSource(fsys, name)
	if err != nil {
		return nil, located(err, name, -1, -1)
	}
	return open(src)
}

// OpenReaderAt reads size bytes of r; name appears in errors only. With a [bytes.Reader] it reads from memory.
func OpenReaderAt(r io.ReaderAt, size int64, name string) (*File, error) {
	return open(readerAtSource(r, size, name))
}

// OpenSeeker reads r from its first byte on, moving it around; nothing else may use r during a scan.
func OpenSeeker(r io.ReadSeeker, name string) (*File, error) {
	src, err := seekerSource(r, name)
	if err != nil {
		return nil, located(err, name, -1, -1)
	}
	return open(src)
}

func open(src source) (*File, error) {
	f := &File{src: src}
	if err := f.readHeader(); err != nil {
		return nil, located(err, src.name, -1, -1)
	}
	return f, nil
}

// Name returns the name given at opening.
func (f *File) Name() string { return f.src.name }

// Size returns the size in bytes, as stored.
func (f *File) Size() int64 { return f.src.size }

// Header returns what the file says about itself.
func (f *File) Header() Header { return f.header }

// Format names the format: "pbf", "xml", "xml.gz" or "xml.bz2".
func (f *File) Format() string { return f.format.String() }

type format uint8

const (
	formatPBF format = iota
	formatXML
	formatGzip
	formatBzip2
)

func (f format) String() string { return [...]string{"pbf", "xml", "xml.gz", "xml.bz2"}[f] }

// sniffed is enough of a file to tell its format.
const sniffed = 512

func (f *File) readHeader() error {
	r, err := f.src.open()
	if err != nil {
		return readFault(err)
	}
	defer r.Close()
	start := make([]byte, sniffed)
	n, err := io.ReadFull(r, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return readFault(err)
	}
	if f.format, err = detect(start[:n]); err != nil {
		return err
	}
	s, err := f.newStream(&Options{Want: All})
	if err != nil {
		return err
	}
	defer s.close()
	return s.readHeader(&f.header)
}

// detect tells the format from the first bytes.
func detect(start []byte) (format, error) {
	switch {
	case len(start) == 0:
		return 0, fault(ErrTruncated, "the file is empty")
	case start[0] == 0 && (bytes.Contains(start[:min(len(start), 64)], []byte("\x0a\x09OSMHeader")) ||
		bytes.Contains(start[:min(len(start), 64)], []byte("\x0a\x07OSMData"))): // the latter gets its own error
		return formatPBF, nil
	case bytes.HasPrefix(start, []byte("\x1f\x8b")):
		return formatGzip, nil
	case bytes.HasPrefix(start, []byte("BZh")):
		return formatBzip2, nil
	}
	for _, other := range []struct{ magic, name, advice string }{
		{"\x28\xb5\x2f\xfd", "zstd", "decompress it first"},
		{"\xfd7zXZ\x00", "xz", "decompress it first"},
		{"PK\x03\x04", "zip", "unpack it first"},
		{"\xff\xe0", "o5m", "convert it to .osm.pbf"},
		{"\xfe\xff", "UTF-16 text", "convert it to UTF-8"},
		{"\xff\xfe", "UTF-16 text", "convert it to UTF-8"},
	} {
		if bytes.HasPrefix(start, []byte(other.magic)) {
			return 0, fault(ErrUnsupported, "the file is %s; %s", other.name, other.advice)
		}
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(text) == 0 || text[0] == '<' {
		return formatXML, nil
	}
	return 0, fault(ErrNotOSM, "it starts with %q, neither a PBF header nor XML", start[:min(len(start), 16)])
}

// Options say what a scan delivers.
type Options struct {
	Want    Kind // kinds to deliver; blocks with none of them are skipped
	Meta    bool // fill the meta columns; costs time and memory
	WayEnds bool // fill Way.End
	Workers int  // goroutines, 0 for one per core available to the program

	// Progress, if set, is called now and then with the bytes of the file (as stored) read so far, never by two goroutines at a time.
	Progress func(done, total int64)
}

// A Handler receives blocks. Either function may be nil. An error ends the scan and is returned as it is; meanwhile
// Parallel may meet a few blocks further on in the file, Ordered none.
type Handler struct {
	Parallel func(*Block) error // called by several workers at once
	Ordered  func(*Block) error // called afterwards for the same block, in file order, one call at a time
}

// Stats count what a scan delivered.
type Stats struct {
	Blocks      int
	Nodes       int64 // rows
	TaggedNodes int64
	Ways        int64
	Relations   int64
	Unlocated   int64 // nodes left out for want of a valid position
	NodesSorted bool  // the node ids increased strictly over the whole scan
}

// Scan reads the file once and hands its blocks over. It returns the first error in file order, whatever the number
// of workers, except when ctx ends, which is noticed within one block (some 10 ms); then the error is
// the context's. A call to a reader that blocks cannot be interrupted. A panic in a handler becomes an error.
func (f *File) Scan(ctx context.Context, opts Options, h Handler) (Stats, error) {
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	s, err := f.newStream(&opts)
	if err != nil {
		return Stats{}, located(err, f.src.name, -1, -1)
	}
	defer s.close()
	if p, ok := s.(*pbfStream); ok {
		if err := p.indexSorted(ctx); err != nil {
			return Stats{}, err
		}
	}
	sc := newScan(ctx, f, s, &opts, h)
	return sc.run()
}

func (f *File) newStream(opts *Options) (stream, error) {
	r, err := f.src.open()
	if err != nil {
		return nil, readFault(err)
	}
	if f.format == formatPBF {
		return newPBFStream(f, r, opts), nil
	}
	s, err := newXMLStream(f, r, opts)
	if err != nil {
		r.Close()
		return nil, err
	}
	return s, nil
}
