package extract

import (
	"strings"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/profile"
)

// laneTable numbers lane descriptions by what they mean.
type laneTable struct {
	// byText remembers tags seen, byMeaning canonical texts.
	byText, byMeaning map[string]uint32
	descriptions      [][]nbg.LaneMask
	texts             []graph.StringID // canonical
	scratch           []profile.LaneMask
}

const (
	// noLanes is the number of ways without a description.
	noLanes = 0
	// unreadLanes is that of ways with one that is not understood.
	unreadLanes = 1
)

func newLaneTable() *laneTable {
	return &laneTable{
		byText:       map[string]uint32{"": noLanes},
		byMeaning:    make(map[string]uint32),
		descriptions: make([][]nbg.LaneMask, unreadLanes+1),
		texts:        make([]graph.StringID, unreadLanes+1),
	}
}

func (t *laneTable) id(tag string, table *stringTable) (uint32, error) {
	if id, ok := t.byText[tag]; ok {
		return id, nil
	}
	t.scratch = profile.ParseTurnLanes(t.scratch[:0], tag)
	if len(t.scratch) == 0 {
		t.byText[strings.Clone(tag)] = unreadLanes
		return unreadLanes, nil
	}
	canonical := string(appendLanes(nil, t.scratch))
	id, ok := t.byMeaning[canonical]
	if !ok {
		text, err := table.id(canonical)
		if err != nil {
			return 0, err
		}
		id = uint32(len(t.descriptions))
		masks := make([]nbg.LaneMask, len(t.scratch))
		for i, m := range t.scratch {
			masks[i] = nbg.LaneMask(m)
		}
		t.descriptions = append(t.descriptions, masks)
		t.texts = append(t.texts, text)
		t.byMeaning[canonical] = id
	}
	t.byText[strings.Clone(tag)] = id
	return id, nil
}

// indications are the values of turn:lanes by bit of profile.LaneMask.
var indications = [...]string{
	"none", "through", "sharp_left", "left", "slight_left", "slight_right",
	"right", "sharp_right", "reverse", "merge_to_left", "merge_to_right",
}

// appendLanes writes lanes in the notation of the tag.
func appendLanes(dst []byte, lanes []profile.LaneMask) []byte {
	for i, lane := range lanes {
		if i > 0 {
			dst = append(dst, '|')
		}
		first := true
		for bit, text := range indications {
			if lane>>bit&1 == 0 {
				continue
			}
			if !first {
				dst = append(dst, ';')
			}
			first = false
			dst = append(dst, text...)
		}
	}
	return dst
}
