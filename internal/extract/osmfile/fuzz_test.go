package osmfile

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func requireTyped(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("not an *Error: %v", err)
	}
}

// FuzzBlock feeds the decoder PrimitiveBlock messages directly, past the checksum of zlib.
func FuzzBlock(f *testing.F) {
	f.Add([]byte(everything()))
	f.Fuzz(func(t *testing.T, raw []byte) {
		file := pbf(t, header(), stored, raw)
		if len(raw) > maxBlob-64 {
			return
		}
		one, err := readAll(file, Options{Want: All, Meta: true, Workers: 1})
		requireTyped(t, err)
		require.Len(t, one.NodeMeta, len(one.Nodes))
		require.Len(t, one.WayMeta, len(one.Ways))
		require.Len(t, one.RelMeta, len(one.Relations))
		for _, n := range one.Nodes {
			require.Equal(t, n.ID, one.IDs[n.Row])
		}
	})
}

// FuzzFile feeds any file in any format.
func FuzzFile(f *testing.F) {
	f.Add(pbf(f, header(), stored, everything()))
	f.Add(pbf(f, header(), deflated, everything()))
	f.Add(pbf(f, header(), zstandard, everything()))
	f.Add([]byte(sample))
	f.Add(gzipped(f, sample))
	f.Add([]byte("BZh91AY&SY"))
	f.Fuzz(func(t *testing.T, data []byte) {
		one, err := readAll(data, Options{Want: All, Workers: 1})
		requireTyped(t, err)
		two, err2 := readAll(data, Options{Want: All, Workers: 3})
		requireTyped(t, err2)
		require.Equal(t, err, err2)
		require.Equal(t, one, two)
	})
}

// FuzzXML compares the tokenizer with encoding/xml: what it accepts, that must accept too, with the same tags.
func FuzzXML(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(`<osm a="&#x41;" b='2'/>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tok := newTokenizer(bytes.NewReader(data))
		ref := xml.NewDecoder(bytes.NewReader(data))
		ref.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errors.ErrUnsupported }
		for {
			err := tok.next()
			if err != nil {
				if err != io.EOF {
					requireTyped(t, err)
				}
				return
			}
			var values []string
			for _, a := range tok.attrs {
				v, err := tok.value(a)
				if err != nil {
					requireTyped(t, err)
					return
				}
				values = append(values, v)
			}
			start, end, ok := nextReference(ref)
			if !ok { // it checks more: names, characters of text, content of comments
				return
			}
			require.Equal(t, tok.start, start != nil)
			if start == nil {
				require.NotNil(t, end)
				continue
			}
			require.Len(t, start.Attr, len(values))
			for i, a := range start.Attr {
				require.Equal(t, blanked(a.Value), blanked(values[i]))
			}
		}
	})
}

func nextReference(d *xml.Decoder) (*xml.StartElement, *xml.EndElement, bool) {
	for {
		token, err := d.RawToken()
		if err != nil {
			return nil, nil, false
		}
		switch e := token.(type) {
		case xml.StartElement:
			return &e, nil, true
		case xml.EndElement:
			return nil, &e, true
		}
	}
}

// blanked undoes a difference: encoding/xml keeps line ends in attributes, XML asks for blanks.
func blanked(s string) string {
	return string(bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		return r
	}, []byte(s)))
}
