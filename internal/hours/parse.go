package hours

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// SyntaxError tells where opening hours cannot be read.
type SyntaxError struct {
	Text   string
	Column int // from 1, in bytes
	Err    error
}

// Error tells where in the text the fault is.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("hours: column %d of %q: %v", e.Column, e.Text, e.Err)
}

// Unwrap returns what is wrong.
func (e *SyntaxError) Unwrap() error { return e.Err }

var (
	errEmpty  = errors.New("nothing is said")
	errSyntax = errors.New("not a part of opening hours")
	errRange  = errors.New("a number is out of range")
)

// Parse reads opening hours.
func Parse(text string) (*Rules, error) {
	p := &parser{text: text}
	r := &Rules{}
	for {
		l, said := p.rule()
		if said {
			r.list = append(r.list, l)
		}
		if p.err != nil {
			return nil, p.err
		}
		if p.end() {
			break
		}
		if !p.take("||") && !p.take(";") && !p.take(",") {
			p.fail(errSyntax)
			return nil, p.err
		}
	}
	if len(r.list) == 0 {
		p.fail(errEmpty)
		return nil, p.err
	}
	return r, nil
}

// parser reads a text from left to right. Blanks between words do not matter, nor
// does case. After an error it reads nothing.
type parser struct {
	text string
	at   int
	err  error
}

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = &SyntaxError{Text: p.text, Column: p.at + 1, Err: err}
	}
}

func (p *parser) skip() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
}

func (p *parser) end() bool {
	p.skip()
	return p.at == len(p.text)
}

// rest is what is not read yet.
func (p *parser) rest() string {
	p.skip()
	if p.err != nil {
		return ""
	}
	return p.text[p.at:]
}

// take reads a word or sign if it comes next.
func (p *parser) take(word string) bool {
	rest := p.rest()
	if len(rest) < len(word) || !strings.EqualFold(rest[:len(word)], word) {
		return false
	}
	if last := word[len(word)-1] | 0x20; last >= 'a' && last <= 'z' && len(rest) > len(word) {
		if next := rest[len(word)] | 0x20; next >= 'a' && next <= 'z' {
			return false
		}
	}
	p.at += len(word)
	return true
}

// digits returns the number of digits that come next.
func (p *parser) digits() int {
	n := 0
	for rest := p.rest(); n < len(rest) && rest[n] >= '0' && rest[n] <= '9'; n++ {
	}
	return n
}

// number reads a number from least to most.
func (p *parser) number(least, most int) int {
	n, v := p.digits(), 0
	if n == 0 || n > 4 {
		p.fail(errSyntax)
		return least
	}
	for _, c := range p.text[p.at : p.at+n] {
		v = v*10 + int(c-'0')
	}
	if v < least || v > most {
		p.fail(errRange)
		return least
	}
	p.at += n
	return v
}

// try undoes what f has read if it reports false or fails.
func (p *parser) try(f func() bool) bool {
	before := *p
	if f() && p.err == nil {
		return true
	}
	*p = before
	return false
}

// rule reads a rule; said is false if there is none.
func (p *parser) rule() (r rule, said bool) {
	p.skip()
	start := p.at
	if p.take("24/7") {
		r.always = true
	} else {
		r.dates = p.dates()
		if p.take("week") {
			r.weeks = p.weeks()
		}
		p.take(":")
		r.days, r.holidays = p.days()
		if (len(r.days) > 0 || r.holidays) && p.try(func() bool { return p.take(",") && p.clockNext() }) {
			p.fail(errSyntax) // is it these times on these days, or on all?
		}
		r.times = p.times()
	}
	switch {
	case p.take("off"), p.take("closed"), p.take("unknown"):
		r.closed, r.always = true, false
	case p.take("open"):
	}
	said = p.at > start
	p.comment()
	return r, said && p.err == nil
}

// comment reads a comment in quotes.
func (p *parser) comment() {
	if !p.take(`"`) {
		return
	}
	end := strings.IndexByte(p.text[p.at:], '"')
	if end < 0 {
		p.fail(errSyntax)
		return
	}
	p.at += end + 1
}

var weekdays = [...]string{"Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"}

func (p *parser) weekday() (time.Weekday, bool) {
	for i, name := range weekdays {
		if p.take(name) {
			return time.Weekday(i), true
		}
	}
	return 0, false
}

var months = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

func (p *parser) month() (time.Month, bool) {
	for i, name := range months {
		if p.take(name) {
			return time.Month(i + 1), true
		}
	}
	return 0, false
}

// days reads weekdays and holidays.
func (p *parser) days() (list []dayRange, holidays bool) {
	for {
		switch d, ok := p.weekday(); {
		case ok:
			r := dayRange{from: d, to: d}
			if p.take("-") {
				if r.to, ok = p.weekday(); !ok {
					p.fail(errSyntax)
				}
			} else if p.take("[") {
				r.nth = p.nths()
				r.offset = p.dayOffset()
			}
			list = append(list, r)
		case p.take("PH"), p.take("SH"):
			holidays = true
			p.dayOffset()
		default:
			return list, holidays
		}
		// What follows may be another rule, or more days.
		if !p.try(func() bool { return p.take(",") && p.dayNext() }) && !p.dayNext() {
			return list, holidays
		}
	}
}

// dayNext tells whether a weekday or holiday comes next.
func (p *parser) dayNext() bool {
	before := *p
	_, ok := p.weekday()
	ok = ok || p.take("PH") || p.take("SH")
	*p = before
	return ok
}

// nths reads which weekdays of a month are meant, up to the bracket.
func (p *parser) nths() (list []int) {
	for {
		if p.take("-") {
			list = append(list, -p.number(1, 5))
		} else {
			from := p.number(1, 5)
			to := from
			if p.take("-") {
				to = p.number(from, 5)
			}
			for n := from; n <= to; n++ {
				list = append(list, n)
			}
		}
		if p.take("]") {
			return list
		}
		if !p.take(",") {
			p.fail(errSyntax)
			return nil
		}
	}
}

// dayOffset reads an offset such as "+2 days".
func (p *parser) dayOffset() (days int) {
	p.try(func() bool {
		sign, ok := p.sign()
		if !ok {
			return false
		}
		days = sign * p.number(0, 366)
		if ok = p.take("days") || p.take("day"); !ok {
			days = 0
		}
		return ok
	})
	return days
}

func (p *parser) sign() (int, bool) {
	switch {
	case p.take("+"):
		return 1, true
	case p.take("-"):
		return -1, true
	}
	return 0, false
}

func (p *parser) weeks() (list []weekRange) {
	for {
		r := weekRange{from: p.number(1, 53), every: 1}
		r.to = r.from
		if p.take("-") {
			r.to = p.number(r.from, 53)
			if p.take("/") {
				r.every = p.number(1, 53)
			}
		}
		list = append(list, r)
		if !p.try(func() bool { return p.take(",") && p.digits() > 0 && !p.clockNext() }) {
			return list
		}
	}
}

// clockNext tells whether a time of day comes next.
func (p *parser) clockNext() bool {
	n := p.digits()
	rest := p.rest()
	return n > 0 && n <= 2 && len(rest) > n && rest[n] == ':' && len(rest) > n+1 && rest[n+1] >= '0' && rest[n+1] <= '9'
}

// dates reads ranges of dates.
func (p *parser) dates() (list []dateRange) {
	for {
		r, ok := p.dateRange()
		if !ok {
			return list
		}
		list = append(list, r)
		if !p.try(func() bool { return p.take(",") && p.dateNext() }) {
			return list
		}
	}
}

// dateNext tells whether a date comes next.
func (p *parser) dateNext() bool {
	before := *p
	_, ok := p.date(date{}, false)
	ok = ok && p.err == nil
	*p = before
	return ok
}

func (p *parser) dateRange() (r dateRange, ok bool) {
	if r.from, ok = p.date(date{}, false); !ok {
		return r, false
	}
	switch {
	case p.take("-"):
		// What the end leaves open is as in the beginning.
		if r.to, ok = p.date(r.from, true); !ok {
			p.fail(errSyntax)
		}
		if r.from.year != 0 && r.from.month == 0 && !r.from.easter && p.take("/") {
			r.every = p.number(1, 100)
		}
	case p.take("+"):
		r.open = true
	default:
		r.to = r.from
	}
	return r, true
}

// date reads a date. The end of a range may be a day alone, of the month in which
// the range begins, and of its year.
func (p *parser) date(from date, end bool) (d date, ok bool) {
	if p.digits() == 4 {
		d.year, ok = p.number(1900, 9999), true
	} else if end {
		d.year = from.year
	}
	if month, is := p.month(); is {
		d.month, ok = month, true
		if p.digits() > 0 && !p.clockNext() {
			d.day = p.number(1, 31)
		} else {
			p.try(func() bool {
				weekday, is := p.weekday()
				if !is || !p.take("[") {
					return false
				}
				nth := p.nths()
				if len(nth) != 1 {
					p.fail(errSyntax)
					return true
				}
				d.weekday, d.n = weekday, nth[0]
				return true
			})
		}
	} else if p.take("easter") {
		d.easter, ok = true, true
	} else if end && from.day != 0 && p.digits() > 0 && !p.clockNext() {
		d.month, d.day, ok = from.month, p.number(1, 31), true
	}
	if !ok {
		return d, false
	}
	p.try(func() bool {
		sign, is := p.sign()
		if !is {
			return false
		}
		d.onward = sign
		d.towards, is = p.weekday()
		if !is {
			d.onward = 0
		}
		return is && (d.day != 0 || d.easter || d.n != 0)
	})
	if d.day == 0 && !d.easter && d.n == 0 {
		d.onward = 0
	}
	d.offset = p.dayOffset()
	return d, true
}

// times reads spans of time.
func (p *parser) times() (list []span) {
	for {
		var s span
		var ok bool
		if s.from, ok = p.clock(day); !ok {
			return list
		}
		switch {
		case p.take("+"):
			s.to = clock{minutes: day}
		case p.take("-"):
			if s.to, ok = p.clock(2 * day); !ok {
				p.fail(errSyntax)
			}
			if !p.take("+") && p.take("/") {
				p.number(1, 59)
				if p.take(":") {
					p.number(0, 59)
				}
			}
		default:
			p.fail(errSyntax) // a moment is no time to be open
		}
		list = append(list, s)
		if !p.try(func() bool {
			if !p.take(",") {
				return false
			}
			_, ok := p.clockAhead()
			return ok
		}) {
			return list
		}
	}
}

// clockAhead looks at the time that comes next.
func (p *parser) clockAhead() (c clock, ok bool) {
	before := *p
	c, ok = p.clock(day)
	ok = ok && p.err == nil
	*p = before
	return c, ok
}

var events = [...]string{dawn: "dawn", sunrise: "sunrise", sunset: "sunset", dusk: "dusk"}

// clock reads a time of day of at most a number of minutes.
func (p *parser) clock(most int) (c clock, ok bool) {
	if p.clockNext() {
		c.minutes = p.hourMinutes()
		if c.minutes > most {
			p.fail(errRange)
		}
		return c, true
	}
	inside := p.take("(")
	for e := dawn; e <= dusk; e++ {
		if p.take(events[e]) {
			c.event, ok = e, true
			break
		}
	}
	if !inside {
		return c, ok
	}
	sign, signed := p.sign()
	if !ok || !signed || !p.clockNext() {
		p.fail(errSyntax)
		return c, true
	}
	c.minutes = sign * p.hourMinutes()
	if !p.take(")") {
		p.fail(errSyntax)
	}
	return c, true
}

func (p *parser) hourMinutes() int {
	hour := p.number(0, 48)
	p.take(":")
	return hour*60 + p.number(0, 59)
}
