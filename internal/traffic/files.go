package traffic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/fourway-routing/fourway/graph"
)

// Files are changes in files, those of a later file or line before those of an
// earlier one.
type Files struct {
	Speeds, Penalties []string
	// JumpFactor, if positive, reports segments that get faster by it and
	// more.
	JumpFactor float64
	// After, if set, is what earlier updates made of the same metric: they count
	// where these say nothing.
	After *graph.Metric
	// Open opens a file.
	Open func(name string) (io.ReadCloser, error)
}

// checkEvery is the number of rows between looks at the context.
const checkEvery = 1 << 14

// Apply hands the changes in files to an Updater.
func (f *Files) Apply(ctx context.Context, u *Updater) error {
	count := 0
	check := func() error {
		if count++; count%checkEvery == 0 {
			return ctx.Err()
		}
		return nil
	}
	r := u.report
	first := len(u.sources)
	for _, name := range f.Speeds {
		if _, err := u.Source(sourceName(name)); err != nil {
			return err
		}
	}
	if f.After != nil {
		if err := u.Replay(f.After); err != nil {
			return err
		}
	}
	for i, name := range f.Speeds {
		source := uint8(first + i)
		r.Speeds = append(r.Speeds, FileReport{Path: name})
		of := &r.Speeds[len(r.Speeds)-1]
		if err := readFile(name, f.Open, func(src io.Reader) error {
			return ReadSpeeds(name, src, func(from, to int64, s Speed) error {
				of.Rows++
				if u.Segment(from, to, s, source) {
					of.Matched++
				}
				return check()
			})
		}); err != nil {
			return err
		}
	}
	for _, name := range f.Penalties {
		r.Penalties = append(r.Penalties, FileReport{Path: name})
		of := &r.Penalties[len(r.Penalties)-1]
		if err := readFile(name, f.Open, func(src io.Reader) error {
			return ReadPenalties(name, src, func(from, via, to int64, p Penalty) error {
				of.Rows++
				if u.Turn(from, via, to, p) {
					of.Matched++
				}
				return check()
			})
		}); err != nil {
			return err
		}
	}
	u.countUsed(f, first)
	return nil
}

// readFile opens a file and reads it.
func readFile(name string, open func(string) (io.ReadCloser, error), use func(io.Reader) error) error {
	src, err := open(name)
	if err != nil {
		// The error of the file system names the file in most cases.
		if e := (*fs.PathError)(nil); !errors.As(err, &e) {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return fmt.Errorf("traffic: %w", err)
	}
	return errors.Join(use(src), src.Close())
}

// sourceName is what answers call a file: its name without folder and ending.
func sourceName(name string) string {
	base := path.Base(filepath.ToSlash(name))
	return strings.TrimSuffix(base, path.Ext(base))
}

// countUsed counts the segments that files have changed, whose numbers begin with
// first, and those that jumped.
func (u *Updater) countUsed(f *Files, first int) {
	if !u.segments {
		return
	}
	n, r, old := u.net, u.report, cmp.Or(f.After, u.base)
	for c := range n.NumChains() {
		for s := n.ChainFirst[c]; s+1 < n.ChainFirst[c+1]; s++ {
			for d := range 2 {
				source := int(u.m.SegmentSource[d][s])
				if source < first || source >= first+len(r.Speeds) {
					continue
				}
				of := &r.Speeds[source-first]
				of.Used++
				before, after := old.SegmentDuration[d][s], u.m.SegmentDuration[d][s]
				if f.JumpFactor > 0 && float64(before) >= float64(after)*f.JumpFactor {
					from, to := n.ChainPlaces[s], n.ChainPlaces[s+1]
					if d == 1 {
						from, to = to, from
					}
					r.Jumps = append(r.Jumps, Jump{
						From: n.OSMNodes.Get(uint32(from)), To: n.OSMNodes.Get(uint32(to)),
						Before: float64(before) / 10, After: float64(after) / 10, Source: of.Path,
					})
				}
			}
		}
	}
}

// Update makes a metric of another one of the index' network and changes in files.
func Update(ctx context.Context, x *Index, base *graph.Metric, f *Files, c *Conditions) (*graph.Metric, *Report, error) {
	r := &Report{}
	u := NewUpdater(x, base, r)
	if err := f.Apply(ctx, u); err != nil {
		return nil, nil, err
	}
	u.Conditions(c)
	m, _ := u.Finish()
	return m, r, nil
}
