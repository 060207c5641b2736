package file

import "syscall"

// evict drops the pages of a mapping. On an error they stay.
func evict(mapping []byte) { _ = syscall.Madvise(mapping, syscall.MADV_DONTNEED) }
