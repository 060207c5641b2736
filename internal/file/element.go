package file

import (
	"encoding/binary"
	"reflect"
)

// elemSize returns the size of T in memory and in a file, which are the same. T
// is made of sized numbers, arrays and structs of exported and blank fields,
// without implicit padding: it panics otherwise, for that is a fault of the
// program.
func elemSize[T any]() int {
	t := reflect.TypeFor[T]()
	if !plain(t) || int(t.Size()) != binary.Size(reflect.Zero(t).Interface()) {
		panic("file: element type " + t.String() + " is not made of sized numbers in exported fields without padding")
	}
	return int(t.Size())
}

func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && plain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !plain(f.Type) || !f.IsExported() && f.Name != "_" {
				return false
			}
		}
		return t.NumField() > 0
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64:
		return true
	default:
		return false
	}
}

// encode returns the elements of s as they stand in a file, in new memory.
func encode[T any](s []T) []byte {
	out, err := binary.Append(make([]byte, 0, len(s)*elemSize[T]()), binary.LittleEndian, s)
	if err != nil {
		panic("file: " + err.Error()) // elemSize admitted the type
	}
	return out
}

// decode is the inverse of encode.
func decode[T any](b []byte) []T {
	s := make([]T, len(b)/elemSize[T]())
	if _, err := binary.Decode(b, binary.LittleEndian, s); err != nil {
		panic("file: " + err.Error()) // elemSize admitted the type
	}
	return s
}
