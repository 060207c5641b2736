package text

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden holds every sentence of every language to a file: each type and
// modifier, of a maneuver that has all there is to tell, and of one that has
// nothing.
func TestGolden(t *testing.T) {
	for _, tag := range Languages() {
		l, err := Open(tag)
		require.NoError(t, err)
		require.Equal(t, tag, l.Tag())
		var out strings.Builder
		write := func(what string, m Maneuver) {
			sentence := string(l.Append(nil, &m))
			require.NotEmpty(t, sentence, what)
			require.Equal(t, strings.TrimSpace(sentence), sentence)
			require.NotContains(t, sentence, "  ")
			require.NotContains(t, sentence, "{")
			out.WriteString(what + ": " + sentence + "\n")
		}
		for _, kind := range kinds {
			waypoint := 0
			if kind == atWaypoint {
				kind, waypoint = "arrive", 2
			}
			for _, modifier := range append([]string{""}, dictionaries["modifier"]...) {
				if (kind == "depart" || kind == "arrive" || strings.HasPrefix(kind, "exit r") || kind == "roundabout" || kind == "rotary") &&
					modifier != "" && (kind != "arrive" || l.maneuvers[kind][modifier] == nil) {
					continue // says the same for all
				}
				what := strings.TrimSpace(kind + " " + modifier)
				write(what, Maneuver{Type: kind, Modifier: modifier, Waypoint: waypoint})
				write(what, Maneuver{
					Type: kind, Modifier: modifier, Waypoint: waypoint, Exit: 2, Bearing: 100, Name: "Mill Lane", Ref: "A 1;B 2",
					Destinations: "A 1: Dover, Smyrna, Newark", Exits: "5A;5B", Rotary: "Circle", Distance: 1234,
					Lanes: []bool{false, true, true},
				})
			}
		}
		for _, mode := range modes {
			write(mode, Maneuver{Type: "notification", Mode: mode, ModeBefore: "route"})
			write(mode, Maneuver{Type: "notification", Mode: mode, ModeBefore: "route", Name: "Mill Lane", Destinations: "Dover"})
		}
		for exit := range 25 {
			write("exit", Maneuver{Type: "roundabout", Exit: exit})
		}
		for _, at := range []string{"xo", "xxo", "ox", "oxx", "oxo", "oxxo", "xox", "xx", "oo", ""} {
			var lanes []bool
			for _, c := range at {
				lanes = append(lanes, c == 'x')
			}
			write("lanes "+at, Maneuver{Type: "use lane", Modifier: "straight", Lanes: lanes})
		}
		for bearing := 0; bearing < 360; bearing += 45 {
			write("depart", Maneuver{Type: "depart", Bearing: bearing})
		}
		for _, distance := range []float64{1, 14, 96, 460, 990, 1000, 1049, 2360, 9960, 123456} {
			for _, imperial := range []bool{false, true} {
				write("distance", Maneuver{Type: "continue", Modifier: "straight", Distance: distance, Imperial: imperial})
			}
		}
		file := "testdata/" + tag + ".txt"
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o644))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), out.String())
	}
}

func TestMatch(t *testing.T) {
	for tag, want := range map[string]string{"en": "en", "EN": "en", "en-US": "en", "de_AT": "de", "fr-CA-x-old": "fr"} {
		got, err := Match(tag)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, tag := range []string{"", "-", "xx", "english", "../en", "e"} {
		_, err := Open(tag)
		var unknown *UnknownLanguageError
		require.ErrorAs(t, err, &unknown)
		require.Equal(t, tag, unknown.Language)
		require.Equal(t, []string{"de", "en", "fr"}, unknown.Present)
		require.ErrorContains(t, err, "choose one of de, en, fr")
	}
}

// All languages have the same sentences; none may be forgotten.
func TestLanguagesSayTheSame(t *testing.T) {
	english, err := Open("en")
	require.NoError(t, err)
	for _, tag := range Languages() {
		l, err := Open(tag)
		require.NoError(t, err)
		for kind, sentences := range english.maneuvers {
			for modifier := range sentences {
				require.Contains(t, l.maneuvers[kind], modifier, "%s: %s", tag, kind)
			}
		}
	}
}

func TestFileMalformed(t *testing.T) {
	whole, err := files.ReadFile(folder + "en.json")
	require.NoError(t, err)
	for _, c := range []struct{ old, new, want string }{
		{`"capitalize"`, `"kapitalize"`, `unknown field "kapitalize"`},
		{`"language": "en"`, `"language": ""`, "language, decimal or list: is missing"},
		{"turn {modifier}[", "turn {modifer}[", "unknown slot {modifer}"},
		{"turn {modifier}[", "turn {modifier.verb}[", "unknown slot {modifier.verb}"},
		{"turn {modifier}[", "turn {modifier}[[", "bracket without an end"},
		{`"start out {compass}[`, `"[`, "depart default: says nothing of a maneuver without names"},
		{"{n} meter\"", "{m} meter\"", "unknown slot {m}"},
		{`"other": "{n} feet"`, `"few": "{n} feet"`, "unit feet: lacks a form for other numbers"},
		{`"merge": {`, `"merg": {`, "merge: lacks a default"},
		{`"train":`, `"trane":`, "mode train"},
		{`"315": "northwest"`, `"315": ""`, `compass: lacks a word for "315"`},
		{`{"one": "i = 1 and v = 0"}`, `{"uno": "i = 1 and v = 0"}`, `unknown category "uno"`},
		{"i = 1 and v = 0", "i = 1 and v", "no = in the relation"},
	} {
		data := strings.Replace(string(whole), c.old, c.new, 1)
		require.NotEqual(t, string(whole), data, c.old)
		_, err := parse([]byte(data))
		require.ErrorContains(t, err, c.want)
	}
	var f map[string]any
	require.NoError(t, json.Unmarshal(whole, &f))
	for key := range f {
		if key == "capitalize" || key == "plural" || key == "ordinal" {
			continue
		}
		rest := map[string]any{}
		for k, v := range f {
			if k != key {
				rest[k] = v
			}
		}
		data, err := json.Marshal(rest)
		require.NoError(t, err)
		_, err = parse(data)
		if key == "way" {
			require.NoError(t, err)
			continue
		}
		require.Error(t, err, key)
	}
}

func TestSentences(t *testing.T) {
	l, err := Open("en")
	require.NoError(t, err)
	for _, c := range []struct {
		name, want string
		m          Maneuver
	}{
		{"unknown type", "Turn left", Maneuver{Type: "vault", Modifier: "left"}},
		{"no modifier", "Go straight ahead onto B 2", Maneuver{Type: "turn", Ref: "B 2"}},
		{"unknown modifier", "Where the road divides, keep straight", Maneuver{Type: "fork", Modifier: "up"}},
		{"onto a ferry", "Board the ferry Lewes", Maneuver{Type: "turn", Modifier: "left", Mode: "ferry", ModeBefore: "driving", Name: "Lewes"}},
		{"on the ferry", "Turn left", Maneuver{Type: "turn", Modifier: "left", Mode: "ferry", ModeBefore: "ferry"}},
		{"off the ferry", "Turn left", Maneuver{Type: "turn", Modifier: "left", Mode: "driving", ModeBefore: "ferry"}},
		{"off the ferry straight on", "Go on by car", Maneuver{Type: "notification", Mode: "driving", ModeBefore: "ferry"}},
		{"arrival on a ferry", "You are at your destination", Maneuver{Type: "arrive", Mode: "ferry", ModeBefore: "driving"}},
		{"start on steps", "Climb the steps", Maneuver{Type: "depart", Mode: "steps up"}},
		{"lists of signs", "Leave by exit 7 on the right toward I 95", Maneuver{Type: "off ramp", Modifier: "right", Exits: "7; ;", Destinations: "I 95"}},
		{"braces in a name", "Turn left onto {way}[|]", Maneuver{Type: "turn", Modifier: "left", Name: "{way}[|]"}},
		{"any bearing", "Start out west", Maneuver{Type: "depart", Bearing: -90}},
	} {
		require.Equal(t, c.want, string(l.Append(nil, &c.m)), c.name)
	}
	require.Equal(t, "go: Turn left", string(l.Append([]byte("go: "), &Maneuver{Type: "turn", Modifier: "left"})))
	require.Equal(t, []string{"de", "en", "fr"}, Languages())
	require.True(t, slices.IsSorted(Languages()))
}

func TestDistance(t *testing.T) {
	l, err := Open("de")
	require.NoError(t, err)
	for meters, want := range map[float64]string{
		0: "", -1: "", 4: "10 Meter", 94.9: "90 Meter", 95: "100 Meter", 974: "950 Meter", 975: "1 Kilometer", 1449: "1,4 Kilometer",
		9949: "9,9 Kilometer", 9960: "10 Kilometer", 1e20: "",
	} {
		require.Equal(t, want, l.Distance(meters, false), meters)
	}
	for meters, want := range map[float64]string{1: "50 Fuß", 290: "950 Fuß", 300: "0,2 Meilen", 1609.344: "1 Meile", 2000: "1,2 Meilen"} {
		require.Equal(t, want, l.Distance(meters, true), meters)
	}
}

func TestCapitalize(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "A", "übel": "Übel", "A": "A", "7": "7", "\xff": "\xff", "ß": "ß"} {
		require.Equal(t, want, string(capitalize([]byte(text), 0)))
	}
	require.Equal(t, "a B", string(capitalize([]byte("a b"), 2)))
}

// Whatever a road is called, its name comes out as it is.
func FuzzAppend(f *testing.F) {
	f.Add("turn", "left", "Mill Lane", "A 1;B 2", "A 1: Dover, Smyrna", 3, 1234.5)
	f.Fuzz(func(t *testing.T, kind, modifier, name, ref, destinations string, exit int, distance float64) {
		for _, tag := range []string{"en", "fr"} {
			l, err := Open(tag)
			require.NoError(t, err)
			got := string(l.Append(nil, &Maneuver{
				Type: kind, Modifier: modifier, Name: name, Ref: ref, Destinations: destinations, Exit: exit, Bearing: exit, Distance: distance,
			}))
			require.NotEmpty(t, got)
			if kind == "turn" && modifier == "left" {
				require.Contains(t, got, name)
			}
		}
	})
}
