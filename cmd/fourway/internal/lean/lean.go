// Package lean makes a process that prepares data take less memory than one that
// answers requests would. Its functions are for the program's owner: they change
// the whole process.
package lean

import "runtime/debug"

// How much the heap may grow between two collections, in percent. A build makes
// large arrays that live long, so collecting often is cheap: after extraction they
// have hardly any pointers, and it takes a tenth of the time.
const (
	Extract = 40
	Prepare = 5
)

// Begin makes the collector run more often, and gives back the pages of the program
// that its start has read and the work may never read again. The function that it
// returns ends the former.
func Begin(percent int) (end func()) {
	old := debug.SetGCPercent(percent)
	dropProgram()
	return func() { debug.SetGCPercent(old) }
}
