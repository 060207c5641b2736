// Package replay plays recorded requests to a server, or to its handler in
// process, and tells how long the answers took.
//
// A log is read by [Reader], line by line. [Play] has so many workers ask, each the
// next request when it has its answer, or, in recorded time, all requests when
// they are due: then a request that had to wait for a worker is charged for it.
package replay
