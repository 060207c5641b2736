package extract

import "github.com/fourway-routing/fourway/internal/extract/osmfile"

const (
	// baseMemory is what reading and profiles need.
	baseMemory = 24 << 20
	// memoryPerByte is the peak per byte of PBF in files of nothing but roads;
	// with buildings and the rest it is a third to two thirds of that.
	memoryPerByte = 24
)

// EstimateMemory says about how many bytes of memory an extraction needs at its
// peak. It goes by the size of the file alone and rather says too much: half of
// it is usual for files that hold more than roads.
func EstimateMemory(f *osmfile.File) int64 {
	size := f.Size()
	// How much smaller the same data is as PBF.
	switch f.Format() {
	case "xml":
		size /= 14
	case "xml.gz":
		size = size * 2 / 3
	}
	return baseMemory + memoryPerByte*size
}
