package measure

import (
	"bytes"
	"os"
	"strconv"
)

// Memory is that of a process, in bytes.
type Memory struct {
	Resident int64 // in main memory now
	Private  int64 // of that, what is no page of a file: heap and stacks
	Peak     int64 // most that was resident
}

// ReadMemory returns the memory of this process; zeros where the system does not
// tell.
func ReadMemory() Memory {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return Memory{}
	}
	return Memory{kib(status, "VmRSS:"), kib(status, "RssAnon:"), kib(status, "VmHWM:")}
}

// kib returns a value that the text gives in KiB.
func kib(status []byte, name string) int64 {
	_, rest, _ := bytes.Cut(status, []byte("\n"+name))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	n, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}
