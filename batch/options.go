package batch

import "time"

// Options says how requests are answered. The zero value is a sensible default.
type Options struct {
	// Deadline is the time that a request may take: a Failure tells those that took
	// longer. 0 stands for no limit.
	Deadline time.Duration
	// NoResponse leaves the field Response of results empty.
	NoResponse bool
	// Groups, if it is not 0, is the number of groups that a transform first divides
	// its requests into, by a shuffle; a group is answered as a whole. Runners that
	// cut a stage only between elements that take their time, as Prism does, answer
	// groups side by side where they would answer requests one after the other.
	Groups int
}
