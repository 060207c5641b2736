package hours

import "time"

// dayRange are weekdays from one to another, around the end of the week maybe.
type dayRange struct {
	from, to time.Weekday
	// nth are the weekdays of the month that count, from 1, from the end below
	// 0; empty for all.
	nth []int
	// offset is the number of days from such a day to the one that is meant.
	offset int
}

func (r dayRange) holds(t time.Time) bool {
	t = t.AddDate(0, 0, -r.offset)
	if (t.Weekday()-r.from+7)%7 > (r.to-r.from+7)%7 {
		return false
	}
	if len(r.nth) == 0 {
		return true
	}
	first := (t.Day() + 6) / 7
	last := -(daysIn(t.Year(), t.Month()) - t.Day() + 7) / 7
	for _, n := range r.nth {
		if n == first || n == last {
			return true
		}
	}
	return false
}

func daysIn(year int, month time.Month) int {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// weekRange are weeks of the year, as ISO 8601 numbers them.
type weekRange struct{ from, to, every int }

func (r weekRange) holds(t time.Time) bool {
	_, week := t.ISOWeek()
	return r.from <= week && week <= r.to && (week-r.from)%r.every == 0
}
