package lua

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
)

// ErrLimit tells that a script took more instructions than it is allowed.
var ErrLimit = errors.New("the script takes too many instructions; raise the limit or look for an endless loop")

// Error tells what is wrong with a script and where.
type Error struct {
	// Path is the file at fault, which may be one that the script loads.
	Path string
	// Line in that file, from 1; 0 if the fault is in no single line.
	Line int
	// Function is what was called, "" while the script itself was loaded.
	Function string
	// Message is the fault in words.
	Message string
	// Traceback lists the calls that led there, if the script was running.
	Traceback string

	cause error
}

// Error names the file, the line and the function, and says what is wrong.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("lua: " + e.Path)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Function != "" {
		b.WriteString(": " + e.Function)
	}
	b.WriteString(": " + e.Message)
	return b.String()
}

// Unwrap returns what caused the error, such as ErrLimit or a file error.
func (e *Error) Unwrap() error { return e.cause }

// position is how messages of the interpreter begin.
var position = regexp.MustCompile(`(?s)^(.+?):(\d+): (.*)$`)

// scriptError makes an Error of an error of the interpreter.
func scriptError(path, function string, err error) error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	e := &Error{Path: path, Function: function, Message: strings.TrimSpace(err.Error()), cause: err}
	var syntax *parse.Error
	var compile *glua.CompileError
	var api *glua.ApiError
	switch {
	case errors.As(err, &syntax):
		e.Line = max(syntax.Pos.Line, 0)
		e.Message = syntax.Message
		if syntax.Token != "" {
			e.Message += fmt.Sprintf(" near %q", syntax.Token)
		}
	case errors.As(err, &compile):
		e.Line, e.Message = compile.Line, compile.Message
	case errors.As(err, &api):
		e.Message, e.Traceback = strings.TrimSpace(api.Object.String()), api.StackTrace
		e.cause = api.Cause
	}
	if m := position.FindStringSubmatch(e.Message); m != nil && e.Line == 0 {
		if line, err := strconv.Atoi(m[2]); err == nil {
			e.Path, e.Line, e.Message = m[1], line, m[3]
		}
	}
	return e
}
