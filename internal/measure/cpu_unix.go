//go:build unix

package measure

import (
	"syscall"
	"time"
)

// CPU returns the time that all processors have given this process, 0 where the
// system does not tell.
func CPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
