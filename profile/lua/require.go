package lua

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// openRequire defines require and package. Modules are looked for in the
// folder of the script; trusted scripts can change package.path.
func (w *worker) openRequire() {
	L := w.state
	pkg, loaded, preload := L.NewTable(), L.NewTable(), L.NewTable()
	path := filepath.ToSlash(w.script.folder) + "/?.lua"
	if w.script.options.Trusted {
		path += ";./?.lua;./?/init.lua" // as Lua itself has it
	}
	pkg.RawSetString("path", glua.LString(path))
	pkg.RawSetString("cpath", glua.LString(""))
	pkg.RawSetString("loaded", loaded)
	pkg.RawSetString("preload", preload)
	w.setGlobal("package", pkg)
	loading := make(map[string]bool)
	w.global("require", func(L *glua.LState) int {
		name := L.CheckString(1)
		if v := loaded.RawGetString(name); v != glua.LNil {
			L.Push(v)
			return 1
		}
		if loading[name] {
			L.RaiseError("module %q requires itself", name)
		}
		loader, ok := preload.RawGetString(name).(*glua.LFunction)
		if !ok {
			loader = w.findModule(pkg, name)
		}
		loading[name] = true
		defer delete(loading, name)
		L.Push(loader)
		L.Push(glua.LString(name))
		L.Call(1, 1)
		result := L.Get(-1)
		L.Pop(1)
		if result == glua.LNil {
			// A module may put itself into package.loaded.
			if result = loaded.RawGetString(name); result == glua.LNil {
				result = glua.LTrue
			}
		}
		loaded.RawSetString(name, result)
		L.Push(result)
		return 1
	})
}

// findModule returns the code of a module or raises an error.
func (w *worker) findModule(pkg *glua.LTable, name string) *glua.LFunction {
	L, s := w.state, w.script
	templates := []string{filepath.Join(s.folder, "?.lua")}
	if s.options.Trusted {
		templates = strings.Split(glua.LVAsString(pkg.RawGetString("path")), ";")
	}
	for _, template := range templates {
		if template == "" {
			continue
		}
		file := filepath.Clean(strings.ReplaceAll(template, "?", strings.ReplaceAll(name, ".", "/")))
		proto, err := s.compile(file)
		if err == nil {
			return L.NewFunctionFromProto(proto)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			L.RaiseError("module %q: %v", name, strings.TrimPrefix(err.Error(), "lua: "))
		}
	}
	L.RaiseError("module %q is not found; looked for in %s", name, strings.Join(templates, ", "))
	return nil
}
