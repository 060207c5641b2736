package lua

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"github.com/fourway-routing/fourway/profile"
)

// maxSource bounds the size of a file of code. The compiler recurses into
// expressions, and the bound keeps its stack small whatever they look like.
const maxSource = 256 << 10

// script is a profile in Lua. What the workers share is behind mu.
type script struct {
	path, folder string
	options      Options
	properties   profile.Properties

	// stateful scripts may remember elements.
	stateful atomic.Bool

	mu    sync.Mutex
	first *worker                        // that Open made, until someone needs it
	code  map[string]*glua.FunctionProto // by path
	// variables are those that functions of the files of code use.
	variables *variables
	rasters   rasterSet
}

// Open reads a profile in Lua and runs its setup function. It fails with an
// error of the file system or an *Error.
//
// The script must be a file of its own folder: what it requires is looked for
// there.
func Open(path string, o Options) (profile.Profile, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.EnsureDefaults()
	s := &script{
		path: path, folder: filepath.Dir(path), options: o,
		code: make(map[string]*glua.FunctionProto), variables: newVariables(),
	}
	w, err := s.newWorker()
	if err != nil {
		return nil, err
	}
	if err := w.readProperties(); err != nil {
		return nil, err
	}
	s.properties, s.first = w.properties, w
	return s, nil
}

// Name is the name of the file without its ending.
func (s *script) Name() string {
	base := filepath.Base(s.path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// Properties returns the settings that hold for the whole network.
func (s *script) Properties() *profile.Properties { return &s.properties }

// NewWorker runs the script in an interpreter of its own.
func (s *script) NewWorker() (profile.Worker, error) {
	s.mu.Lock()
	w := s.first
	s.first = nil
	s.mu.Unlock()
	if w == nil {
		var err error
		if w, err = s.newWorker(); err != nil {
			return nil, err
		}
	}
	if len(s.properties.RelationTypes) > 0 || w.process.relation != nil {
		return relationWorker{w}, nil
	}
	return w, nil
}

// compile returns the code in a file, relative to the script's folder unless
// the script is trusted.
func (s *script) compile(path string) (*glua.FunctionProto, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if proto := s.code[path]; proto != nil {
		return proto, nil
	}
	f, err := s.open(path)
	if err != nil {
		return nil, err
	}
	source, err := io.ReadAll(io.LimitReader(f, maxSource+1))
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, err
	}
	proto, err := compile(path, string(source), !s.options.Trusted, s.variables)
	if err != nil {
		return nil, err
	}
	if s.variables.stateful() {
		s.stateful.Store(true)
	}
	s.code[path] = proto
	return proto, nil
}

// open opens a file of the script's folder, or any for trusted scripts.
func (s *script) open(path string) (fs.File, error) {
	if s.options.Trusted {
		return os.Open(path)
	}
	root, err := os.OpenRoot(s.folder)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // a folder that was only read
	local, err := filepath.Rel(s.folder, path)
	if err != nil {
		return nil, err
	}
	return root.Open(local)
}

// compile turns source into code and adds the variables that functions use. Where
// it is limited, concatenations are counted.
func compile(path, source string, limited bool, used *variables) (proto *glua.FunctionProto, err error) {
	// The compiler panics on a few programs that break its limits.
	defer func() {
		if r := recover(); r != nil {
			proto, err = nil, &Error{Path: path, Message: "the code cannot be compiled"}
		}
	}()
	if len(source) > maxSource {
		return nil, &Error{Path: path, Message: "the file is too large for code; keep it below 256 KiB"}
	}
	if strings.HasPrefix(source, "#") { // of an executable file
		_, rest, _ := strings.Cut(source, "\n")
		source = "\n" + rest
	}
	chunk, err := parse.Parse(strings.NewReader(oldEscapes(source)), path)
	if err == nil {
		used.add(path, chunk)
		rewriter{limited}.rewrite(reflect.ValueOf(chunk))
		proto, err = glua.Compile(chunk, path)
	}
	if err != nil {
		err := scriptError(path, "", err)
		if own, ok := err.(*Error); ok && own.Line == 0 && errors.As(own.cause, new(*parse.Error)) {
			// The parser knows no line where the file ends too early.
			own.Line = 1 + strings.Count(strings.TrimRight(source, "\n"), "\n")
			own.Message += ", where the file ends"
		}
		return nil, err
	}
	return proto, nil
}
