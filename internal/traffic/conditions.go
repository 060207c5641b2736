package traffic

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/hours"
	"github.com/fourway-routing/fourway/internal/region"
)

// Conditions say for which instant the turns count that are forbidden at times.
type Conditions struct {
	// At is the instant; the zero Time leaves all turns as they are.
	At time.Time
	// zones are the time zones, nil if the time everywhere is At's.
	zones *region.Set
}

// AddZones reads polygons of time zones: GeoJSON features whose property tzid, or
// TZID, names a zone of the IANA.
func (c *Conditions) AddZones(name string, open func(string) (io.ReadCloser, error)) error {
	if c.zones == nil {
		c.zones = &region.Set{}
	}
	first := c.zones.NumFeatures()
	err := readFile(name, open, func(src io.Reader) error { return c.zones.Read(name, src) })
	if err != nil {
		return err
	}
	for i := first; i < c.zones.NumFeatures(); i++ {
		if zoneName(c.zones, i) == "" {
			return fmt.Errorf("traffic: %s: polygon %d has no time zone: the property tzid is to name one", name, i-first+1)
		}
	}
	return nil
}

func zoneName(s *region.Set, feature int) string {
	for _, key := range [...]string{"tzid", "TZID"} {
		if name, ok := s.Value(feature, key).(string); ok {
			return name
		}
	}
	return ""
}

// Conditions closes the turns of the network that are forbidden at an instant, and
// opens all others.
func (u *Updater) Conditions(c *Conditions) {
	if c.At.IsZero() {
		return
	}
	n := u.net
	u.m.TurnClosed = nil
	e := evaluation{
		Conditions: c, net: n,
		rules: make(map[graph.StringID]*hours.Rules), times: make(map[int]*time.Time),
	}
	conditional := graph.MakeBits(n.NumEdges())
	for i := range n.Conditions {
		x := &n.Conditions[i]
		if edge := uint32(x.Edge); !conditional.Get(edge) {
			conditional.Set(edge)
			u.report.ConditionalTurns++
		}
		local, zoned := e.local(x.Place)
		if !zoned {
			u.report.UnzonedTurns++
			continue
		}
		if !e.holds(x, local) {
			continue
		}
		if u.m.TurnClosed == nil {
			u.m.TurnClosed = graph.MakeBits(n.NumEdges())
		}
		if !u.m.TurnClosed.Get(uint32(x.Edge)) {
			u.m.TurnClosed.Set(uint32(x.Edge))
			u.report.ClosedTurns++
		}
	}
	u.report.UnknownZones = e.unknown
}

// evaluation evaluates conditions for an instant.
type evaluation struct {
	*Conditions
	net   *graph.Network
	rules map[graph.StringID]*hours.Rules
	// times are the local times by feature, nil where the zone is not known.
	times   map[int]*time.Time
	unknown []string
	found   []int
}

// holds tells whether a condition holds at a local time.
func (e *evaluation) holds(c *graph.Condition, local time.Time) bool {
	rules, ok := e.rules[c.Text]
	if !ok {
		// What cannot be read, extraction has left out.
		rules, _ = hours.Parse(e.net.Strings.Get(c.Text))
		e.rules[c.Text] = rules
	}
	lon, lat := e.net.Coords[c.Place].LonLat()
	return rules != nil && rules.Open(local, hours.Place{Lon: lon, Lat: lat})
}

// local returns the local time at a place. It reports false if it is not known.
func (e *evaluation) local(p graph.PlaceID) (time.Time, bool) {
	if e.zones == nil {
		return e.At, true
	}
	lon, lat := e.net.Coords[p].LonLat()
	e.found = e.zones.AppendAt(e.found[:0], lon, lat)
	for _, feature := range e.found {
		t, ok := e.times[feature]
		if !ok {
			name := zoneName(e.zones, feature)
			// Local would be where the program runs.
			if zone, err := time.LoadLocation(name); err == nil && name != "Local" {
				local := e.At.In(zone)
				t = &local
			} else if !slices.Contains(e.unknown, name) {
				e.unknown = append(e.unknown, name)
			}
			e.times[feature] = t
		}
		if t != nil {
			return *t, true
		}
	}
	return time.Time{}, false
}
