package routing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/fourway-routing/fourway/graph"
)

// Verify checks every checksum and every index of a data set that Build wrote,
// for all algorithms that it was built for: name is its path without the suffixes
// of the files. It reads the files as whole, which takes longer than Open's look
// at their heads. Of the options only Load and FS matter. Its errors are those of
// Open.
func Verify(ctx context.Context, name string, opt Options) (err error) {
	if err := opt.Validate(); err != nil {
		return err
	}
	p := &parts{name: name}
	defer func() {
		err = errors.Join(damage(name, err), closeAll(p.files))
	}()
	network, metric, err := p.openBase(&opt)
	if err != nil {
		return err
	}
	if err := network.Verify(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := metric.Verify(network.Network); err != nil {
		return err
	}
	hierarchy, errCH := p.openHierarchy(&opt, network, metric)
	overlay, errMLD := p.openOverlay(&opt, network, metric)
	absent := errors.Is(errCH, fs.ErrNotExist)
	if absent && errors.Is(errMLD, fs.ErrNotExist) {
		return errors.Join(errCH, errMLD)
	}
	if !absent {
		if errCH != nil {
			return errCH
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := hierarchy.Verify(); err != nil {
			return err
		}
	}
	if errors.Is(errMLD, fs.ErrNotExist) {
		return nil
	}
	if errMLD != nil {
		return errMLD
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return overlay.Verify()
}

// damage makes an error of the packages below one of this package.
func damage(name string, err error) error {
	if err == nil {
		return nil
	}
	for _, kind := range []error{graph.ErrForeign, graph.ErrVersion, graph.ErrTruncated, graph.ErrCorrupt, graph.ErrMismatch} {
		if errors.Is(err, kind) {
			return &Error{Code: ErrCorrupt, Index: -1, Message: "data set " + name, cause: err}
		}
	}
	return fmt.Errorf("routing: open %s: %w", name, err)
}
