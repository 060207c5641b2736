// Package junction analyzes the junctions of a node-based graph: which turns
// are allowed, and at which angle a driver perceives them.
//
// The angle matters twice. Turn penalties are a function of it, so that a
// difference of some degrees shows in durations; and guidance words the
// maneuver by it. A road's mapped geometry tells the angle badly: roads of
// several lanes meet in one point, carriageways split shortly before a
// junction, first segments are short. The rules here are those of OSRM's
// intersection analysis (coordinate extraction, merging of split roads, order
// of the roads, turns that are possible at all); its constants were tuned on
// real maps and its numbers are reproduced up to the last bits.
//
// An [Analyzer] is immutable and safe for concurrent use. A [Worker] made from
// it belongs to one goroutine and reuses its memory: what [Worker.At] returns
// is valid until the next At, what [Junction.View] returns until the next View.
// In steady state neither allocates.
//
// Bearings are degrees clockwise from north. Angles of turns are degrees
// counted from the road one comes from: 0 is a U-turn, 90 right, 180 straight
// on, 270 left.
package junction
