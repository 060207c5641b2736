package profile

import (
	"errors"
	"strings"
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"
)

const vanConfig = `{
	"vehicle": "car",
	"name": "van",
	"weight": "routability",
	"height": 2.8, "width": 2.1, "length": 7, "mass": 3500,
	"max_speed": 110,
	"speeds": {"motorway": 100, "track": 12},
	"surface_speeds": {"cobblestone": 20},
	"avoid": ["highway=living_street", "ford=*"],
	"factors": {"toll=yes": 0.5},
	"classes": {"cobbles": ["surface=cobblestone", "surface=sett"]},
	"excludable": [["toll", "cobbles"], ["ferry"]],
	"access_values": {"delivery": "yes"},
	"barriers": {"bollard": false},
	"restrictions": ["goods", "motor_vehicle"],
	"suffixes": [],
	"turn_restrictions": true,
	"u_turn_penalty": 0,
	"left_hand_driving": true
}`

func TestConfigure(t *testing.T) {
	p, err := Configure("", "van.json", []byte(vanConfig))
	require.NoError(t, err)
	require.Equal(t, "van", p.Name())
	properties := p.Properties()
	require.Equal(t, []string{"toll", "motorway", "ferry", "restricted", "tunnel", "cobbles"}, properties.Classes)
	require.Equal(t, [][]string{{"toll", "cobbles"}, {"ferry"}}, properties.Excludable)
	require.Equal(t, []string{"goods", "motor_vehicle"}, properties.Restrictions)
	require.Empty(t, properties.SuffixList)
	require.Zero(t, properties.UTurnPenalty)
	require.True(t, properties.LeftHandDriving)

	o := CarOptions{
		Tuning: Tuning{
			Name:          "van",
			Speeds:        map[string]float64{"motorway": 100, "track": 12},
			SurfaceSpeeds: map[string]float64{"cobblestone": 20},
			Avoid:         []string{"highway=living_street", "ford=*"},
			Factors:       map[string]float64{"toll=yes": 0.5},
			Classes:       map[string][]string{"cobbles": {"surface=cobblestone", "surface=sett"}},
			Excludable:    [][]string{{"toll", "cobbles"}, {"ferry"}},
			AccessValues:  map[string]Access{"delivery": AccessYes},
			Barriers:      map[string]bool{"bollard": false},
			Restrictions:  []string{"goods", "motor_vehicle"}, Suffixes: []string{},
			TurnRestrictions: new(true), UTurnPenalty: new(0.0), LeftHandDriving: true,
		},
		WeightName: "routability", Height: 2.8, Width: 2.1, Length: 7, Mass: 3500, MaxSpeed: 110,
	}
	same, err := NewCar(o)
	require.NoError(t, err)
	require.Equal(t, same.Properties(), properties)
	require.Equal(t, same.(*car).options, p.(*car).options)
	// Options that change later change nothing.
	o.Speeds["track"], o.Excludable[0][0], *o.UTurnPenalty, o.Classes["cobbles"][0] = 0, "ferry", 9, "x=y"
	require.Equal(t, same.(*car).options, p.(*car).options)
	require.Equal(t, same.Properties(), properties)

	for vehicle, weight := range map[string]string{"bicycle": "cyclability", "foot": "walkability", "car": "distance"} {
		p, err := Configure(vehicle, "x.json", []byte(`{"weight": "`+weight+`"}`))
		require.NoError(t, err)
		require.Equal(t, vehicle, p.Name())
		require.Equal(t, weight, p.Properties().WeightName)
		usual, err := Configure(vehicle, "x.json", []byte(` {} `))
		require.NoError(t, err)
		standard, err := ByName(vehicle)
		require.NoError(t, err)
		require.Equal(t, standard.Properties(), usual.Properties())
	}
}

func TestConfigureErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		vehicle, data string
		line          int
		field, want   string
	}{
		"empty":           {"car", "", 1, "", "ends too early"},
		"no object":       {"car", "[1]", 1, "", "want a JSON object"},
		"cut":             {"car", "{\n\"speeds\": {", 2, "", "ends too early"},
		"comma":           {"car", "{\n\"height\": 1,\n}", 3, "", "no JSON"},
		"rest":            {"car", "{}\n{}", 2, "", "more behind the object"},
		"unknown":         {"car", "{\n\"height\": 1,\n\"speds\": {}}", 3, `"speds"`, "is no field; the fields are access_speed, access_tags"},
		"of another":      {"foot", `{"height": 1}`, 1, `"height"`, "smoothness_speeds, speed, speeds"},
		"case":            {"car", `{"Height": 1}`, 1, `"Height"`, "is no field"},
		"twice":           {"car", "{\"height\": 1,\n\"width\": 1,\n\"height\": 2}", 3, "height", "is there twice, first in line 1"},
		"number":          {"car", "{\n\"height\":\n\"2 m\"}", 3, "height", "has a string; want a number"},
		"word":            {"car", `{"weight": 1}`, 1, "weight", "has a number; want a string"},
		"flag":            {"car", `{"left_hand_driving": "yes"}`, 1, "left_hand_driving", "want true or false"},
		"list":            {"car", `{"avoid": "toll=yes"}`, 1, "avoid", "want a list of strings"},
		"lists":           {"car", `{"excludable": ["toll"]}`, 1, "excludable", "want a list of lists of strings"},
		"object":          {"car", "{\"speeds\": {\"track\": 1,\n\"path\": \"fast\"}}", 2, "speeds", "has a string; want an object with numbers"},
		"null":            {"car", `{"height": null}`, 1, "height", "has null"},
		"null within":     {"car", "{\"speeds\": {\"track\": 1,\n\"path\": null}}", 2, "speeds", "has null"},
		"twice within":    {"car", "{\"speeds\": {\"track\": 1,\n\"track\": 2}}", 2, "speeds", `has "track" twice`},
		"no vehicle":      {"", "{}", 1, "vehicle", "is missing; want one of bicycle, car, foot"},
		"unknown vehicle": {"", "{\n\"vehicle\": \"plane\"}", 2, "vehicle", `is "plane", want one of bicycle, car, foot`},
		"vehicle type":    {"", `{"vehicle": 5}`, 1, "vehicle", "is 5, want one of"},
		"two vehicles":    {"foot", `{"vehicle": "car"}`, 1, "vehicle", `the profile asked for is "foot"`},
		"weight name":     {"car", "{\n\n\"weight\": \"beauty\"}", 3, "weight", "want one of routability, duration, distance"},
		"negative":        {"car", "{\n\"mass\": -1}", 2, "mass", "at least 0"},
		"speed":           {"car", `{"speeds": {"track": -1}}`, 1, "speeds", `is -1 for "track"`},
		"penalty":         {"car", `{"gate_penalty": -1}`, 1, "gate_penalty", "at least 0"},
		"rule":            {"car", `{"avoid": ["toll"]}`, 1, "avoid", "want a tag written key=value"},
		"factor":          {"car", `{"factors": {"toll=yes": 0}}`, 1, "factors", "want a number above 0"},
		"factor alone":    {"bicycle", `{"factors": {"toll=yes": 0.5}}`, 1, "factors", "need a weight that is not the duration"},
		"class":           {"car", `{"excludable": [["tunel"]]}`, 1, "excludable", "want one of toll, motorway, ferry, restricted, tunnel"},
		"same class":      {"car", `{"classes": {"toll": ["toll=yes"]}}`, 1, "classes", `has "toll"`},
		"many classes":    {"car", `{"classes": {"a": ["a=b"], "b": ["a=b"], "c": ["a=b"]}}`, 1, "classes", "makes 8 road classes, want at most 7"},
		"class of none":   {"car", `{"classes": {"a": []}}`, 1, "classes", `no tags for "a"`},
		"many sets":       {"car", `{"excludable": [` + strings.Repeat(`["toll"],`, 7) + `["toll"]]}`, 1, "excludable", "has 8 sets"},
		"empty set":       {"car", `{"excludable": [[]]}`, 1, "excludable", "has an empty set"},
		"access":          {"car", `{"access_values": {"delivery": "maybe"}}`, 1, "access_values", "want one of yes, destination, no, ignored"},
		"destination":     {"foot", `{"access_values": {"delivery": "destination"}}`, 1, "access_values", "want one of yes, no, ignored"},
		"empty word":      {"car", `{"access_tags": [""]}`, 1, "access_tags", "has an empty word"},
		"large":           {"car", "{" + strings.Repeat(" ", MaxConfig) + "}", 1, "", "keep it below"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Configure(tc.vehicle, "my.json", []byte(tc.data))
			require.Error(t, err)
			var e *ConfigError
			require.ErrorAs(t, err, &e)
			require.ErrorContains(t, err, tc.want)
			require.Equal(t, ConfigError{"my.json", tc.line, tc.field, e.Message}, *e)
		})
	}
	_, err := Configure("plane", "my.json", []byte("{}"))
	var unknown *UnknownError
	require.ErrorAs(t, err, &unknown)
	// All faults come at once, each with its line.
	_, err = Configure("car", "my.json", []byte("{\n\"a\": 1,\n\"b\": 1,\n\"height\": \"x\"}"))
	require.Equal(t, 3, strings.Count(err.Error(), "my.json:"))
	_, err = Configure("car", "my.json", []byte("{\n\"mass\": -1,\n\"width\": -1}"))
	require.ErrorContains(t, err, "my.json:2: mass is -1")
	require.ErrorContains(t, err, "my.json:3: width is -1")
}

// No configuration panics, and one that is taken makes a profile that works.
func FuzzConfigure(f *testing.F) {
	for _, s := range []string{vanConfig, "{}", `{"vehicle":"foot","speed":4}`, `{"speeds":{"a":null}}`, `{"a":[[[`, `{"width":1e999}`, `{"classes":{"a":["b=c"]},"weight":"cyclability"}`} {
		for _, vehicle := range append(Names(), "") {
			f.Add(vehicle, s)
		}
	}
	f.Fuzz(func(t *testing.T, vehicle, data string) {
		p, err := Configure(vehicle, "x.json", []byte(data))
		if err != nil {
			var c *ConfigError
			var u *UnknownError
			if !errors.As(err, &c) && !errors.As(err, &u) || err.Error() == "" {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		w, err := p.NewWorker()
		if err != nil {
			t.Fatal(err)
		}
		var r WayResult
		tags := osm.Tags{{Key: "highway", Value: "track"}, {Key: "surface", Value: "sett"}, {Key: "access", Value: "delivery"}}
		if err := w.Way(&osm.Way{Tags: tags}, &r); err != nil {
			t.Fatal(err)
		}
		var n NodeResult
		if err := w.Node(&osm.Node{Tags: tags}, &n); err != nil {
			t.Fatal(err)
		}
		if err := w.Turn(&Turn{}); err != nil {
			t.Fatal(err)
		}
	})
}
