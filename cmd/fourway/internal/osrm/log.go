package osrm

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// level is how much is logged.
type level uint8

const (
	levelNone level = iota
	levelError
	levelWarning
	levelInfo
	levelDebug
)

var levels = map[string]level{
	"NONE": levelNone, "ERROR": levelError, "WARNING": levelWarning, "INFO": levelInfo, "DEBUG": levelDebug,
}

// logger writes lines: those about progress to out, warnings and errors to err.
// It is safe for concurrent use.
type logger struct {
	mu       sync.Mutex
	out, err io.Writer
	level    level
	color    bool
	line     []byte
}

func newLogger(out, err io.Writer) *logger {
	return &logger{out: out, err: err, level: levelInfo, color: isTerminal(out)}
}

// setLevel sets the level by its name; an unknown one stands for INFO.
func (l *logger) setLevel(name string) {
	level, ok := levels[strings.ToUpper(name)]
	if !ok {
		level = levelInfo
	}
	l.level = level
}

func (l *logger) errorf(format string, args ...any) {
	l.write(levelError, l.err, "error", "\x1b[31m", format, args)
}

func (l *logger) warnf(format string, args ...any) {
	l.write(levelWarning, l.err, "warn", "\x1b[33m", format, args)
}

func (l *logger) infof(format string, args ...any) {
	l.write(levelInfo, l.out, "info", "", format, args)
}

func (l *logger) write(level level, w io.Writer, name, color, format string, args []any) {
	if level > l.level {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.line[:0]
	if l.color {
		b = append(b, color...)
	}
	b = append(b, '[')
	b = time.Now().UTC().AppendFormat(b, "2006-01-02T15:04:05")
	b = append(b, "] ["...)
	b = append(b, name...)
	b = append(b, "] "...)
	b = fmt.Appendf(b, format, args...)
	if l.color && color != "" {
		b = append(b, "\x1b[0m"...)
	}
	l.line = append(b, '\n')
	_, _ = w.Write(l.line) // a log that cannot be written is no reason to stop
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
