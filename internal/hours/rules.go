package hours

import "time"

// Rules are opening hours. They are immutable and safe for concurrent use.
type Rules struct {
	list []rule
}

// rule is a part of opening hours; empty selectors hold always.
type rule struct {
	always   bool // 24/7
	closed   bool // closed, off or unknown
	dates    []dateRange
	weeks    []weekRange
	days     []dayRange
	holidays bool // days or holidays, if there are no days
	times    []span
}

// Place is where opening hours hold, in degrees; the sun goes by it.
type Place struct{ Lon, Lat float64 }

// Open tells whether an instant is within the rules. The local time is that of t's
// location.
func (r *Rules) Open(t time.Time, at Place) bool {
	open := false
	for i := range r.list {
		l := &r.list[i]
		if l.always {
			return true
		}
		if l.applies(t, at) {
			open = !l.closed
		}
	}
	return open
}

// applies tells whether t is within a rule.
func (r *rule) applies(t time.Time, at Place) bool {
	if len(r.times) == 0 {
		return r.onDay(t)
	}
	minutes := t.Hour()*60 + t.Minute()
	yesterday := t.AddDate(0, 0, -1)
	for i := range r.times {
		s := &r.times[i]
		if from, to, ok := s.minutes(t, at); ok && from <= minutes && minutes < to && r.onDay(t) {
			return true
		}
		// What began yesterday may last until now.
		if from, to, ok := s.minutes(yesterday, at); ok && from <= minutes+day && minutes+day < to && r.onDay(yesterday) {
			return true
		}
	}
	return false
}

// onDay tells whether the rule is about the day of t.
func (r *rule) onDay(t time.Time) bool {
	return anyOf(r.dates, t) && anyOf(r.weeks, t) && (len(r.days) > 0 || !r.holidays) && anyOf(r.days, t)
}

// selector is a condition on a day.
type selector interface{ holds(time.Time) bool }

// anyOf tells whether a selector holds, or there is none.
func anyOf[S selector](list []S, t time.Time) bool {
	for _, s := range list {
		if s.holds(t) {
			return true
		}
	}
	return len(list) == 0
}
