// Package turns says what a driver is told at each turn of a junction: the
// type and direction of the maneuver, and the lanes that lead into it.
//
// A [Worker] looks at the view of a junction from one road, as package junction
// makes it, and goes through stages that stand in files of their own:
//
//	mode        ferries and trains need no words
//	roundabout  roundabouts, rotaries, roundabout turns
//	driveway    a road that only driveways meet
//	motorway    motorways and their ramps
//	street      all other junctions: obvious turns, forks, ends of roads
//	sliproad    short cuts before a crossing
//	lanes       which lanes serve which turn, also over two junctions
//
// What the answer depends on is the map alone; what depends on the path is
// the task of package guidance. The rules are those of OSRM's guidance, with
// its constants, which were tuned on real maps.
//
// A Worker belongs to one goroutine. What it returns is valid until its next
// use. Angles are those of package junction: degrees counted from the road one
// comes from, 0 being a U-turn, 90 right, 180 straight on.
package turns
