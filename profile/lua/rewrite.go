package lua

import (
	"reflect"

	"github.com/yuin/gopher-lua/ast"
)

// rewriteConcat replaces every concatenation in a program by a call, so that
// strings cannot grow without being paid for.
func rewriteConcat(chunk []ast.Stmt) { rewrite(reflect.ValueOf(chunk)) }

func rewrite(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			rewrite(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				rewrite(f)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			rewrite(v.Elem())
		}
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		rewrite(v.Elem())
		if c, ok := v.Interface().(*ast.StringConcatOpExpr); ok {
			name := &ast.IdentExpr{Value: concatName}
			name.SetLine(c.Line())
			call := &ast.FuncCallExpr{Func: name, Args: []ast.Expr{c.Lhs, single(c.Rhs)}}
			call.SetLine(c.Line())
			call.SetLastLine(c.LastLine())
			v.Set(reflect.ValueOf(call))
		}
	}
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
