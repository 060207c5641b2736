package hours

import "time"

// date is a day of the year, or all of a month or year.
type date struct {
	year   int // 0 for any
	month  time.Month
	day    int  // 0 for all
	easter bool // instead of month and day
	// weekday is the n-th of its kind in the month, n not being 0.
	weekday time.Weekday
	n       int
	// onward moves on to a weekday: 1 to the next, -1 to the one before.
	onward  int
	towards time.Weekday
	offset  int // days
}

// dateRange are dates from one to another.
type dateRange struct {
	from, to date
	// open makes the range end at no date.
	open bool
	// every counts years; 0 and 1 are every one.
	every int
}

// holds tells whether the day of t is in the range. Without years a range that
// ends before it begins goes on over the end of the year.
func (r dateRange) holds(t time.Time) bool {
	at := number(t.Year(), t.Month(), t.Day())
	from, ok1 := r.from.first(t.Year())
	to, ok2 := r.to.last(t.Year())
	if !ok1 || !ok2 && !r.open {
		return false
	}
	if r.every > 1 && (t.Year()-r.from.year)%r.every != 0 {
		return false
	}
	switch {
	case r.open:
		return from <= at
	case from > to && r.from.year == 0 && r.to.year == 0:
		return at >= from || at <= to
	}
	return from <= at && at <= to
}

// number numbers days.
func number(year int, month time.Month, day int) int {
	return int(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60))
}

// first returns the first day of the date in a year, unless the date has one.
func (d date) first(year int) (int, bool) { return d.at(year, false) }

func (d date) last(year int) (int, bool) { return d.at(year, true) }

func (d date) at(year int, last bool) (int, bool) {
	if d.year != 0 {
		year = d.year
	}
	var n int
	switch {
	case d.easter:
		n = easter(year)
	case d.month == 0:
		n = number(year, time.January, 1)
		if last {
			n = number(year, time.December, 31)
		}
	case d.n != 0:
		var ok bool
		if n, ok = nthWeekday(year, d.month, d.weekday, d.n); !ok {
			return 0, false
		}
	case d.day == 0:
		n = number(year, d.month, 1)
		if last {
			n = number(year, d.month+1, 0)
		}
	case d.day > daysIn(year, d.month):
		return 0, false
	default:
		n = number(year, d.month, d.day)
	}
	for d.onward != 0 && weekdayOf(n) != d.towards {
		n += d.onward
	}
	return n + d.offset, true
}

func weekdayOf(n int) time.Weekday { return time.Weekday(((n+4)%7 + 7) % 7) }

// nthWeekday returns the n-th weekday of a month, from its end if n is negative.
func nthWeekday(year int, month time.Month, weekday time.Weekday, n int) (int, bool) {
	if n > 0 {
		first := number(year, month, 1)
		at := first + int(weekday-weekdayOf(first)+7)%7 + 7*(n-1)
		return at, at < first+daysIn(year, month)
	}
	last := number(year, month+1, 0)
	at := last - int(weekdayOf(last)-weekday+7)%7 + 7*(n+1)
	return at, at > last-daysIn(year, month)
}

// easter returns Easter Sunday in the Gregorian calendar, by the method of Meeus,
// Jones and Butcher.
func easter(year int) int {
	a, b, c := year%19, year/100, year%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 22*l) / 451
	month := (h + l - 7*m + 114) / 31
	return number(year, time.Month(month), (h+l-7*m+114)%31+1)
}
