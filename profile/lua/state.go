package lua

import (
	"fmt"

	glua "github.com/yuin/gopher-lua"

	"github.com/fourway-routing/fourway/profile"
)

const (
	// registrySize is the number of stack slots to start with, maxRegistry
	// the largest number.
	registrySize = 4 << 10
	maxRegistry  = 256 << 10
	// maxCalls is how deep calls nest.
	maxCalls = 200
)

// newWorker starts an interpreter, runs the script in it and calls setup.
func (s *script) newWorker() (*worker, error) {
	w := &worker{script: s, ways: newCache[profile.WayResult](), nodes: newCache[[]profile.Obstacle]()}
	w.state = glua.NewState(glua.Options{
		CallStackSize: maxCalls, RegistrySize: registrySize, RegistryMaxSize: maxRegistry, RegistryGrowStep: registrySize,
		SkipOpenLibs: true,
	})
	w.properties = defaultProperties()
	if s.options.MaxInstructions > 0 {
		w.budget = newBudget()
	}
	w.openLibraries()
	w.registerTypes()
	w.registerHelpers()
	if w.budget != nil {
		w.state.SetContext(w.budget)
	}
	if err := w.load(); err != nil {
		return nil, err
	}
	return w, nil
}

// openLibraries gives the script the libraries that it is trusted with.
func (w *worker) openLibraries() {
	type library struct {
		name string
		open glua.LGFunction
	}
	libraries := []library{
		{glua.BaseLibName, glua.OpenBase},
		{glua.TabLibName, glua.OpenTable},
		{glua.StringLibName, glua.OpenString},
		{glua.MathLibName, glua.OpenMath},
	}
	if w.script.options.Trusted {
		libraries = append(libraries,
			library{glua.IoLibName, glua.OpenIo},
			library{glua.OsLibName, glua.OpenOs},
			library{glua.DebugLibName, glua.OpenDebug},
			library{glua.CoroutineLibName, glua.OpenCoroutine})
	}
	L := w.state
	for _, l := range libraries {
		L.Push(L.NewFunction(l.open))
		L.Push(glua.LString(l.name))
		L.Call(1, 0)
	}
	w.patchLibraries()
	w.openRequire()
}

// global sets a global function.
func (w *worker) global(name string, f glua.LGFunction) {
	w.setGlobal(name, w.state.NewFunction(f))
}

// setGlobal sets a global variable, whatever the script has done to the table
// of them.
func (w *worker) setGlobal(name string, v glua.LValue) { w.state.G.Global.RawSetString(name, v) }

// getGlobal returns a global variable likewise.
func (w *worker) getGlobal(name string) glua.LValue { return w.state.G.Global.RawGetString(name) }

// function returns a function in a table of the script, or nil. The table may
// take it from another one.
func (w *worker) function(table *glua.LTable, name string) (*glua.LFunction, error) {
	L := w.state
	get := L.NewFunction(func(L *glua.LState) int {
		L.Push(L.GetField(table, name))
		return 1
	})
	if err := w.call("", get, 1); err != nil {
		return nil, err
	}
	v := L.Get(-1)
	L.SetTop(0)
	f, ok := v.(*glua.LFunction)
	if !ok && v != glua.LNil {
		return nil, w.fault("%s must be a function, not a %s", name, v.Type())
	}
	return f, nil
}

// fault is an error of the script that no single line is to blame for.
func (w *worker) fault(format string, args ...any) error {
	return &Error{Path: w.script.path, Message: fmt.Sprintf(format, args...)}
}

// load runs the script and finds its functions.
func (w *worker) load() error {
	s, L := w.script, w.state
	proto, err := s.compile(s.path)
	if err != nil {
		return err
	}
	w.registerPropertiesGlobal()
	if err := w.call("", L.NewFunctionFromProto(proto), 1); err != nil {
		return err
	}
	functions, _ := L.Get(-1).(*glua.LTable)
	L.SetTop(0)
	if v, ok := w.getGlobal("api_version").(glua.LNumber); ok {
		w.version = int(v)
	}
	if w.version < 0 || w.version > maxVersion {
		return w.fault("Invalid profile API version: api_version is %d, want 0 to %d", w.version, maxVersion)
	}
	w.registerTurn()
	if w.version < 2 {
		return w.loadGlobals()
	}
	if functions == nil {
		return w.fault("the script must return a table of functions")
	}
	w.setGlobal("properties", glua.LNil)
	setup, err := w.function(functions, "setup")
	if err != nil {
		return err
	}
	if setup == nil {
		return w.fault("there must be a setup function in the table that the script returns")
	}
	w.registerRaster("raster")
	w.setConstants(maxTurnWeight)
	if err := w.call("setup", setup, 1); err != nil {
		return err
	}
	table, ok := L.Get(-1).(*glua.LTable)
	L.SetTop(0)
	if !ok {
		return w.fault("setup must return a table")
	}
	w.table = table
	p := &w.process
	for _, f := range [...]struct {
		name  string
		to    **glua.LFunction
		since int
	}{
		{"process_node", &p.node, 2},
		{"process_way", &p.way, 2},
		{"process_segment", &p.segment, 2},
		{"process_turn", &p.turn, 2},
		{"process_relation", &p.relation, 4},
	} {
		if w.version >= f.since {
			if *f.to, err = w.function(functions, f.name); err != nil {
				return err
			}
		}
	}
	w.functions = functions
	w.properties.HasSegment = p.segment != nil
	return w.readPropertiesTable(table)
}

// loadGlobals finds what scripts of versions 0 and 1 define.
func (w *worker) loadGlobals() error {
	find := func(name string) *glua.LFunction {
		f, _ := w.getGlobal(name).(*glua.LFunction)
		return f
	}
	p := &w.process
	p.node, p.way, p.segment, p.turn = find("node_function"), find("way_function"), find("segment_function"), find("turn_function")
	w.properties.HasSegment = p.segment != nil
	if w.version == 0 {
		return nil
	}
	w.registerRaster("sources")
	w.setConstants(0)
	if f := find("source_function"); f != nil {
		return w.call("source_function", f, 0)
	}
	return nil
}

// maxVersion is the newest version of the interface.
const maxVersion = 4
