// Package httpapi serves OSRM's HTTP interface, version 1, over one
// routing.Engine or several:
//
//	server := httpapi.Handler(engine, httpapi.Options{})
//	http.ListenAndServe("127.0.0.1:5000", server)
//
// It parses URLs and bodies, calls package routing, and writes JSON, flatbuffers
// or vector tiles; it has no routing of its own. The services are route, table,
// match (GET, and POST of a JSON object), nearest, trip and tile (GET).
// docs/http.md in the repository describes the interface, docs/compatibility.md
// how it keeps to OSRM's.
//
// Several data sets are told apart by the profile in the URL: see Mux. A profile
// that is not known is refused.
//
// A request is bounded in size and in time, and is cancelled when its client
// goes. So many run at once, so many more wait, and the others are turned away
// with 503: see Options. /health and /ready tell how the server is.
//
// There is no log and there are no metrics here: Options.Observe is told of each
// request, and the caller counts. Timeouts of reading and writing are
// http.Server's. There is no limit of rate by client.
//
// # Concurrency and lifetime
//
// A Server is safe for concurrent use and lives as long as its Engines, which it
// does not close. It starts no goroutines.
package httpapi
