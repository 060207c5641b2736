package osmfile

import "google.golang.org/protobuf/encoding/protowire"

// uvarint reads the varint at b[i] and returns the index behind it, or -1 if there is none. An index of -1 gives -1
// again, so that a loop needs to look once. One byte is by far the most frequent length in delta-coded columns.
func uvarint(b []byte, i int) (uint64, int) {
	if uint(i) < uint(len(b)) && b[i] < 0x80 {
		return uint64(b[i]), i + 1
	}
	return longUvarint(b, i)
}

func longUvarint(b []byte, i int) (uint64, int) {
	if uint(i) >= uint(len(b)) {
		return 0, -1
	}
	v, n := protowire.ConsumeVarint(b[i:])
	if n < 0 {
		return 0, -1
	}
	return v, i + n
}

func zigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// varints counts the varints in a packed field: one byte of each has its high bit clear.
func varints(b []byte) int {
	n := 0
	for _, c := range b {
		n += int(c>>7) ^ 1
	}
	return n
}

// A message iterates over the fields of a protobuf message.
type message struct {
	rest []byte
	num  protowire.Number
	typ  protowire.Type
	val  uint64 // of a varint field
	data []byte // of a length-delimited field
	bad  bool
}

// next moves to the next field. It returns false at the end and on malformed input, which sets bad.
func (m *message) next() bool {
	if len(m.rest) == 0 || m.bad {
		return false
	}
	key, i := uvarint(m.rest, 0)
	m.num, m.typ = protowire.Number(key>>3), protowire.Type(key&7)
	m.val, m.data = 0, nil
	if i < 0 || key>>3 == 0 || key>>3 > uint64(protowire.MaxValidNumber) {
		m.bad = true
		return false
	}
	switch m.typ {
	case protowire.VarintType:
		m.val, i = uvarint(m.rest, i)
	case protowire.BytesType:
		var size uint64
		if size, i = uvarint(m.rest, i); i >= 0 {
			if size > uint64(len(m.rest)-i) {
				i = -1
				break
			}
			m.data = m.rest[i : i+int(size) : i+int(size)]
			i += int(size)
		}
	case protowire.Fixed64Type:
		i += 8
	case protowire.Fixed32Type:
		i += 4
	default: // groups, which no OSM message has
		i = -1
	}
	if i < 0 || i > len(m.rest) {
		m.bad = true
		return false
	}
	m.rest = m.rest[i:]
	return true
}

// bytes returns the content of a length-delimited field that occurs at most once; seen is the earlier value.
func (m *message) bytes(seen []byte) []byte {
	if m.typ != protowire.BytesType || seen != nil {
		m.bad = true
	}
	if m.data == nil {
		return []byte{}
	}
	return m.data
}

func (m *message) varint() uint64 {
	if m.typ != protowire.VarintType {
		m.bad = true
	}
	return m.val
}

// A column reads a packed, delta-coded field in step with others. An absent column gives zeros.
type column struct {
	data []byte
	i    int
	sum  int64
}

func (c *column) next() int64 {
	if len(c.data) == 0 {
		return 0
	}
	var v uint64
	v, c.i = uvarint(c.data, c.i)
	c.sum += zigzag(v)
	return c.sum
}
