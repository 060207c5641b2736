package trip

import (
	"context"
	"fmt"
)

// clock looks at a context from time to time.
type clock struct {
	ctx  context.Context
	work int
}

// interval is the work, in inner steps of a few nanoseconds, between two looks
// at the context.
const interval = 1 << 16

// spend counts n steps and fails if the context is done.
func (c *clock) spend(n int) error {
	c.work += n
	if c.work < interval {
		return nil
	}
	c.work = 0
	return c.check()
}

func (c *clock) check() error {
	if err := c.ctx.Err(); err != nil {
		return fmt.Errorf("trip: %w", err)
	}
	return nil
}
