package lua

import (
	"reflect"

	"github.com/yuin/gopher-lua/ast"
)

// rewriter changes a program before it is compiled.
type rewriter struct {
	// limited replaces every concatenation by a call, so that strings cannot
	// grow without being paid for.
	limited bool
}

func (r rewriter) rewrite(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			r.rewrite(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				r.rewrite(f)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			r.rewrite(v.Elem())
		}
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		r.rewrite(v.Elem())
		switch node := v.Interface().(type) {
		case *ast.StringConcatOpExpr:
			if r.limited {
				v.Set(reflect.ValueOf(concatenation(node)))
			}
		case *ast.WhileStmt:
			node.Stmts = steadyBody(node.Stmts)
		case *ast.RepeatStmt:
			node.Stmts = steadyBody(node.Stmts)
		case *ast.GenericForStmt:
			node.Stmts = steadyBody(node.Stmts)
		}
	}
}

// concatenation is the call that stands for an operator.
func concatenation(c *ast.StringConcatOpExpr) ast.Expr {
	name := &ast.IdentExpr{Value: concatName}
	name.SetLine(c.Line())
	call := &ast.FuncCallExpr{Func: name, Args: []ast.Expr{c.Lhs, single(c.Rhs)}}
	call.SetLine(c.Line())
	call.SetLastLine(c.LastLine())
	return call
}

// single keeps an operand from standing for several values, as a call at the
// end of a list of arguments does.
func single(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
	return e
}

// steadyBody keeps the body of a loop from beginning with a jump, by a variable
// that nobody uses: version 1.1.2 of the compiler shortens jumps to jumps, and
// gets those wrong that lead back.
func steadyBody(body []ast.Stmt) []ast.Stmt {
	if len(body) == 0 || !mayJump(body[0]) {
		return body
	}
	unused := &ast.LocalAssignStmt{Names: []string{"(unused)"}}
	unused.SetLine(body[0].Line())
	unused.SetLastLine(body[0].Line())
	block := &ast.DoBlockStmt{Stmts: []ast.Stmt{unused}}
	block.SetLine(body[0].Line())
	block.SetLastLine(body[0].Line())
	return append([]ast.Stmt{block}, body...)
}

// mayJump tells whether the code of a statement may begin with a jump.
func mayJump(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.LocalAssignStmt, *ast.FuncCallStmt, *ast.FuncDefStmt, *ast.ReturnStmt, *ast.NumberForStmt:
		return false
	case *ast.IfStmt:
		switch s.Condition.(type) {
		case *ast.IdentExpr, *ast.AttrGetExpr, *ast.FuncCallExpr, *ast.RelationalOpExpr:
			return false
		}
	}
	return true
}
