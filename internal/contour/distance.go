package contour

import "context"

// rowsPerCheck is the number of rows between two looks at the context.
const rowsPerCheck = 64

// Draw adds the marks of a step to those of the steps before it, and finds the
// distances to them up to a margin in cells. Steps are drawn in their order. A done
// context ends it with the context's error.
func (c *Canvas) Draw(ctx context.Context, step int, margin float64) error {
	for y := range c.height {
		row := c.step[y*c.width : (y+1)*c.width]
		for x, s := range row {
			if int(s) != step {
				continue
			}
			i := y*c.width + x
			if c.mark[i].before(c.near[i]) {
				c.near[i] = c.mark[i]
			}
			c.first[0], c.first[1] = min(c.first[0], x), min(c.first[1], y)
			c.past[0], c.past[1] = max(c.past[0], x+1), max(c.past[1], y+1)
		}
	}
	f := frame(margin)
	left, right := max(c.first[0]-f, 1), min(c.past[0]+f, c.width-1)
	low, high := max(c.first[1]-f, 1), min(c.past[1]+f, c.height-1)
	for y := low; y < high; y++ {
		if y%rowsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row := c.near[y*c.width : (y+1)*c.width]
		below := c.near[(y-1)*c.width : y*c.width]
		for x := left; x < right; x++ {
			o := row[x]
			o = o.closer(row[x-1], -parts, 0)
			o = o.closer(below[x-1], -parts, -parts)
			o = o.closer(below[x], 0, -parts)
			row[x] = o.closer(below[x+1], parts, -parts)
		}
		for x := right - 1; x >= left; x-- {
			row[x] = row[x].closer(row[x+1], parts, 0)
		}
	}
	for y := high - 1; y >= low; y-- {
		if y%rowsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row := c.near[y*c.width : (y+1)*c.width]
		above := c.near[(y+1)*c.width : (y+2)*c.width]
		for x := right - 1; x >= left; x-- {
			o := row[x]
			o = o.closer(row[x+1], parts, 0)
			o = o.closer(above[x+1], parts, parts)
			o = o.closer(above[x], 0, parts)
			row[x] = o.closer(above[x-1], -parts, parts)
		}
		for x := left; x < right; x++ {
			row[x] = row[x].closer(row[x-1], -parts, 0)
		}
	}
	return nil
}

// reach is the length of an offset, in parts of a cell, that is not passed on.
const reach = (MaxMargin + 4) * parts

// closer returns the shorter of an offset and that of a neighbor who lies so far away.
func (o offset) closer(p offset, x, y int32) offset {
	px, py := int32(p.x), int32(p.y)
	if px == int32(nowhere.x) {
		return o
	}
	px, py = px+x, py+y
	if px*px+py*py >= o.length() || px*px+py*py > reach*reach {
		return o
	}
	return offset{int16(px), int16(py)}
}
