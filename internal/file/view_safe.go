//go:build nounsafe

package file

func view[T any](b []byte) []T {
	if len(b) == 0 {
		return nil // as its twin has it
	}
	return decode[T](b)
}

func bytesOf[T any](s []T) []byte { return encode(s) }

func aligned([]byte) bool { return true }
