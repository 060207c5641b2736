package region

import (
	"math"
	"slices"
	"strconv"
)

// coordinates reads the positions of a geometry out of a text that is known to be
// JSON: files of time zones have millions. After an error it reads nothing.
type coordinates struct {
	text []byte
	at   int
	err  error
}

func (c *coordinates) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// next returns the next character that is no blank.
func (c *coordinates) next() byte {
	for ; c.at < len(c.text); c.at++ {
		switch b := c.text[c.at]; b {
		case ' ', '\t', '\n', '\r':
		default:
			return b
		}
	}
	return 0
}

// list reads an array, each element by f.
func (c *coordinates) list(f func()) {
	if c.err != nil {
		return
	}
	if c.next() != '[' {
		c.fail(errArray)
		return
	}
	for c.at++; c.err == nil && c.next() != ']'; {
		f()
		if c.next() == ',' {
			c.at++
		}
	}
	c.at++
}

// number reads a number.
func (c *coordinates) number() float64 {
	c.next()
	start := c.at
scan:
	for ; c.at < len(c.text); c.at++ {
		switch c.text[c.at] {
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-', '.', 'e', 'E':
		default:
			break scan
		}
	}
	v, err := strconv.ParseFloat(string(c.text[start:c.at]), 64)
	if err != nil {
		c.fail(errPosition)
	}
	return v
}

// position reads a longitude and a latitude, and what may follow them.
func (c *coordinates) position() (v vertex) {
	count := 0
	c.list(func() {
		n := c.number()
		if count < len(v) {
			v[count] = n
		}
		count++
	})
	if count < len(v) || !(math.Abs(v[0]) <= 180) || !(math.Abs(v[1]) <= 90) {
		c.fail(errPosition)
	}
	return v
}

// polygon reads rings. Those whose last position does not repeat the first are
// closed.
func (c *coordinates) polygon() (a area) {
	c.list(func() {
		start := len(a.corners)
		c.list(func() { a.corners = append(a.corners, c.position()) })
		if c.err != nil {
			return
		}
		if n := len(a.corners); n > start && a.corners[n-1] != a.corners[start] {
			a.corners = append(a.corners, a.corners[start])
		}
		if len(a.corners)-start < 4 {
			c.fail(errRing)
		}
		a.ends = append(a.ends, len(a.corners))
	})
	if len(a.ends) == 0 {
		c.fail(errRing)
	}
	a.corners = slices.Clip(a.corners)
	return a
}
