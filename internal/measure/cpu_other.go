//go:build !unix

package measure

import "time"

// CPU returns the time that all processors have given this process, 0 where the
// system does not tell.
func CPU() time.Duration { return 0 }
