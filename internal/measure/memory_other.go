//go:build !linux

package measure

// Memory is that of a process, in bytes.
type Memory struct {
	Resident int64 // in main memory now
	Private  int64 // of that, what is no page of a file: heap and stacks
	Peak     int64 // most that was resident
}

// ReadMemory returns the memory of this process; zeros where the system does not
// tell.
func ReadMemory() Memory { return Memory{} }
