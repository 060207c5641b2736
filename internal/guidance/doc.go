// Package guidance turns the path of a leg into steps: what to do, where, and
// the way from there to the next maneuver.
//
// What the map alone tells of a turn (its type, direction and lanes) was found
// at extraction and lies in [graph.Guidance]. A [Builder] makes a step of every
// turn that says anything, and then joins steps, each stage in a file of its
// own, in this order:
//
//	assemble     a step for each turn
//	override     maneuvers that the map tells
//	segregated   crossings of split roads become one turn
//	trim         steps and pieces of line at the ends that are too short
//	roundabout   ways through roundabouts become one step, exits are counted
//	collapse     turns close to one another become one
//	lanes        lanes that the next turns need
//	silent       intersections without a maneuver join the step before
//	verbosity    roads that change their name for a moment
//	waypoint     on which side the ends lie
//
// The tests draw maps; go test -run TestDrawn -svg folder makes a picture of each.
//
// The rules are those of OSRM 26.8, with its constants.
//
// A Builder belongs to one goroutine and keeps its memory; what it returns is
// valid until its next use. It does not allocate once it has grown.
package guidance
