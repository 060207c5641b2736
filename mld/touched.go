package mld

import (
	"cmp"
	"slices"
)

// touched is a cell and the level at which a search crosses it; at level 0 it
// searches a cell of level 1 itself.
type touched struct {
	code  uint64
	level int
}

// Cells returns the number of cells that the last search by Shortest, To or
// Alternatives touched: those with a node that it gave a label, by the level at
// which it crosses them. It takes longer than many a search, and allocates.
func (s *Search) Cells() int {
	c := s.o.cells
	border := uint32(0)
	if len(c.levels) > 0 {
		border = c.levels[0].border
	}
	var all []touched
	for _, h := range s.heaps {
		records := h.Records()
		for i := range records {
			v := records[i].Node
			t := touched{code: c.code(v)}
			if v < border {
				t.level = levelOf(c, s.codes, v)
			}
			if t.level > 1 {
				t.code &^= c.levelBit(t.level) - 1
			}
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b touched) int { return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.code, b.code)) })
	return len(slices.Compact(all))
}
