//go:build !nounsafe

package file

import "unsafe"

// inPlace says whether sections can be used where they lie: the machine's byte
// order is the file's.
var inPlace = func() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}()

// view returns the elements that b holds, in place where that can be: b begins
// at a multiple of 8, and its length is one of the element's size.
func view[T any](b []byte) []T {
	n := len(b) / elemSize[T]()
	if !inPlace {
		return decode[T](b)
	}
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// bytesOf returns the elements of s as they stand in a file, in place where that
// can be.
func bytesOf[T any](s []T) []byte {
	size := elemSize[T]()
	if !inPlace {
		return encode(s)
	}
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*size)
}

// aligned says whether b begins at a multiple of 8.
func aligned(b []byte) bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))%8 == 0
}
