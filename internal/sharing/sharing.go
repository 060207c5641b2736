// Package sharing tells how much memory values take that share some of it.
package sharing

import "reflect"

// Own returns the bytes of a list, 0 if it begins where another one does: immutable
// lists that do are one.
func Own[T any](list, of []T) int64 {
	if len(list) == 0 || len(of) > 0 && &list[0] == &of[0] {
		return 0
	}
	return int64(len(list)) * int64(reflect.TypeFor[T]().Size())
}
