package httpapi

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// schema is flatbuffers.fbs, as far as reading needs it. It is read from the
// file and knows nothing of the code that writes.
type schema struct {
	tables  map[string][]schemaField // structs too
	structs map[string]bool
	enums   map[string][]string
	root    string
}

type schemaField struct{ name, kind string }

var (
	comments     = regexp.MustCompile(`//[^\n]*`)
	declarations = regexp.MustCompile(`(table|struct|enum)\s+(\w+)\s*(?::\s*\w+\s*)?\{([^}]*)\}`)
	members      = regexp.MustCompile(`(\w+)\s*:\s*(\[?\w+\]?)`)
	rootType     = regexp.MustCompile(`root_type\s+(\w+);`)
)

func readSchema(t testing.TB) *schema {
	t.Helper()
	data, err := os.ReadFile("flatbuffers.fbs")
	require.NoError(t, err)
	text := comments.ReplaceAllString(string(data), "")
	s := &schema{tables: map[string][]schemaField{}, structs: map[string]bool{}, enums: map[string][]string{}}
	for _, d := range declarations.FindAllStringSubmatch(text, -1) {
		kind, name, body := d[1], d[2], d[3]
		if kind == "enum" {
			for word := range strings.SplitSeq(body, ",") {
				s.enums[name] = append(s.enums[name], strings.TrimSpace(word))
			}
			continue
		}
		s.structs[name] = kind == "struct"
		for _, m := range members.FindAllStringSubmatch(body, -1) {
			s.tables[name] = append(s.tables[name], schemaField{m[1], m[2]})
		}
	}
	s.root = rootType.FindStringSubmatch(text)[1]
	return s
}

var scalarSizes = map[string]int{
	"bool": 1, "byte": 1, "ubyte": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "float": 4,
	"long": 8, "ulong": 8, "uint64": 8, "double": 8,
}

// decode reads a buffer into maps; fields that are not there are left out.
// What is out of bounds or not aligned panics.
func (s *schema) decode(buf []byte) map[string]any {
	return s.table(buf, int(binary.LittleEndian.Uint32(buf)), s.root)
}

func (s *schema) table(buf []byte, at int, name string) map[string]any {
	fields, ok := s.tables[name]
	if !ok {
		panic("no table " + name)
	}
	aligned(at, 4)
	vtable := at - int(int32(binary.LittleEndian.Uint32(buf[at:])))
	size := int(binary.LittleEndian.Uint16(buf[vtable:]))
	out := map[string]any{}
	for i, f := range fields {
		if 4+2*i >= size {
			break
		}
		if offset := int(binary.LittleEndian.Uint16(buf[vtable+4+2*i:])); offset != 0 {
			out[f.name] = s.value(buf, at+offset, f.kind)
		}
	}
	return out
}

func aligned(at, size int) {
	if at%size != 0 {
		panic(fmt.Sprintf("%d is not aligned to %d", at, size))
	}
}

// size returns the bytes that a value takes in place.
func (s *schema) size(kind string) int {
	switch {
	case s.enums[kind] != nil:
		return 1
	case s.structs[kind]:
		size := 0
		for _, f := range s.tables[kind] {
			size += scalarSizes[f.kind]
		}
		return size
	case scalarSizes[kind] != 0:
		return scalarSizes[kind]
	}
	return 4 // a reference
}

func (s *schema) value(buf []byte, at int, kind string) any {
	u := func(size int) uint64 {
		aligned(at, size)
		var b [8]byte
		copy(b[:], buf[at:at+size])
		return binary.LittleEndian.Uint64(b[:])
	}
	switch kind {
	case "bool":
		return u(1) != 0
	case "byte":
		return float64(int8(u(1)))
	case "ubyte":
		return float64(u(1))
	case "short":
		return float64(int16(u(2)))
	case "ushort":
		return float64(u(2))
	case "int":
		return float64(int32(u(4)))
	case "uint":
		return float64(u(4))
	case "float":
		return float64(math.Float32frombits(uint32(u(4))))
	case "long":
		return float64(int64(u(8)))
	case "ulong", "uint64":
		return float64(u(8))
	case "double":
		return math.Float64frombits(u(8))
	}
	if words := s.enums[kind]; words != nil {
		return words[u(1)]
	}
	if s.structs[kind] {
		aligned(at, scalarSizes[s.tables[kind][0].kind])
		out := map[string]any{}
		for _, f := range s.tables[kind] {
			out[f.name] = s.value(buf, at, f.kind)
			at += scalarSizes[f.kind]
		}
		return out
	}
	to := at + int(u(4))
	if kind == "string" {
		n := int(binary.LittleEndian.Uint32(buf[to:]))
		if buf[to+4+n] != 0 {
			panic("string without end")
		}
		return string(buf[to+4 : to+4+n])
	}
	if item, ok := strings.CutPrefix(kind, "["); ok {
		item = strings.TrimSuffix(item, "]")
		aligned(to, 4)
		out := make([]any, binary.LittleEndian.Uint32(buf[to:]))
		for i := range out {
			out[i] = s.value(buf, to+4+i*s.size(item), item)
		}
		return out
	}
	return s.table(buf, to, kind)
}
