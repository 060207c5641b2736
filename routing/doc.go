// Package routing is the public face of Fourway: Build prepares an
// OpenStreetMap extract, Open maps the prepared files, and Route, Table, Trip,
// Match and Nearest answer as OSRM's services of the same names do.
//
//	_, err := routing.Build(ctx, routing.BuildOptions{Input: "delaware.osm.pbf", Output: "delaware"})
//	engine, err := routing.Open("delaware", routing.Options{})
//	defer engine.Close()
//	res, err := routing.Route(ctx, engine, routing.RouteRequest{
//		Coordinates: []orb.Point{{-75.52, 39.74}, {-75.60, 39.68}},
//	})
//
// Isochrone tells what can be reached from a place. Package httpapi serves all of them;
// this one parses no URLs.
//
// # Requests and responses
//
// Requests are plain structs whose zero values are OSRM's defaults. Coordinates
// are longitude and latitude in degrees, taken to the nearest micro-degree;
// durations are seconds in steps of 0.1, distances meters. A response owns its
// memory. AppendJSON writes it as OSRM v1 does, field for field.
//
// # Answers
//
// A coordinate snaps to the nearest place on a road, and to all roads that meet
// there. Where that is in a part of the network with no way out, such as a
// parking lot without a legal exit, the nearest place in a large part counts
// instead, unless all coordinates are in the same small part: that is decided
// once for all coordinates of a route or trip, and for each pair of a table, so
// that no cell depends on other coordinates. Waypoints show where they ended up;
// those of a table are the nearest places, and TableResponse.Moved lists the cells
// that have others.
//
// A coordinate in an open area, where the profile has such, does not snap: a route
// starts and stops there, with a straight walk to or from a place where the area's
// outline bends or a road meets it, whichever makes the route the cheapest. Between
// two coordinates in one area it is the shortest way that stays in the area.
//
// A route is the one of least weight. Weight, duration and distance are sums of
// whole numbers, rounded once per OSM segment, so that parts of an answer, and
// answers of different services, add up: a cell of a table is what a route says,
// and so is a leg of a trip. Of routes of equal weight one is chosen, the same one
// always, though services and algorithms may choose differently. Answers depend
// on nothing but the data set and the request.
//
// A waypoint between first and last is left in the direction of arrival, if the
// profile or the request wants that: a U-turn on the spot is made only where no
// other way leads on, and one that could be made before or after passing the
// waypoint is made before.
//
// # Algorithms
//
// A data set is built for contraction hierarchies, multi-level Dijkstra,
// customizable contraction hierarchies, or several of them; an Engine uses one. CH
// answers fastest. MLD and CCH exclude any set of classes, avoid roads by request,
// and change costs while they run (Engine.Update). A set of classes is prepared when
// first asked for, which takes about as long as that stage of the build, and a few are
// kept; with MLD those that the profile lists are in the files, until costs change.
//
// An Engine may have several metrics over one network (Update.Metric, Options.Metrics):
// requests name one, or have the hour of departure choose it (Options.Week).
//
// # Errors
//
// Failures are an *Error, whose Code is one of OSRM's and an error itself:
//
//	if errors.Is(err, routing.ErrNoRoute) { … }
//
// A done context ends a query within milliseconds, with the context's error.
//
// # Concurrency and lifetime
//
// An Engine is safe for any number of goroutines. Each query borrows a workspace
// of some bytes per search node, which the Engine keeps for the next one. A
// Session keeps one of its own and belongs to one goroutine; it is for loops of
// many queries. Close waits for the queries that run.
//
// Engine.Update, CloseRoads and Replace put another data set in the place of the one that
// queries begin with. The memory of the one before goes with the last query that
// began with it, though a Session holds what it had of it, mapped files aside, until
// its next query.
//
// The files are mapped, not read, unless Options.Load says otherwise. They must
// not change while an Engine is open: write a new data set under a new name. A
// file that is damaged or cut all the same gives ErrCorrupt, not a crash.
package routing
