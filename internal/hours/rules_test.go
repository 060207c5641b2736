package hours

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func instant(tb testing.TB, text string) time.Time {
	tb.Helper()
	t, err := time.Parse("2006-01-02 15:04", text)
	require.NoError(tb, err)
	return t
}

func TestOpen(t *testing.T) {
	// 2017-05-02 is a Tuesday.
	for text, want := range map[string]map[string]bool{
		"24/7":              {"2017-05-02 10:00": true},
		"Mo-Fr":             {"2017-05-02 10:00": true, "2017-05-06 10:00": false},
		"mo - fr 7:00-9:00": {"2017-05-02 07:00": true, "2017-05-02 09:00": false},
		"07:00-11:00,16:00-18:30": {
			"2017-05-02 06:59": false, "2017-05-02 07:00": true, "2017-05-02 10:59": true, "2017-05-02 11:00": false,
			"2017-05-02 16:00": true, "2017-05-02 18:30": false,
		},
		"Mo-Fr 07:00-11:00, 16:00-18:30": {"2017-05-02 17:00": true, "2017-05-06 17:00": false},
		"Fr-Mo":                          {"2017-05-02 10:00": false, "2017-05-06 10:00": true, "2017-05-08 10:00": true},
		"Su-Tu 11:00-01:00, We-Th 11:00-03:00, Fr 11:00-06:00": {
			"2017-05-02 23:00": true, "2017-05-03 00:59": true, "2017-05-03 01:00": false,
			"2017-05-03 23:00": true, "2017-05-05 02:59": true, "2017-05-06 05:59": true, "2017-05-06 07:00": false,
		},
		"Mo 20:00-26:00":            {"2017-05-01 21:00": true, "2017-05-02 01:59": true, "2017-05-02 02:00": false, "2017-05-03 01:00": false},
		"Mo-Fr 22:00-03:00":         {"2017-05-06 02:00": true, "2017-05-07 02:00": false, "2017-05-01 02:00": false, "2017-05-02 02:00": true},
		"Mo-Sa 10:00-20:00; Tu off": {"2017-05-02 11:00": false, "2017-05-03 11:00": true},
		"Tu off; Mo-Sa 10:00-20:00": {"2017-05-02 11:00": true},
		"Mo-Fr 07:00-09:00; PH off": {"2017-05-02 08:00": true},
		"PH 07:00-09:00":            {"2017-05-02 08:00": false},
		"Mo-Su,PH 07:00-09:00":      {"2017-05-02 08:00": true},
		"SH,Tu 07:00-09:00":         {"2017-05-02 08:00": true, "2017-05-03 08:00": false},
		"Su 10:00+":                 {"2017-05-07 23:59": true, "2017-05-08 00:00": false},
		"10:00-16:00/01:30":         {"2017-05-02 15:00": true},
		"Mo-Sa 08:00-13:00 || \"by appointment\"": {
			"2017-05-02 09:00": true, "2017-05-02 14:00": false,
		},
		"off":                               {"2017-05-02 08:00": false},
		"open":                              {"2017-05-02 08:00": true},
		"Mo-Su unknown \"if the weather\"":  {"2017-05-02 08:00": false},
		"Jun 08:00-14:00":                   {"2017-06-30 09:00": true, "2017-07-01 09:00": false},
		"Apr 10-Jun 15":                     {"2017-04-09 09:00": false, "2017-04-10 00:00": true, "2017-06-15 23:59": true, "2017-06-16 00:00": false},
		"Apr 10-15 off; Apr":                {"2017-04-12 00:00": true},
		"Apr; Apr 10-15 off":                {"2017-04-12 00:00": false, "2017-04-16 00:00": true},
		"Nov-Feb":                           {"2017-11-01 00:00": true, "2018-02-28 00:00": true, "2018-03-01 00:00": false, "2017-10-31 00:00": false},
		"Dec 24-Jan 02":                     {"2017-12-31 00:00": true, "2018-01-02 12:00": true, "2018-01-03 00:00": false},
		"2017 Feb-2018 Mar":                 {"2017-01-31 00:00": false, "2017-06-01 00:00": true, "2018-03-31 00:00": true, "2018-04-01 00:00": false},
		"2016-2017":                         {"2017-12-31 00:00": true, "2018-01-01 00:00": false},
		"2016+":                             {"2015-12-31 00:00": false, "2030-01-01 00:00": true},
		"2015-2021/2":                       {"2017-03-01 00:00": true, "2018-03-01 00:00": false, "2023-03-01 00:00": false},
		"2017":                              {"2017-03-01 00:00": true, "2018-03-01 00:00": false},
		"2017 Mar 20":                       {"2017-03-20 05:00": true, "2018-03-20 05:00": false},
		"Feb 29":                            {"2016-02-29 05:00": true, "2017-02-28 05:00": false},
		"Aug 15-Jun 15: Mo-Fr 07:30-09:30":  {"2017-05-02 08:00": true, "2017-07-04 08:00": false},
		"Mar Su[-1]-Oct Su[-1]":             {"2017-03-25 12:00": false, "2017-03-26 12:00": true, "2017-10-29 12:00": true, "2017-10-30 12:00": false},
		"Sep 15+Sa-Oct Su[1]":               {"2017-09-15 12:00": false, "2017-09-16 12:00": true, "2017-10-01 12:00": true, "2017-10-02 12:00": false},
		"easter -2 days":                    {"2017-04-14 12:00": true, "2017-04-16 12:00": false, "2018-03-30 12:00": true},
		"easter +1 day: 08:00-10:00":        {"2017-04-17 09:00": true, "2017-04-18 09:00": false},
		"week 18":                           {"2017-05-02 12:00": true, "2017-05-08 12:00": false},
		"week 01-53/2 Fr 09:00-12:00":       {"2017-05-12 10:00": true, "2017-05-05 10:00": false},
		"week 10-12,18 Tu":                  {"2017-05-02 12:00": true, "2017-05-09 12:00": false},
		"Tu[1] 10:00-12:00":                 {"2017-05-02 11:00": true, "2017-05-09 11:00": false},
		"Tu[2-3,-1]":                        {"2017-05-02 11:00": false, "2017-05-09 11:00": true, "2017-05-16 11:00": true, "2017-05-23 11:00": false, "2017-05-30 11:00": true},
		"Mo[1] +1 day":                      {"2017-05-02 11:00": true, "2017-05-01 11:00": false},
		"Mo,Tu,Th,Fr 12:00-18:00;Th[3] off": {"2017-05-18 13:00": false, "2017-05-11 13:00": true},
		"Mo-Su 08:00-18:00; Apr 10-15 off; Jun 08:00-14:00; Aug off; Dec 25 off": {
			"2017-05-02 17:00": true, "2017-04-12 10:00": false, "2017-08-12 10:00": false, "2017-12-25 10:00": false,
		},
	} {
		r, err := Parse(text)
		require.NoError(t, err, text)
		for at, open := range want {
			require.Equal(t, open, r.Open(instant(t, at), Place{}), "%s at %s", text, at)
		}
	}
}

func TestNotOpeningHours(t *testing.T) {
	for text, column := range map[string]int{
		"":                      1,
		" ":                     2,
		"has_pygmies > 10 p":    1,
		"Mo-Fr AND weight>7":    7,
		"Mo-Fr, 07:00-09:00":    8,
		"0600-1800":             1,
		"7/8-23":                1,
		"Mo-":                   4,
		"Mo-Fr 25:00-26:00":     12,
		"Mo-Fr 07:60-09:00":     10,
		"Mo-Fr 07:00":           12,
		"Mo[6]":                 4,
		"Mo[":                   4,
		"(sunrise+01:00":        15,
		"(sunrise)-12:00":       9,
		"Jan 32":                5,
		"1899 Jan":              1,
		"week 54":               6,
		"Monday":                1,
		"\"without end":         2,
		"Mo-Fr 08:00-10:00 2 h": 19,
		"Jan-":                  5,
	} {
		_, err := Parse(text)
		var syntax *SyntaxError
		require.ErrorAs(t, err, &syntax, text)
		require.Equal(t, column, syntax.Column, err)
		require.Equal(t, text, syntax.Text)
		require.NotNil(t, errors.Unwrap(err))
		require.Contains(t, err.Error(), "hours: column")
	}
}

// New York, by the almanac: sunrise 07:17, sunset 16:32, civil dawn 06:46 and dusk
// 17:02 on 2017-12-21. The sun neither rises nor sets on the North Cape in June.
func TestSun(t *testing.T) {
	newYork, err := time.LoadLocation("America/New_York")
	require.NoError(t, err)
	place := Place{Lon: -74, Lat: 40.7}
	type check struct {
		hour, minute int
		want         bool
	}
	for text, checks := range map[string][]check{
		"sunrise-sunset":                          {{7, 13, false}, {7, 20, true}, {16, 28, true}, {16, 36, false}},
		"(sunset-01:00)-(sunrise+01:00)":          {{15, 36, true}, {15, 28, false}, {8, 13, true}, {8, 20, false}},
		"dawn-dusk":                               {{6, 42, false}, {6, 50, true}, {16, 58, true}, {17, 6, false}},
		"Mo-Fr (sunrise-00:30)-sunset,dusk-23:00": {{6, 50, true}, {6, 40, false}, {17, 0, false}, {17, 6, true}, {23, 0, false}},
	} {
		r, err := Parse(text)
		require.NoError(t, err, text)
		for _, c := range checks {
			require.Equal(t, c.want, r.Open(time.Date(2017, 12, 21, c.hour, c.minute, 0, 0, newYork), place), "%s at %d:%02d", text, c.hour, c.minute)
		}
	}
	r, err := Parse("sunrise-sunset,00:00-01:00")
	require.NoError(t, err)
	cape := Place{Lon: 25.8, Lat: 71.2}
	require.False(t, r.Open(time.Date(2017, 6, 20, 12, 0, 0, 0, time.UTC), cape))
	require.True(t, r.Open(time.Date(2017, 6, 20, 0, 30, 0, 0, time.UTC), cape))
}

// Days from easter to easter are told by a table of the church.
func TestEaster(t *testing.T) {
	for year, day := range map[int]time.Time{
		1961: time.Date(1961, 4, 2, 0, 0, 0, 0, time.UTC), 2000: time.Date(2000, 4, 23, 0, 0, 0, 0, time.UTC),
		2008: time.Date(2008, 3, 23, 0, 0, 0, 0, time.UTC), 2038: time.Date(2038, 4, 25, 0, 0, 0, 0, time.UTC),
	} {
		require.Equal(t, int(day.Unix()/86400), easter(year), year)
	}
}

// What a weekday of a month is, by looking at each day.
func TestNthWeekday(t *testing.T) {
	for month := time.January; month <= time.December; month++ {
		days := daysIn(2024, month)
		for d := 1; d <= days; d++ {
			at := time.Date(2024, month, d, 12, 0, 0, 0, time.UTC)
			first, last := (d-1)/7+1, -((days-d)/7 + 1)
			for n := -5; n <= 5; n++ {
				if n == 0 {
					continue
				}
				want := n == first || n == last
				require.Equal(t, want, dayRange{from: at.Weekday(), to: at.Weekday(), nth: []int{n}}.holds(at), "%v %d", at, n)
				day, ok := nthWeekday(2024, month, at.Weekday(), n)
				require.Equal(t, want, ok && day == number(2024, month, d), "%v %d", at, n)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"Mo-Fr 07:00-09:00,16:00-18:30; PH off", "Mar Su[-1]-Oct Su[-1] sunrise-(sunset-01:30)", "week 01-53/2 Fr 09:00+",
		"2016 Feb 03-2017 Dec: Mo[1,-1] +2 days 22:00-26:00/30 open \"x\" || 24/7", "easter -2 days off", "Jan 05+Su-08",
	} {
		f.Add(text, int64(1493719200))
	}
	f.Fuzz(func(t *testing.T, text string, unix int64) {
		r, err := Parse(text)
		if err != nil {
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.LessOrEqual(t, syntax.Column, len(text)+1)
			return
		}
		at := time.Unix(unix%1e11, 0).UTC()
		open := r.Open(at, Place{Lon: float64(unix % 180), Lat: float64(unix % 90)})
		again, err := Parse(" " + text + " ")
		require.NoError(t, err)
		require.Equal(t, open, again.Open(at, Place{Lon: float64(unix % 180), Lat: float64(unix % 90)}))
	})
}
