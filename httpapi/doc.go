// Package httpapi serves OSRM's HTTP interface, version 1, over a
// routing.Engine:
//
//	http.ListenAndServe("127.0.0.1:5000", httpapi.Handler(engine, httpapi.Options{}))
//
// It parses URLs, calls package routing and writes JSON; it has no routing of
// its own. A request whose client is gone is cancelled. There is no access log
// and no limit of rate: both are for the caller to put around the handler.
//
// The services are route, by GET and by POST of a JSON object, and nearest. A
// request for table, trip, match or tile is answered NotImplemented.
//
// A Handler is safe for concurrent use and lives as long as its Engine.
package httpapi
