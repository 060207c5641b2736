package turns

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
)

// onlyDriveways says whether a road passes a junction at which nothing but
// driveways meet it.
func (w *Worker) onlyDriveways(roads []Road) bool {
	if len(roads) <= 2 || w.edge(&roads[0]).Class.MayBeIgnored {
		return false
	}
	minor := 0
	for i := range roads {
		if w.edge(&roads[i]).Class.MayBeIgnored {
			minor++
		}
	}
	return minor+2 == len(roads)
}

func (w *Worker) passDriveways(via nbg.EdgeID, roads []Road) {
	at := 1
	for w.edge(&roads[at]).Class.MayBeIgnored {
		at++
	}
	road := &roads[at]
	if road.Instruction == invalid {
		return
	}
	kind := graph.TurnNewName
	if w.sameStreet(via, road) {
		kind = graph.TurnNone
	}
	road.Instruction = road.Instruction.With(kind)
	if road.Instruction.Modifier() != graph.Straight {
		return
	}
	for i := 1; i < len(roads); i++ {
		r := &roads[i]
		switch {
		case i == at || r.Instruction.Modifier() != graph.Straight:
		case i < at:
			r.Instruction = r.Instruction.Toward(graph.SlightRight)
		default:
			r.Instruction = r.Instruction.Toward(graph.SlightLeft)
		}
	}
}
