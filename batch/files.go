package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/fourway-routing/fourway/routing"
)

// Service is what the lines of files are requests to.
type Service string

// The services. ServiceMatrix is MatrixFiles'.
const (
	ServiceRoute     Service = "route"
	ServiceMatch     Service = "match"
	ServiceNearest   Service = "nearest"
	ServiceIsochrone Service = "isochrone"
	ServiceMatrix    Service = "matrix"
)

// FileOptions says which files are read and written.
type FileOptions struct {
	Service Service
	// Input is the path of a file of requests, a line of JSON each, or a pattern
	// of Beam's file systems for several.
	Input string
	// Output is the folder for results. Another job's results may not be there.
	Output string
	Format Format // JSONLines if empty
	// PartBytes is about how much of the input goes into one file of results;
	// 0 stands for 4 MiB. It is what a job that was stopped does again at most, by
	// worker.
	PartBytes int64
}

// Part tells of a file of results.
type Part struct {
	Path string
	// Answered and Failed count the requests, or the cells and places of a matrix.
	// They are 0 for a file that was Found, complete, from a run before.
	Answered, Failed int64
	Found            bool
}

// Files answers the requests of files, and writes the results to files of their
// own: part-00000-of-00016.jsonl and so on, and failures-00000-of-00016.jsonl where
// there are failures. The lines of a part have the order of the input. A file
// appears under its name when it is complete, and its content depends on nothing
// but input, data set and options: a job that was stopped and is started again,
// with the same output, leaves out what is there already and ends with the same
// files. _job.json in the folder describes the job, so that another one is refused.
//
// Requests do not go through the runner, only where in the files they are. Returned
// are Parts. An error tells what is wrong with the options.
func Files(s beam.Scope, d Dataset, opt Options, f FileOptions) (beam.PCollection, error) {
	s = s.Scope("batch.Files")
	f.setDefaults()
	if err := f.validate(); err != nil {
		return beam.PCollection{}, err
	}
	parts := beam.Reshuffle(s, beam.ParDo(s, &planFn{Data: d, Opt: opt, Files: f}, beam.Impulse(s)))
	return counted(s, beam.ParDo(s, &partFn{base{Data: d, Opt: opt}, f}, parts)), nil
}

// counted has one bundle count what all parts have. What bundles count that end at
// once may be lost on Prism, which keeps one of the values of a counter that it does
// not know yet. No stage of the runner's workers ends without an output, a grouping
// in the end that nobody reads: Prism waits for a bundle of a stage without any in a
// loop that keeps a processor busy.
func counted(s beam.Scope, parts beam.PCollection) beam.PCollection {
	sum := beam.ParDo(s, &countFn{}, beam.GroupByKey(s, beam.AddFixedKey(s, parts)))
	beam.GroupByKey(s, beam.AddFixedKey(s, sum))
	return parts
}

// countFn counts what parts have.
type countFn struct{}

func (*countFn) ProcessElement(ctx context.Context, _ int, next func(*Part) bool, emit func(Part)) {
	var p, sum Part
	found := int64(0)
	for next(&p) {
		sum.Answered += p.Answered
		sum.Failed += p.Failed
		if p.Found {
			found++
		}
	}
	beam.NewCounter(Namespace, "answered").Inc(ctx, sum.Answered)
	beam.NewCounter(Namespace, "failed").Inc(ctx, sum.Failed)
	beam.NewCounter(Namespace, "found").Inc(ctx, found)
	emit(sum)
}

func (f *FileOptions) setDefaults() {
	if f.Format == "" {
		f.Format = JSONLines
	}
	if f.PartBytes == 0 {
		f.PartBytes = 4 << 20
	}
}

func (f *FileOptions) validate() error {
	switch {
	case partsOf[f.Service] == nil:
		return fmt.Errorf("batch: no service for files is called %q", f.Service)
	case f.Input == "" || f.Output == "":
		return fmt.Errorf("batch: files of %s need an input and an output", f.Service)
	case !f.Format.valid():
		return fmt.Errorf("batch: no format is called %q", f.Format)
	case f.PartBytes < 0:
		return fmt.Errorf("batch: parts of %d bytes", f.PartBytes)
	}
	return nil
}

func init() {
	beam.RegisterDoFn(&planFn{})
	beam.RegisterDoFn(&partFn{})
	beam.RegisterDoFn(&countFn{})
	register.Emitter1[fileRange]()
	register.Emitter1[Part]()
	register.Iter1[Part]()
}

// jobName is the file that describes the job whose results are in a folder.
const jobName = "_job.json"

// Job describes the job whose results are in a folder: it is what the file
// _job.json there has.
type Job struct {
	Service Service         `json:"service"`
	Parts   int             `json:"parts"` // files of results that there will be
	Dataset [3]string       `json:"dataset"`
	Inputs  []input         `json:"inputs"`
	Options json.RawMessage `json:"options"`
}

// ReadJob reads the description of the job whose results are in a folder.
func ReadJob(ctx context.Context, output string) (*Job, error) {
	fs, err := filesystem.New(ctx, output)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	text, err := filesystem.Read(ctx, fs, join(output, jobName))
	if err != nil {
		return nil, err
	}
	j := new(Job)
	if err := json.Unmarshal(text, j); err != nil {
		return nil, fmt.Errorf("%s: %w", join(output, jobName), err)
	}
	return j, nil
}

// begin describes the job in its folder, or finds that it was begun there before.
func (j *Job) begin(ctx context.Context, output string) error {
	text, err := json.MarshalIndent(j, "", "\t")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	fs, err := filesystem.New(ctx, output)
	if err != nil {
		return err
	}
	defer fs.Close()
	name := join(output, jobName)
	if fileExists(ctx, fs, name) {
		there, err := filesystem.Read(ctx, fs, name)
		if err != nil {
			return err
		}
		if !bytes.Equal(there, text) {
			return fmt.Errorf("batch: %s has the results of another job: its input, data set or options are not the same, as %s tells; give another output, or remove that one", output, name)
		}
		return nil
	}
	f, err := create(ctx, fs, output, jobName)
	if err != nil {
		return err
	}
	defer f.abandon(ctx)
	if _, err := f.Write(text); err != nil {
		return err
	}
	return f.commit(ctx)
}

// planFn cuts the input into parts.
type planFn struct {
	Data  Dataset
	Opt   Options
	Files FileOptions
}

func (f *planFn) ProcessElement(ctx context.Context, _ []byte, emit func(fileRange)) error {
	inputs, err := listInputs(ctx, f.Files.Input)
	if err != nil {
		return err
	}
	all := ranges(inputs, f.Files.PartBytes)
	options, err := json.Marshal([]any{f.Opt, f.Files.Format})
	if err != nil {
		return err
	}
	job := Job{f.Files.Service, len(all), f.Data.ids(), inputs, options}
	if err := job.begin(ctx, f.Files.Output); err != nil {
		return err
	}
	for _, r := range all {
		emit(r)
	}
	return nil
}

// partFn answers the requests of a part.
type partFn struct {
	base
	Files FileOptions
}

func (f *partFn) StartBundle(context.Context, func(Part))  { f.startBundle() }
func (f *partFn) FinishBundle(context.Context, func(Part)) { f.finishBundle() }

func (f *partFn) ProcessElement(ctx context.Context, r fileRange, emit func(Part)) error {
	p, err := partsOf[f.Files.Service](ctx, f, &r)
	if err != nil {
		return fmt.Errorf("batch: part %d of %d: %w", r.Part, r.Parts, err)
	}
	emit(p)
	return nil
}

// partsOf is how a part of the requests to a service is answered.
var partsOf = map[Service]func(context.Context, *partFn, *fileRange) (Part, error){
	ServiceRoute: func(ctx context.Context, f *partFn, r *fileRange) (Part, error) {
		return answerPart(ctx, f, r, &routeQuery, parseRoute, (*RouteResult).appendLine)
	},
	ServiceMatch: func(ctx context.Context, f *partFn, r *fileRange) (Part, error) {
		return answerPart(ctx, f, r, &matchQuery, parseMatch, (*MatchResult).appendLine)
	},
	ServiceNearest: func(ctx context.Context, f *partFn, r *fileRange) (Part, error) {
		return answerPart(ctx, f, r, &nearestQuery, parseNearest, (*NearestResult).appendLine)
	},
	ServiceIsochrone: func(ctx context.Context, f *partFn, r *fileRange) (Part, error) {
		return answerPart(ctx, f, r, &isochroneQuery, parseIsochrone, (*IsochroneResult).appendLine)
	},
}

// resultGroup is the number of results that are in memory with Parquet.
const resultGroup = 1 << 10

func answerPart[Q, R any](ctx context.Context, f *partFn, r *fileRange, x *query[Q, R], read func([]byte) (Q, error), line func(*R, []byte) []byte) (Part, error) {
	out := f.Files.Output
	fs, err := filesystem.New(ctx, out)
	if err != nil {
		return Part{}, err
	}
	defer fs.Close()
	name := fmt.Sprintf("%05d-of-%05d", r.Part, r.Parts)
	p := Part{Path: join(out, "part-"+name+"."+string(f.Files.Format))}
	if fileExists(ctx, fs, p.Path) {
		p.Found = true
		return p, nil
	}
	sink, err := createRows(ctx, fs, out, "part-"+name, f.Files.Format, resultGroup, &zstd.Codec{}, line)
	if err != nil {
		return p, err
	}
	defer sink.abandon(ctx)
	failures := failureSink{fs: fs, dir: out, name: "failures-" + name}
	defer failures.abandon(ctx)
	err = r.each(ctx, func(text []byte, fault error) error {
		var q Q
		failed := (*Failure)(nil)
		if fault == nil {
			q, fault = read(text)
		}
		if fault != nil {
			failed = failureOf(fault)
		} else {
			var res R
			failed, err = f.attempt(ctx, f.Opt.Deadline, func(ctx context.Context, s *routing.Session) (err error) {
				res, err = x.ask(ctx, s, &q, &f.Opt)
				return err
			})
			if err != nil {
				return err
			}
			if failed == nil {
				p.Answered++
				return sink.write(&res)
			}
		}
		p.Failed++
		failed.ID, failed.Request = x.id(&q), string(text)
		return failures.write(ctx, failed)
	})
	if err != nil {
		return p, err
	}
	// The failures first: where there is a file of results, they are complete too.
	if err := failures.commit(ctx); err != nil {
		return p, err
	}
	return p, sink.commit(ctx)
}

// failureSink is a file of failures, which begins with the first.
type failureSink struct {
	fs        filesystem.Interface
	dir, name string
	file      *newFile
	buf       []byte
}

func (s *failureSink) write(ctx context.Context, f *Failure) (err error) {
	if s.file == nil {
		if s.file, err = create(ctx, s.fs, s.dir, s.name+"."+string(JSONLines)); err != nil {
			return err
		}
	}
	s.buf = append(f.appendLine(s.buf[:0]), '\n')
	_, err = s.file.Write(s.buf)
	return err
}

func (s *failureSink) commit(ctx context.Context) error {
	if s.file == nil {
		return nil
	}
	return s.file.commit(ctx)
}

func (s *failureSink) abandon(ctx context.Context) {
	if s.file != nil {
		s.file.abandon(ctx)
	}
}

// Progress tells how many files of results there are in the folder of a job, and how
// many there will be.
func Progress(ctx context.Context, output string) (done, all int, err error) {
	j, err := ReadJob(ctx, output)
	if err != nil {
		return 0, 0, err
	}
	fs, err := filesystem.New(ctx, output)
	if err != nil {
		return 0, 0, err
	}
	defer fs.Close()
	parts, err := fs.List(ctx, join(output, "part-*"))
	return len(parts), j.Parts, err
}

// Finish removes what runs that were stopped have left of files that were not
// complete, and marks the folder as complete with an empty file _SUCCESS. It is for
// the end of a job, when nothing else writes there.
func Finish(ctx context.Context, output string) error {
	fs, err := filesystem.New(ctx, output)
	if err != nil {
		return err
	}
	defer fs.Close()
	if r, ok := fs.(filesystem.Remover); ok {
		left, err := fs.List(ctx, join(output, temporary+"/*"))
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(slices.Values(left)) {
			if err := r.Remove(ctx, name); err != nil {
				return err
			}
		}
		_ = r.Remove(ctx, join(output, temporary)) // a folder, where there are such
	}
	return filesystem.Write(ctx, fs, join(output, "_SUCCESS"), nil)
}
