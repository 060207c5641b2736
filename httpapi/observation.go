package httpapi

import (
	"net/http"
	"time"
)

// Observation is what Options.Observe is told of a request.
type Observation struct {
	Request *http.Request
	// Service and Profile are as the URL has them; empty if it was not
	// understood.
	Service, Profile string
	// Code is Ok, or that of the error; ClientGone if nobody was there to take
	// an answer.
	Code   string
	Err    error // why it is not Ok; of an InternalError clients are not told
	Status int   // of HTTP
	Bytes  int64 // of the body, as sent
	// Waited is the time until the request's turn, Took the whole time until
	// the answer was sent.
	Waited, Took time.Duration
}
