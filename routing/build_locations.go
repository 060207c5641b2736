package routing

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/fourway-routing/fourway/internal/region"
)

// locations reads what profiles look up by place.
func (b *builder) locations() (*region.Set, error) {
	if len(b.opt.LocationData) == 0 {
		return nil, nil
	}
	set := &region.Set{}
	for _, name := range b.opt.LocationData {
		f, err := openFile(b.opt.FS, name)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(set.Read(name, f), f.Close()); err != nil {
			return nil, err
		}
	}
	b.report.LocationFeatures, b.report.LocationPolygons = set.NumFeatures(), set.NumPolygons()
	return set, nil
}

// openFile opens a file, in fsys if there is one.
func openFile(fsys fs.FS, name string) (io.ReadCloser, error) {
	if fsys == nil {
		return os.Open(name)
	}
	return fsys.Open(name)
}
