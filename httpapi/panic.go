package httpapi

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
)

// PanicError is a request that ended in a panic: a fault of this program, or of an
// observer. The client is told the ID and no more, and other requests go on.
type PanicError struct {
	ID    string
	Value any
	Stack []byte
}

// Error tells the panic's value, without the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("httpapi: panic %s: %v", e.ID, e.Value)
}

// answerSafely is answer, of which a panic is an error.
func (s *Server) answerSafely(w http.ResponseWriter, r *http.Request, x *exchange, b *buffer) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p == http.ErrAbortHandler {
			panic(p)
		}
		err = &PanicError{ID: fmt.Sprintf("%016x", rand.Uint64()), Value: p, Stack: debug.Stack()}
		x.kind = jsonBody
	}()
	return s.answer(w, r, x, b)
}
