package batch

import (
	"encoding/json"
	"errors"

	"github.com/fourway-routing/fourway/routing"
)

// The codes of failures that package routing does not have.
const (
	// CodePanic: answering panicked, which is a fault of the library. The message
	// has the stack.
	CodePanic = "Panic"
	// CodeDeadline: answering took longer than Options.Deadline.
	CodeDeadline = "Deadline"
)

// Failure is a request without an answer. It takes the request's place among the
// results: no request fails a pipeline.
type Failure struct {
	// ID is the request's, empty if it could not be read.
	ID string `json:"id" parquet:"id"`
	// Code is a routing.Code, or CodePanic or CodeDeadline.
	Code string `json:"code" parquet:"code"`
	// Index is the position of the coordinate in the request that the failure is
	// about, -1 if it is not about one.
	Index   int32  `json:"index" parquet:"index"`
	Message string `json:"message" parquet:"message"`
	// Request is the request in JSON, as the line of the file had it if it comes
	// from one.
	Request string `json:"request" parquet:"request"`
}

// failureOf tells the failure that an error of package routing or httpapi is.
func failureOf(err error) *Failure {
	f := &Failure{Code: string(routing.ErrInvalidQuery), Index: -1, Message: err.Error()}
	var known *routing.Error
	if errors.As(err, &known) {
		f.Code, f.Index = string(known.Code), int32(known.Index)
	}
	return f
}

func (f *Failure) appendLine(dst []byte) []byte {
	b, _ := json.Marshal(f) // strings and a number
	return append(dst, b...)
}
