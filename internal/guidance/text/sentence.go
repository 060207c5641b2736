package text

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Maneuver is what a sentence tells.
type Maneuver struct {
	Type     string // as answers have it: "turn", "off ramp", …
	Modifier string // as answers have it, or empty
	Exit     int    // of a roundabout, 0 if none
	Bearing  int    // in degrees, of the road after the maneuver

	// The road after the maneuver, as answers have it.
	Name, Ref, Destinations, Exits string
	Rotary                         string // name of a roundabout
	Mode, ModeBefore               string
	Distance                       float64 // on it, in meters

	// Lanes say from left to right which ones serve the maneuver.
	Lanes []bool
	// Waypoint is the number of the waypoint between that is reached, from 1;
	// 0 where the route ends.
	Waypoint int
	Imperial bool // distances in feet and miles
}

// byDefault is the modifier of sentences for those that have none of their own.
const byDefault = "default"

// atWaypoint is the type of arrivals before the last.
const atWaypoint = "waypoint"

// kinds are the types of maneuvers that a file has sentences for.
var kinds = [...]string{
	"depart", "arrive", atWaypoint, "turn", "new name", "continue", "merge", "on ramp", "off ramp", "fork", "end of road",
	"roundabout", "rotary", "roundabout turn", "exit roundabout", "exit rotary", "use lane", "notification",
}

// modes are those that a file has sentences for.
var modes = [...]string{
	"driving", "cycling", "walking", "pushing bike", "ferry", "train", "steps up", "steps down",
	"river upstream", "river downstream",
}

// byVehicle says whether sentences for turns fit a mode.
func byVehicle(mode string) bool {
	return mode == "driving" || mode == "cycling" || mode == "walking" || !slices.Contains(modes[:], mode)
}

// dictionaries are the words that a file has, by what stands for them.
var dictionaries = map[string][]string{
	"modifier": {"uturn", "sharp right", "right", "slight right", "straight", "slight left", "left", "sharp left"},
	"side":     {"left", "right", "straight"},
	"compass":  {"0", "45", "90", "135", "180", "225", "270", "315"},
}

// slots are what templates may take apart from words.
var slots = []string{"name", "ref", "way", "rotary", "destination", "exits", "ordinal", "distance", "lanes", "waypoint"}

// side is where the lanes are that serve a maneuver.
type side string

const (
	leftLanes  side = "left"
	rightLanes side = "right"
	midLanes   side = "middle"
	outerLanes side = "outer" // some left and some right
)

var sides = [...]side{leftLanes, rightLanes, midLanes, outerLanes}

// Append appends the sentence for a maneuver to dst.
func (l *Language) Append(dst []byte, m *Maneuver) []byte {
	start := len(dst)
	values := values{l, m}
	dst, _ = l.sentence(m).render(dst, values.get)
	if l.capitalize {
		return capitalize(dst, start)
	}
	return dst
}

// sentence chooses the template.
func (l *Language) sentence(m *Maneuver) template {
	kind := m.Type
	changes := m.Mode != m.ModeBefore && kind != "arrive"
	if t, ok := l.modes[m.Mode]; ok && changes && (!byVehicle(m.Mode) || kind == "notification") {
		return t
	}
	if kind == "arrive" && m.Waypoint > 0 {
		kind = atWaypoint
	}
	by, ok := l.maneuvers[kind]
	if !ok {
		by = l.maneuvers["turn"] // clients are told to treat types they do not know so
	}
	modifier := m.Modifier
	if m.Type != "arrive" {
		modifier = direction(modifier)
	}
	if t, ok := by[modifier]; ok {
		return t
	}
	return by[byDefault]
}

// direction returns a modifier, or straight for what is none.
func direction(modifier string) string {
	if slices.Contains(dictionaries["modifier"], modifier) {
		return modifier
	}
	return "straight"
}

// capitalize makes the first letter of dst[start:] a capital.
func capitalize(dst []byte, start int) []byte {
	first, size := utf8.DecodeRune(dst[start:])
	upper := unicode.ToUpper(first)
	if upper == first || size <= 1 && first == utf8.RuneError {
		return dst
	}
	return slices.Replace(dst, start, start+size, utf8.AppendRune(nil, upper)...)
}

// values fills slots.
type values struct {
	*Language
	*Maneuver
}

func (v values) get(slot string) string {
	switch slot {
	case "name":
		return v.Name
	case "ref":
		return v.joined(v.Ref)
	case "way":
		text, _ := v.way.render(nil, v.get)
		return string(text)
	case "rotary":
		return v.Rotary
	case "destination":
		return v.destination()
	case "exits":
		return v.joined(v.Exits)
	case "ordinal":
		return v.ordinalOf(v.Exit)
	case "waypoint":
		return v.ordinalOf(v.Waypoint)
	case "distance":
		return v.Language.Distance(v.Maneuver.Distance, v.Imperial)
	case "lanes":
		return v.laneText()
	}
	dictionary, _, _ := strings.Cut(slot, ".")
	return v.words[slot][v.word(dictionary)]
}

// word is the key of the maneuver's word in a dictionary.
func (v values) word(dictionary string) string {
	switch dictionary {
	case "compass":
		return strconv.Itoa((v.Bearing%360 + 360 + 22) / 45 % 8 * 45)
	case "side":
		switch {
		case strings.HasSuffix(v.Modifier, "left"):
			return "left"
		case strings.HasSuffix(v.Modifier, "right"):
			return "right"
		}
		return "straight"
	}
	return direction(v.Modifier)
}

// joined writes a list that answers have with semicolons.
func (v values) joined(list string) string {
	items := strings.Split(list, ";")
	for i := range items {
		items[i] = strings.TrimSpace(items[i])
	}
	return strings.Join(slices.DeleteFunc(items, func(s string) bool { return s == "" }), v.list)
}

// destination shows the first two of what signs tell: places if there are any,
// else numbers of roads. Answers have them as "numbers: places".
func (v values) destination() string {
	const most = 2
	numbers, places, both := strings.Cut(v.Destinations, ": ")
	if !both {
		places = numbers
	}
	items := strings.Split(places, ",")
	if len(items) > most {
		items = items[:most]
	}
	return v.joined(strings.Join(items, ";"))
}

// ordinalOf writes the n-th in words, or in digits where there is no word.
func (v values) ordinalOf(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(v.nth):
		return v.nth[n-1]
	}
	return string(v.ordinal.render(nil, v.ordinals.of(integer(n)), strconv.Itoa(n)))
}

// laneText tells which lanes to use; empty if there is no choice.
func (v values) laneText() string {
	count := 0
	for _, valid := range v.Lanes {
		if valid {
			count++
		}
	}
	if count == 0 || count == len(v.Lanes) {
		return ""
	}
	at := midLanes
	switch left, right := v.Lanes[0], v.Lanes[len(v.Lanes)-1]; {
	case left && right:
		at = outerLanes
	case left:
		at = leftLanes
	case right:
		at = rightLanes
	}
	return string(v.lanes[at].render(nil, v.plural.of(integer(count)), strconv.Itoa(count)))
}
