//go:build nounsafe

package file

func view[T any](b []byte) []T { return decode[T](b) }

func bytesOf[T any](s []T) []byte { return encode(s) }

func aligned([]byte) bool { return true }
