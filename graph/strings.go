package graph

// Strings is a table of unique strings: string i is Data[First[i]:First[i+1]].
// String 0 is empty.
type Strings struct {
	First []uint32
	Data  []byte
}

// Get returns string i; it copies.
func (s *Strings) Get(i StringID) string { return string(s.Data[s.First[i]:s.First[i+1]]) }

// Append appends string i to dst.
func (s *Strings) Append(dst []byte, i StringID) []byte {
	return append(dst, s.Data[s.First[i]:s.First[i+1]]...)
}
