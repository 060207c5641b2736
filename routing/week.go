package routing

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// HoursOfWeek is the number of hours of a week.
const HoursOfWeek = 7 * 24

// Week says which metric counts in each hour of the week, the first being that from
// Monday 0:00 on. The empty name stands for the default metric.
type Week [HoursOfWeek]string

// At returns the metric that counts at a time, by the clock of its location.
func (w *Week) At(t time.Time) string {
	day := (int(t.Weekday()) + 6) % 7 // Monday is the first
	return w[24*day+t.Hour()]
}

// days are what files call the days of the week.
var days = [...]string{"Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"}

// maxWeek is the largest size of a Week's text in bytes.
const maxWeek = 1 << 20

// ParseWeek reads a Week from lines of
//
//	days,hours,metric
//
// such as Mo-Fr,7-9,rush: days are Mo, Tu, We, Th, Fr, Sa and Su, one or from one to
// another; hours are from one full hour, 0 to 23, to another, 1 to 24, and end on the
// next day if they end no later than they begin. Of lines for an hour the last counts;
// hours without one are of the default metric. Empty lines, and those that begin with
// #, are skipped. Errors name the line.
func ParseWeek(r io.Reader) (*Week, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxWeek+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxWeek {
		return nil, fmt.Errorf("routing: a week has at most %d bytes", maxWeek)
	}
	w := new(Week)
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxWeek+1)
	for at := 1; lines.Scan(); at++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := w.parseLine(line); err != nil {
			return nil, fmt.Errorf("routing: week, line %d: %w", at, err)
		}
	}
	return w, lines.Err()
}

func (w *Week) parseLine(line string) error {
	fields := strings.Split(line, ",")
	if len(fields) != 3 {
		return fmt.Errorf("%d fields, want days,hours,metric", len(fields))
	}
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	first, last, err := parseDays(fields[0])
	if err != nil {
		return err
	}
	from, to, err := parseHours(fields[1])
	if err != nil {
		return err
	}
	if fields[2] != "" && !validMetric(fields[2]) {
		return errMetricName(fields[2])
	}
	for day := first; ; day = (day + 1) % len(days) {
		for hour := from; hour < to; hour++ {
			w[(24*day+hour)%HoursOfWeek] = fields[2]
		}
		if day == last {
			return nil
		}
	}
}

func parseDays(text string) (first, last int, err error) {
	from, to, ok := strings.Cut(text, "-")
	if !ok {
		to = from
	}
	first, last = -1, -1
	for i, name := range days {
		if name == strings.TrimSpace(from) {
			first = i
		}
		if name == strings.TrimSpace(to) {
			last = i
		}
	}
	if first < 0 || last < 0 {
		return 0, 0, fmt.Errorf("days %q, want one of %s, or two with - between", text, strings.Join(days[:], ", "))
	}
	return first, last, nil
}

// parseHours returns hours of which the last may be on the next day.
func parseHours(text string) (from, to int, err error) {
	a, b, _ := strings.Cut(text, "-")
	from, err1 := strconv.Atoi(strings.TrimSpace(a))
	to, err2 := strconv.Atoi(strings.TrimSpace(b))
	if err := errors.Join(err1, err2); err != nil || from < 0 || from > 23 || to < 1 || to > 24 {
		return 0, 0, fmt.Errorf("hours %q, want from-to, 0-24 for a whole day", text)
	}
	if to <= from {
		to += 24
	}
	return from, to, nil
}
