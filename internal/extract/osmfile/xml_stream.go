package osmfile

import "io"

func newXMLStream(f *File, r io.ReadCloser, opts *Options) (stream, error) {
	return nil, fault(ErrUnsupported, "the file is XML")
}
