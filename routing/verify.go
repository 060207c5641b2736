package routing

import (
	"context"
	"errors"
	"fmt"

	"github.com/fourway-routing/fourway/ch"
	"github.com/fourway-routing/fourway/graph"
)

// Verify checks every checksum and every index of a data set that Build wrote:
// name is its path without the suffixes of the files. It reads the files as
// whole, which takes longer than Open's look at their heads. Of the options only
// Load and FS matter. Its errors are those of Open.
func Verify(ctx context.Context, name string, opt Options) (err error) {
	if err := opt.Validate(); err != nil {
		return err
	}
	p := &parts{name: name}
	defer func() {
		err = errors.Join(damage(name, err), closeAll(p.files))
	}()
	f, err := p.file(graphSuffix, &opt)
	if err != nil {
		return err
	}
	network, err := graph.DecodeNetwork(f)
	if err != nil {
		return err
	}
	if err := network.Verify(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if f, err = p.file(metricSuffix, &opt); err != nil {
		return err
	}
	metric, err := graph.DecodeMetric(f, network)
	if err != nil {
		return err
	}
	if err := metric.Verify(network.Network); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if f, err = p.file(chSuffix, &opt); err != nil {
		return err
	}
	hierarchy, err := ch.Decode(f, network, metric)
	if err != nil {
		return err
	}
	return hierarchy.Verify()
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
