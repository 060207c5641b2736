package batch

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/fourway-routing/fourway/routing"
)

// Dataset names a data set that routing.Build wrote. It is part of a pipeline:
// each worker opens the data set by it, once per process.
type Dataset struct {
	// Name is the path of the files without their suffixes. Where it has the
	// scheme of a file system, as in gs://bucket/delaware, a worker copies the
	// files into Dir first. That file system must be registered with Beam, by the
	// import of its package.
	Name      string
	Algorithm routing.Algorithm
	// Dir is the local folder for copies, which processes on one machine share and
	// which stay there; empty stands for the one of temporary files.
	Dir string
	// GraphID, MetricID and HierarchyID are those of routing.Info. A worker whose
	// data set has others refuses to work; empty ones are not compared. Pin fills
	// them in.
	GraphID, MetricID, HierarchyID string
}

// ErrDataset is the kind of error for a data set that a worker cannot open, or
// whose ids are others than those of the pipeline.
var ErrDataset = errors.New("batch: data set unusable")

// Pin opens the data set here, where the pipeline is made, and returns it with
// its ids, so that all workers answer from the same one.
func (d Dataset) Pin(ctx context.Context) (Dataset, error) {
	s, err := acquire(ctx, d)
	if err != nil {
		return d, err
	}
	defer s.release()
	info := s.value.Info()
	d.GraphID, d.MetricID, d.HierarchyID = info.GraphID, info.MetricID, info.HierarchyID
	return d, nil
}

func (d *Dataset) ids() [3]string { return [3]string{d.GraphID, d.MetricID, d.HierarchyID} }

// datasets are those that this process has open. Beam makes functions of a pipeline
// anew for stages and bundles, and gives them nothing else to share.
var datasets shared[Dataset, *routing.Engine]

func acquire(ctx context.Context, d Dataset) (*held[*routing.Engine], error) {
	return datasets.acquire(d, func() (*routing.Engine, error) { return open(ctx, d) }, func(e *routing.Engine) {
		_ = e.Close() // its files were only read
	})
}

func open(ctx context.Context, d Dataset) (*routing.Engine, error) {
	name := strings.TrimPrefix(d.Name, "file://")
	if strings.Contains(name, "://") {
		local, err := stage(ctx, d)
		if err != nil {
			return nil, fmt.Errorf("%w: %s cannot be copied to this worker: %w", ErrDataset, d.Name, err)
		}
		name = local
	}
	e, err := routing.Open(name, routing.Options{
		Algorithm: d.Algorithm,
		Limits:    routing.Limits{TableCells: -1},
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDataset, err)
	}
	info := e.Info()
	for _, id := range [...]struct{ what, want, got string }{
		{"graph", d.GraphID, info.GraphID},
		{"metric", d.MetricID, info.MetricID},
		{"hierarchy", d.HierarchyID, info.HierarchyID},
	} {
		if id.want != "" && id.want != id.got {
			_ = e.Close()
			return nil, fmt.Errorf("%w: %s has the %s %s here, the pipeline was made for %s: give all workers the same files, or make the pipeline anew",
				ErrDataset, d.Name, id.what, id.got, id.want)
		}
	}
	return e, nil
}

// stage copies the files of a data set into a local folder, unless they are there,
// and returns the data set's name there. The folder is called after what was
// copied, so that another build gets another one.
func stage(ctx context.Context, d Dataset) (string, error) {
	fs, err := filesystem.New(ctx, d.Name)
	if err != nil {
		return "", err
	}
	defer fs.Close()
	files := []string{".graph", ".metric", "." + d.Algorithm.String()}
	hash := sha256.New()
	fmt.Fprintf(hash, "%s\n%s %s %s\n", d.Name, d.GraphID, d.MetricID, d.HierarchyID)
	sizes := make([]int64, len(files))
	for i, suffix := range files {
		if sizes[i], err = fs.Size(ctx, d.Name+suffix); err != nil {
			return "", fmt.Errorf("%s: %w", d.Name+suffix, err)
		}
		fmt.Fprintf(hash, "%s %d\n", suffix, sizes[i])
		if m, ok := fs.(filesystem.LastModifiedGetter); ok {
			at, err := m.LastModified(ctx, d.Name+suffix)
			if err != nil {
				return "", fmt.Errorf("%s: %w", d.Name+suffix, err)
			}
			fmt.Fprintln(hash, at.UnixNano())
		}
	}
	dir := d.Dir
	if dir == "" {
		dir = os.TempDir()
	}
	dir = filepath.Join(dir, fmt.Sprintf("fourway-batch-%x", hash.Sum(nil)[:12]))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	for i, suffix := range files {
		if err := stageFile(ctx, fs, d.Name+suffix, filepath.Join(dir, "data"+suffix), sizes[i]); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "data"), nil
}

// stageFile copies a file under another name first: processes on one machine may
// do so at once, and a copy that was cut short must not count.
func stageFile(ctx context.Context, fs filesystem.Interface, from, to string, size int64) (err error) {
	if info, err := os.Stat(to); err == nil && info.Size() == size {
		return nil
	}
	in, err := fs.OpenRead(ctx, from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(to), "copy-")
	if err != nil {
		return err
	}
	defer func() {
		_ = out.Close()
		if err != nil {
			_ = os.Remove(out.Name())
		}
	}()
	if n, err := io.Copy(out, in); err != nil || n != size {
		return fmt.Errorf("%s: %d of %d bytes were read: %w", from, n, size, errors.Join(err))
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Rename(out.Name(), to)
}
