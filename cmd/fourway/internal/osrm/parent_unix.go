//go:build unix

package osrm

import (
	"os"
	"syscall"
)

// tellParent sends the process that started this one a SIGUSR1, if the environment
// asks for it.
func tellParent() {
	if os.Getenv("SIGNAL_PARENT_WHEN_READY") != "" {
		_ = syscall.Kill(os.Getppid(), syscall.SIGUSR1) // it may be gone
	}
}
