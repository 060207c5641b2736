package lean

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// dropProgram gives back the pages of the program's code and constants, which are
// those of its file: what is needed is read again, from the system's cache. Starting
// a program of many parts reads most of it once. On any error the pages stay.
func dropProgram() {
	path, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for line := range bytes.Lines(maps) {
		// from-to access offset device inode path
		f := bytes.Fields(line)
		if len(f) != 6 || string(f[5]) != path || f[1][1] != '-' { // what can be written may differ from the file
			continue
		}
		first, last, _ := bytes.Cut(f[0], []byte("-"))
		from, err1 := strconv.ParseUint(string(first), 16, 64)
		to, err2 := strconv.ParseUint(string(last), 16, 64)
		if err1 == nil && err2 == nil {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, uintptr(from), uintptr(to-from), syscall.MADV_DONTNEED)
		}
	}
}
