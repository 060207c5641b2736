package lua

import "time"

// budget counts the instructions of a script. The interpreter asks the Done
// channel of its context before every instruction, so a context that counts
// these questions stops a script after the same instruction every time.
type budget struct {
	left  int64
	spent chan struct{} // closed
}

func newBudget() *budget {
	b := &budget{spent: make(chan struct{})}
	close(b.spent)
	return b
}

// Deadline returns none.
func (b *budget) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Done returns a channel that is closed once the budget is used up.
func (b *budget) Done() <-chan struct{} {
	if b.left--; b.left < 0 {
		return b.spent
	}
	return nil
}

// take spends the price of work outside of the interpreter.
func (b *budget) take(n int) bool {
	b.left -= int64(n)
	return b.left >= 0
}

// Err returns why Done's channel is closed.
func (b *budget) Err() error {
	if b.left < 0 {
		return ErrLimit
	}
	return nil
}

// Value returns nil.
func (b *budget) Value(any) any { return nil }
