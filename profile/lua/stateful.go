package lua

import "github.com/yuin/gopher-lua/ast"

// variables are what functions of a script do with variables that are not their
// own. A variable that one sets and another, or the same at another time, looks at
// without having set it before carries something from call to call.
type variables struct {
	set, seen map[string]bool
	// changed is true where a table from outside is changed.
	changed bool
}

func newVariables() *variables {
	return &variables{set: make(map[string]bool), seen: make(map[string]bool)}
}

// stateful tells whether functions may remember what they were called for. What
// they do to tables that they are given is not known: results are set that way.
func (v *variables) stateful() bool {
	if v.changed {
		return true
	}
	for name := range v.set {
		if v.seen[name] {
			return true
		}
	}
	return false
}

// add adds what the functions of a file do.
func (v *variables) add(path string, chunk []ast.Stmt) {
	f := variableFinder{variables: v, path: path}
	f.block(chunk)
}

// scope is a block of statements.
type scope struct {
	// own are the local variables, set others that were set in the block so far:
	// many scripts forget to say that a variable is local.
	own, set map[string]bool
}

// variableFinder walks over a file.
type variableFinder struct {
	*variables
	path string
	// scopes are the blocks around the present place; functions is how many
	// functions are, base the number of blocks around the outermost.
	scopes          []scope
	functions, base int
}

func (f *variableFinder) declare(names ...string) {
	for _, name := range names {
		f.scopes[len(f.scopes)-1].own[name] = true
	}
}

// local tells whether a variable belongs to a function.
func (f *variableFinder) local(name string) bool {
	for i := f.base; i < len(f.scopes); i++ {
		if f.scopes[i].own[name] {
			return true
		}
	}
	return f.functions == 0
}

// full is the name of a variable of the file, or a global one.
func (f *variableFinder) full(name string) string {
	for _, s := range f.scopes[:f.base] {
		if s.own[name] {
			return f.path + ": " + name
		}
	}
	return name
}

// fresh tells whether the variable was set before, in this call.
func (f *variableFinder) fresh(name string) bool {
	for i := f.base; i < len(f.scopes); i++ {
		if f.scopes[i].set[name] {
			return true
		}
	}
	return false
}

// assign is an assignment, after what is assigned.
func (f *variableFinder) assign(to ast.Expr) {
	switch to := to.(type) {
	case *ast.IdentExpr:
		if !f.local(to.Value) {
			f.set[f.full(to.Value)] = true
			f.scopes[len(f.scopes)-1].set[to.Value] = true
		}
	case *ast.AttrGetExpr:
		f.change(to)
		f.expr(to)
	}
}

// change is a change of a table.
func (f *variableFinder) change(e ast.Expr) {
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		f.change(e.Object)
	case *ast.IdentExpr:
		f.changed = f.changed || !f.local(e.Value) && !f.fresh(e.Value)
	}
}

func (f *variableFinder) block(stmts []ast.Stmt, names ...string) {
	f.open(names...)
	f.stmts(stmts)
	f.scopes = f.scopes[:len(f.scopes)-1]
}

func (f *variableFinder) open(names ...string) {
	f.scopes = append(f.scopes, scope{own: make(map[string]bool), set: make(map[string]bool)})
	f.declare(names...)
}

func (f *variableFinder) stmts(stmts []ast.Stmt) {
	for _, stmt := range stmts {
		f.stmt(stmt)
	}
}

func (f *variableFinder) stmt(stmt ast.Stmt) {
	switch stmt := stmt.(type) {
	case *ast.AssignStmt:
		f.exprs(stmt.Rhs...)
		for _, to := range stmt.Lhs {
			f.assign(to)
		}
	case *ast.LocalAssignStmt:
		// A local function may call itself; others may not, but that makes no
		// difference here.
		f.declare(stmt.Names...)
		f.exprs(stmt.Exprs...)
	case *ast.FuncCallStmt:
		f.expr(stmt.Expr)
	case *ast.DoBlockStmt:
		f.block(stmt.Stmts)
	case *ast.WhileStmt:
		f.expr(stmt.Condition)
		f.block(stmt.Stmts)
	case *ast.RepeatStmt:
		f.open()
		f.stmts(stmt.Stmts)
		f.expr(stmt.Condition)
		f.scopes = f.scopes[:len(f.scopes)-1]
	case *ast.IfStmt:
		f.expr(stmt.Condition)
		f.block(stmt.Then)
		f.block(stmt.Else)
	case *ast.NumberForStmt:
		f.exprs(stmt.Init, stmt.Limit, stmt.Step)
		f.block(stmt.Stmts, stmt.Name)
	case *ast.GenericForStmt:
		f.exprs(stmt.Exprs...)
		f.block(stmt.Stmts, stmt.Names...)
	case *ast.FuncDefStmt:
		switch {
		case stmt.Name.Receiver != nil:
			f.change(stmt.Name.Receiver)
			f.expr(stmt.Name.Receiver)
		case stmt.Name.Func != nil:
			f.assign(stmt.Name.Func)
		}
		f.function(stmt.Func, "self")
	case *ast.ReturnStmt:
		f.exprs(stmt.Exprs...)
	}
}

func (f *variableFinder) function(e *ast.FunctionExpr, names ...string) {
	if e.ParList != nil {
		names = append(names, e.ParList.Names...)
	}
	if f.functions == 0 {
		f.base = len(f.scopes)
	}
	f.functions++
	f.block(e.Stmts, names...)
	f.functions--
}

func (f *variableFinder) exprs(list ...ast.Expr) {
	for _, e := range list {
		f.expr(e)
	}
}

func (f *variableFinder) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		if !f.local(e.Value) && !f.fresh(e.Value) {
			f.seen[f.full(e.Value)] = true
		}
	case *ast.AttrGetExpr:
		f.exprs(e.Object, e.Key)
	case *ast.TableExpr:
		for _, field := range e.Fields {
			f.exprs(field.Key, field.Value)
		}
	case *ast.FuncCallExpr:
		f.exprs(e.Func, e.Receiver)
		f.exprs(e.Args...)
		if len(e.Args) > 0 && changesTable(e.Func) {
			f.change(e.Args[0])
		}
	case *ast.LogicalOpExpr:
		f.exprs(e.Lhs, e.Rhs)
	case *ast.RelationalOpExpr:
		f.exprs(e.Lhs, e.Rhs)
	case *ast.StringConcatOpExpr:
		f.exprs(e.Lhs, e.Rhs)
	case *ast.ArithmeticOpExpr:
		f.exprs(e.Lhs, e.Rhs)
	case *ast.UnaryMinusOpExpr:
		f.expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		f.expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		f.expr(e.Expr)
	case *ast.FunctionExpr:
		f.function(e)
	}
}

// changesTable knows the library functions that change their first argument.
func changesTable(f ast.Expr) bool {
	switch f := f.(type) {
	case *ast.IdentExpr:
		return f.Value == "rawset"
	case *ast.AttrGetExpr:
		library, _ := f.Object.(*ast.IdentExpr)
		name, _ := f.Key.(*ast.StringExpr)
		if library == nil || name == nil || library.Value != "table" {
			return false
		}
		return name.Value == "insert" || name.Value == "remove" || name.Value == "sort"
	}
	return false
}
