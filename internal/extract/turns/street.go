package turns

import (
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// assignStreets names the turns of a junction that is nothing special.
func (w *Worker) assignStreets(via nbg.EdgeID, roads []Road) {
	if len(roads) == 1 {
		return
	}
	if roads[0].Allowed {
		w.basicToward(via, &roads[0], graph.UTurn)
	}
	switch len(roads) {
	case 2:
		w.sayObvious(2, via, false, &roads[1])
	case 3:
		w.assignThree(via, roads)
	default:
		w.assignMany(via, roads)
	}
}

// endOfRoad says whether one arrives at the foot of a T.
func endOfRoad(right, left *Road) bool {
	return geo.AngularDeviation(right.Angle, 90) < narrowTurn && geo.AngularDeviation(left.Angle, 270) < narrowTurn &&
		geo.AngularDeviation(right.Angle, left.Angle) > 2*narrowTurn
}

func (w *Worker) assignThree(via nbg.EdgeID, roads []Road) {
	obvious := w.obvious(via, roads)
	right, left := &roads[1], &roads[2]
	links := true
	for i := range roads {
		links = links && w.edge(&roads[i]).Class.Link
	}
	fork := w.fork(via, roads)
	switch {
	case fork.size() > 0 && (links || obvious == 0):
		w.assignFork(via, &roads[fork.last], &roads[fork.first])
	case obvious == 0 && endOfRoad(right, left):
		w.arriveAtEnd(via, right, graph.Right)
		w.arriveAtEnd(via, left, graph.Left)
	case obvious > 0:
		main, side, aside := right, left, graph.SlightLeft
		if obvious == 2 {
			main, side, aside = left, right, graph.SlightRight
		}
		w.sayObvious(3, via, w.throughStreet(roads, obvious), main)
		direction := side.direction()
		if direction == graph.Straight && main.direction() == graph.Straight {
			direction = aside
		}
		w.basicToward(via, side, direction)
	default:
		w.basic(via, right)
		w.basic(via, left)
	}
}

func (w *Worker) arriveAtEnd(via nbg.EdgeID, r *Road, m graph.Modifier) {
	if !r.Allowed {
		return
	}
	r.say(graph.TurnEndOfRoad, m)
	if w.basicType(via, r) == graph.TurnOnRamp {
		r.say(graph.TurnOnRamp, m)
	}
}

func (w *Worker) assignMany(via nbg.EdgeID, roads []Road) {
	obvious := w.obvious(via, roads)
	fork := w.fork(via, roads)
	ahead := closest(roads, straightAngle)
	straight := &roads[ahead]
	// Roads below right turn right, those above left turn left.
	right, left := ahead, ahead
	switch {
	case obvious > 0:
		w.sayObvious(len(roads), via, w.throughStreet(roads, obvious), &roads[obvious])
		right, left = obvious, obvious
	case fork.size() > 0:
		w.assignForkOfMany(via, roads, fork)
		right, left = fork.first, fork.last
	case straight.bend() < fuzzyAngle && !straight.Allowed:
	case straight.Angle > straightAngle:
		left = ahead - 1
	case straight.Angle < straightAngle:
		right = ahead + 1
	default:
		w.assignByAngle(via, roads[1:])
		return
	}
	w.assignLeft(via, roads, left)
	w.assignRight(via, roads, right)
}

func (w *Worker) assignForkOfMany(via nbg.EdgeID, roads []Road, f fork) {
	left, right := &roads[f.last], &roads[f.first]
	if f.size() == 3 {
		w.assignTripleFork(via, left, &roads[f.first+1], right)
		return
	}
	l, r := &w.edge(left).Class, &w.edge(right).Class
	switch {
	case alikeForFork(l, r):
		w.assignFork(via, left, right)
	default:
		w.preferByPriority(len(roads), via, left, right)
	}
}

// preferByPriority makes the road of higher rank the obvious one of two.
func (w *Worker) preferByPriority(roads int, via nbg.EdgeID, left, right *Road) {
	if w.edge(left).Class.Priority > w.edge(right).Class.Priority {
		w.sayObvious(roads, via, false, right)
		w.basicToward(via, left, graph.SlightLeft)
	} else {
		w.sayObvious(roads, via, false, left)
		w.basicToward(via, right, graph.SlightRight)
	}
}

func (w *Worker) assignByAngle(via nbg.EdgeID, roads []Road) {
	for i := range roads {
		if roads[i].Allowed {
			w.basic(via, &roads[i])
		}
	}
}

// assignLeft names the turns into the roads above index from.
func (w *Worker) assignLeft(via nbg.EdgeID, roads []Road, from int) {
	mirror(roads)
	w.assignRight(via, roads, len(roads)-from)
	mirror(roads)
}

// mirror swaps left and right.
func mirror(roads []Road) {
	for i := range roads {
		if r := &roads[i]; geo.AngularDeviation(r.Angle, 0) > 0x1p-52 {
			r.Angle = 360 - r.Angle
			r.Instruction = r.Instruction.Toward(r.Instruction.Modifier().Mirror())
		}
	}
	slices.Reverse(roads[1:])
}

// assignRight names the turns into the roads below index upTo, of which no two
// should go in the same direction.
func (w *Worker) assignRight(via nbg.EdgeID, roads []Road, upTo int) {
	if upTo <= 1 || countAllowed(roads[1:upTo]) == 0 {
		return
	}
	switch upTo {
	case 3:
		if roads[1].direction() == roads[2].direction() {
			w.resolve(via, &roads[2], &roads[1])
			return
		}
	case 4:
		if w.assignThreeRight(via, roads) {
			return
		}
	}
	w.assignByAngle(via, roads[1:upTo])
}

// assignThreeRight names three turns to the right if their angles do not say
// enough.
func (w *Worker) assignThreeRight(via nbg.EdgeID, roads []Road) bool {
	first, second, third := &roads[1], &roads[2], &roads[3]
	a, b, c := first.direction(), second.direction(), third.direction()
	apart := geo.AngularDeviation(second.Angle, third.Angle)
	switch {
	case a != b && b != c:
		return false
	case countAllowed(roads[1:4]) <= 2:
		switch {
		case !third.Allowed:
			w.resolve(via, second, first)
		case !first.Allowed:
			w.resolve(via, third, second)
		default:
			w.resolve(via, third, first)
		}
	case geo.AngularDeviation(first.Angle, second.Angle) >= narrowTurn && apart >= narrowTurn:
		w.basicToward(via, first, graph.SharpRight)
		w.basicToward(via, second, graph.Right)
		w.basicToward(via, third, graph.SlightRight)
	case a == b && b == c, a == b && apart < groupAngle,
		b == c && geo.AngularDeviation(first.Angle, second.Angle) < groupAngle:
		return false
	case apart >= groupAngle:
		w.resolve(via, second, first)
		w.basicToward(via, third, c)
	default:
		w.basicToward(via, first, a)
		w.resolve(via, third, second)
	}
	return true
}

// resolve gives two turns that their angles alone would call the same different
// directions.
func (w *Worker) resolve(via nbg.EdgeID, left, right *Road) {
	if !left.Allowed || !right.Allowed || left.Angle == right.Angle {
		if left.Allowed {
			w.basic(via, left)
		}
		if right.Allowed {
			w.basic(via, right)
		}
		return
	}
	l, r := left.direction(), right.direction()
	if l == graph.Straight || l == graph.SlightLeft || r == graph.SlightRight {
		w.preferByPriority(4, via, left, right)
		return
	}
	near := func(r *Road, angle float64) bool { return geo.AngularDeviation(r.Angle, angle) < noTurn }
	switch {
	case near(left, 90):
		l, r = graph.Right, graph.SharpRight
	case near(right, 90):
		l, r = graph.SlightRight, graph.Right
	case near(left, 270):
		l, r = graph.Left, graph.SlightLeft
	case near(right, 270):
		l, r = graph.SharpLeft, graph.Left
	case l == graph.SharpLeft:
		r = graph.Left
	case r == graph.SharpRight:
		l = graph.Right
	case geo.AngularDeviation(left.Angle, 85) >= geo.AngularDeviation(right.Angle, 85):
		l, r = graph.SlightRight, graph.Right
	default:
		l, r = graph.Right, graph.SharpRight
	}
	w.basicToward(via, left, l)
	w.basicToward(via, right, r)
}

// fork is a range of two or three roads, first to last, between which one has
// to choose; none if both are 0.
type fork struct{ first, last int }

func (f fork) size() int {
	if f.last == 0 {
		return 0
	}
	return f.last - f.first + 1
}

// endsFork says whether a road is the last of those that fan out, being next
// to another one.
func endsFork(road, next *Road) bool {
	return next.bend() > narrowTurn &&
		(geo.AngularDeviation(road.Angle, next.Angle) > narrowTurn || road.bend() > groupAngle)
}

// forkByAngle finds roads that fan out straight ahead.
func forkByAngle(roads []Road) fork {
	ahead := closest(roads, straightAngle)
	if len(roads) < 3 || roads[ahead].bend() > narrowTurn {
		return fork{}
	}
	right, left := ahead, ahead
	for right > 0 && !endsFork(&roads[right], &roads[right-1]) {
		right--
	}
	for left+1 < len(roads) && !endsFork(&roads[left], &roads[left+1]) {
		left++
	}
	if right < left && left-right < 3 {
		return fork{right, left}
	}
	return fork{}
}

func (w *Worker) fork(via nbg.EdgeID, roads []Road) fork {
	f := forkByAngle(roads)
	if f.size() == 0 {
		return fork{}
	}
	next := (f.last + 1) % len(roads)
	before := max(f.first-1, 0)
	if geo.AngularDeviation(roads[f.last].Angle, roads[next].Angle) < groupAngle ||
		geo.AngularDeviation(roads[f.first].Angle, roads[before].Angle) < groupAngle {
		return fork{}
	}
	mode := w.g.Edges[via].Mode
	for i := f.first; i <= f.last; i++ {
		if r := &roads[i]; !r.Allowed || w.edge(r).Mode != mode {
			return fork{}
		}
		if i < f.last && (w.obviousOfTwo(via, &roads[i], &roads[i+1]) || w.obviousOfTwo(via, &roads[i+1], &roads[i])) {
			return fork{}
		}
	}
	if !w.forkByClass(roads, f) {
		return fork{}
	}
	return f
}

// forkByClass says whether no road of a fork goes before another by its rank.
func (w *Worker) forkByClass(roads []Road, f fork) bool {
	in := &w.edge(&roads[0]).Class
	link := w.edge(&roads[f.first]).Class.Link
	for i := f.first; i <= f.last; i++ {
		c := &w.edge(&roads[i]).Class
		if c.Link != link {
			return false
		}
		for k := f.first; k <= f.last; k++ {
			if i != k && obviousByClass(in, c, &w.edge(&roads[k]).Class) {
				return false
			}
		}
	}
	return true
}

// obviousOfTwo says whether a road goes before another.
func (w *Worker) obviousOfTwo(via nbg.EdgeID, road, other *Road) bool {
	in, out, rest := &w.g.Edges[via], w.edge(road), w.edge(other)
	switch {
	case obviousByClass(&in.Class, &out.Class, &rest.Class):
		return true
	case obviousByClass(&in.Class, &rest.Class, &out.Class):
		return false
	}
	bend, otherBend := road.bend(), other.bend()
	if bend < 0x1p-52 && !w.Nameless(in.Names) && !w.NameChanges(in.Names, out.Names) {
		return true
	}
	const clearly = 1.4
	return otherBend/bend > clearly && geo.AngularDeviation(otherBend, bend) > fuzzyAngle
}
