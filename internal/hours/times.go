package hours

import (
	"math"
	"time"
)

const day = 24 * 60 // minutes

// event is what a time is relative to.
type event uint8

const (
	midnight event = iota
	dawn
	sunrise
	sunset
	dusk
)

// clock is a time of a day, in minutes after an event.
type clock struct {
	event   event
	minutes int
}

// span is a time from one to another, on the next day if that is earlier.
type span struct{ from, to clock }

// minutes returns the span on the day of t in minutes after midnight. It reports
// false if the sun does not rise or set that day.
func (s *span) minutes(t time.Time, at Place) (from, to int, ok bool) {
	from, ok1 := s.from.at(t, at)
	to, ok2 := s.to.at(t, at)
	if to <= from && (to < from || s.to.event != midnight) {
		to += day
	}
	return from, to, ok1 && ok2
}

func (c clock) at(t time.Time, at Place) (minutes int, ok bool) {
	if c.event == midnight {
		return c.minutes, true
	}
	minutes, ok = sun(t, at, c.event)
	return minutes + c.minutes, ok
}

// sun returns the time of an event on the day of t, in minutes after midnight, by
// the sunrise equation: good to a few minutes. It reports false near the poles when
// there is none.
func sun(t time.Time, at Place, e event) (int, bool) {
	altitude := -0.833 // the upper rim, refracted
	if e == dawn || e == dusk {
		altitude = -6
	}
	const degree = math.Pi / 180
	year, month, dayOfMonth := t.Date()
	// Days since noon of January 1st, 2000, by the sun of the place. Conversions
	// keep products from being fused with sums, which some processors do.
	noon := math.Round(float64(number(year, month, dayOfMonth))-10957) - at.Lon/360
	anomaly := math.Mod(357.5291+float64(0.98560028*noon), 360)
	center := float64(1.9148*math.Sin(anomaly*degree)) + float64(0.02*math.Sin(2*anomaly*degree)) + float64(0.0003*math.Sin(3*anomaly*degree))
	longitude := math.Mod(anomaly+center+180+102.9372, 360)
	transit := noon + float64(0.0053*math.Sin(anomaly*degree)) - float64(0.0069*math.Sin(2*longitude*degree))
	declination := math.Asin(math.Sin(longitude*degree) * math.Sin(23.4397*degree))
	cosine := (math.Sin(altitude*degree) - float64(math.Sin(at.Lat*degree)*math.Sin(declination))) /
		(math.Cos(at.Lat*degree) * math.Cos(declination))
	if !(cosine >= -1 && cosine <= 1) {
		return 0, false
	}
	half := math.Acos(cosine) / (2 * math.Pi)
	if e == dawn || e == sunrise {
		half = -half
	}
	const noon2000 = 946728000 // Unix time
	moment := time.Unix(noon2000+int64(math.Round((transit+half)*86400)), 0)
	start := time.Date(year, month, dayOfMonth, 0, 0, 0, 0, t.Location())
	return int(moment.Sub(start) / time.Minute), true
}
