//go:build invariants

package heap

const invariants = true

func assert(ok bool, what string) {
	if !ok {
		panic("heap: " + what)
	}
}
