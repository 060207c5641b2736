package traffic

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// maxLine is the longest line of a file, in bytes.
const maxLine = 1 << 16

// ParseError tells where a file is malformed.
type ParseError struct {
	Path string
	// Line and Column count from 1, the column in bytes.
	Line, Column int
	Text         string // of the line
	Err          error
}

// Error tells where in the file the fault is, and what stands there.
func (e *ParseError) Error() string {
	return fmt.Sprintf("traffic: %s malformed on line %d, column %d: %v: %q", e.Path, e.Line, e.Column, e.Err, e.Text)
}

// Unwrap returns what is wrong with the field.
func (e *ParseError) Unwrap() error { return e.Err }

// What can be wrong with a field.
var (
	errField    = errors.New("a field is missing")
	errNode     = errors.New("an OSM node id is a whole number")
	errNumber   = errors.New("a number is expected")
	errNegative = errors.New("a speed cannot be negative; 0 closes the segment")
	errLong     = fmt.Errorf("a line is longer than %d bytes", maxLine)
)

// row is a line of a file that is read field by field.
type row struct {
	line []byte
	// start and next are where the field at hand and the next one begin; next
	// is beyond the end after the last.
	start, next int
	// column is where err is, from 1.
	column int
	err    error
}

// more tells whether there is another field.
func (r *row) more() bool { return r.next <= len(r.line) }

// field returns the next field without blanks around it.
func (r *row) field() []byte {
	if !r.more() {
		r.start = len(r.line)
		r.fail(errField)
		return nil
	}
	r.start = r.next
	end := len(r.line)
	if i := bytes.IndexByte(r.line[r.start:], ','); i >= 0 {
		end = r.start + i
	}
	r.next = end + 1
	return bytes.Trim(r.line[r.start:end], " \t")
}

func (r *row) fail(err error) {
	if r.err == nil {
		r.err, r.column = err, r.start+1
	}
}

// node reads an OSM node id.
func (r *row) node() int64 {
	f := r.field()
	digits := f
	if len(f) > 1 && f[0] == '-' {
		digits = f[1:]
	}
	if len(digits) == 0 || len(digits) > 18 {
		return r.longNode(f)
	}
	v := int64(0)
	for _, c := range digits {
		if c < '0' || c > '9' {
			r.fail(errNode)
			return 0
		}
		v = v*10 + int64(c-'0')
	}
	if len(digits) < len(f) {
		return -v
	}
	return v
}

// longNode reads an id that may be beyond range: no node has it then.
func (r *row) longNode(f []byte) int64 {
	v, err := strconv.ParseInt(string(f), 10, 64)
	if err != nil {
		if u, err := strconv.ParseUint(string(f), 10, 64); err == nil && u > math.MaxInt64 {
			return math.MinInt64
		}
		r.fail(errNode)
	}
	return v
}

// number reads a finite number.
func (r *row) number() float64 {
	v, ok := number(r.field())
	if !ok {
		r.fail(errNumber)
	}
	return v
}

// exact are the powers of ten that a float64 holds exactly.
var exact = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// number reads a decimal number. Short ones are the quotient of two numbers that
// a float64 holds exactly, so they come out correctly rounded.
func number(f []byte) (v float64, ok bool) {
	digits, point, mantissa := 0, -1, int64(0)
	for i, c := range f {
		switch {
		case c >= '0' && c <= '9':
			mantissa = mantissa*10 + int64(c-'0')
			digits++
		case c == '.' && point < 0:
			point = digits
		case (c == '-' || c == '+') && i == 0:
		case c == 'e' || c == 'E' || c == '-' || c == '+':
			return slowNumber(f)
		default:
			return 0, false
		}
		if digits == len(exact) {
			return slowNumber(f)
		}
	}
	if digits == 0 {
		return 0, false
	}
	v = float64(mantissa)
	if point >= 0 {
		v /= exact[digits-point]
	}
	if f[0] == '-' {
		v = -v
	}
	return v, true
}

// slowNumber reads a number of many digits or with an exponent.
func slowNumber(f []byte) (float64, bool) {
	for _, c := range f {
		if (c < '0' || c > '9') && c != '.' && c != 'e' && c != 'E' && c != '-' && c != '+' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(f), 64)
	return v, err == nil // beyond range is an error too
}

// startsNumber tells whether a field is meant as a number.
func startsNumber(f []byte) bool {
	for i, c := range f {
		switch {
		case c >= '0' && c <= '9':
			return true
		case c == '.' && i < 2 || i == 0 && (c == '-' || c == '+'):
		default:
			return false
		}
	}
	return false
}

// readRows calls f with every line that is not blank. The name is for errors.
func readRows(name string, src io.Reader, f func(*row) error) error {
	lines := bufio.NewScanner(src)
	lines.Buffer(make([]byte, 0, maxLine), maxLine)
	number := 0
	var r row
	for lines.Scan() {
		number++
		line := bytes.TrimSuffix(lines.Bytes(), []byte{'\r'})
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		r = row{line: line}
		if err := f(&r); err != nil {
			return err
		}
		if r.err != nil {
			return &ParseError{Path: name, Line: number, Column: r.column, Text: string(line), Err: r.err}
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return &ParseError{Path: name, Line: number + 1, Column: maxLine, Err: errLong}
	case err != nil:
		return fmt.Errorf("traffic: read %s: %w", name, err)
	}
	return nil
}

// ReadSpeeds reads a file of speeds of segments and calls f with each: one a line,
//
//	from,to,speed[,rate[,anything]]
//
// being the OSM nodes at the segment's ends, the speed in km/h, and the meters per
// unit of weight. Without a rate the weight follows the speed; with an empty one
// it stays. Blank lines are skipped; any other that cannot be read ends the file
// with a *ParseError.
func ReadSpeeds(name string, src io.Reader, f func(from, to int64, s Speed) error) error {
	return readRows(name, src, func(r *row) error {
		from, to := r.node(), r.node()
		s := Speed{KMH: r.number()}
		if s.KMH < 0 {
			r.fail(errNegative)
		}
		if r.err == nil && r.more() {
			s.Rule = WeightKept
			if field := r.field(); len(field) > 0 {
				var ok bool
				if s.Rate, ok = number(field); !ok {
					r.fail(errNumber)
				}
				s.Rule = WeightRate
			}
		}
		if r.err != nil {
			return nil // told by the row
		}
		return f(from, to, s)
	})
}

// ReadPenalties reads a file of penalties of turns and calls f with each: one a
// line,
//
//	from,via,to,penalty[,weight[,anything]]
//
// being the OSM nodes before, at and behind the turn, the penalty in seconds, and
// its weight. Without a weight, or with a text instead, the penalty is the weight
// too.
func ReadPenalties(name string, src io.Reader, f func(from, via, to int64, p Penalty) error) error {
	return readRows(name, src, func(r *row) error {
		from, via, to := r.node(), r.node(), r.node()
		p := Penalty{Seconds: r.number(), Weight: math.NaN()}
		if r.err == nil && r.more() {
			field := r.field()
			if w, ok := number(field); ok {
				p.Weight = w
			} else if startsNumber(field) {
				r.fail(errNumber)
			}
		}
		if r.err != nil {
			return nil // told by the row
		}
		return f(from, via, to, p)
	})
}
