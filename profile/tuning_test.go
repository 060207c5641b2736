package profile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile"
)

// detour is a road from s to t with a straight middle abc, and a way around it
// over d, e and f, twice as long.
const detour = `
	s-a-b-c-t
	  |   |
	  d-e-f`

// diamond has two ways from s to t, alike but for the side.
const diamond = `
	  d-e-f
	  |   |
	s-a   c-t
	  |   |
	  g-h-i`

// cheapest returns the path of least weight among those that can be driven.
func cheapest(m *extracttest.Map, paths ...string) (best string) {
	least := graph.InvalidWeight
	for _, path := range paths {
		if c, ok := m.Drive(path); ok && c.Weight < least {
			best, least = path, c.Weight
		}
	}
	return best
}

func configured(t *testing.T, vehicle, config string) profile.Profile {
	t.Helper()
	p, err := profile.Configure(vehicle, "test.json", []byte(config))
	require.NoError(t, err)
	return p
}

// Every option that prices or closes roads changes the choice between straight
// on and around.
func TestOptionsChangeRoutes(t *testing.T) {
	const straight, around = "sabct", "sadefct"
	for name, tc := range map[string]struct {
		vehicle, config string
		// Tags of the middle, of the way around, and of the node b.
		middle, way, node string
		relation          testmap.Row
		cell              float64 // 1000 m, where turns do not matter, unless set
		before, after     string
	}{
		"speeds":            {vehicle: "car", config: `{"speeds": {"primary": 10}}`, before: straight, after: around},
		"new kind of road":  {vehicle: "car", config: `{"speeds": {"track": 60}}`, middle: "highway=track", before: around, after: straight},
		"ferry_speed":       {vehicle: "car", config: `{"ferry_speed": 100}`, middle: "route=ferry highway=", before: around, after: straight},
		"surface_speeds":    {vehicle: "car", config: `{"surface_speeds": {"asphalt": 10}}`, middle: "surface=asphalt", before: straight, after: around},
		"faster surface":    {vehicle: "car", config: `{"surface_speeds": {"mud": 100}}`, middle: "surface=mud", before: around, after: straight},
		"tracktype_speeds":  {vehicle: "car", config: `{"tracktype_speeds": {"grade1": 10}}`, middle: "tracktype=grade1", before: straight, after: around},
		"smoothness_speeds": {vehicle: "car", config: `{"smoothness_speeds": {"good": 10}}`, middle: "smoothness=good", before: straight, after: around},
		"avoid":             {vehicle: "car", config: `{"avoid": ["toll=yes"]}`, middle: "toll=yes", before: straight, after: around},
		"avoid any value":   {vehicle: "car", config: `{"avoid": ["ford=*"]}`, middle: "ford=seasonal", before: straight, after: around},
		"avoid but no":      {vehicle: "car", config: `{"avoid": ["ford=*"]}`, middle: "ford=no", before: straight, after: straight},
		"factors":           {vehicle: "car", config: `{"factors": {"toll=yes": 0.2}}`, middle: "toll=yes", before: straight, after: around},
		"access_tags":       {vehicle: "car", config: `{"access_tags": ["hgv", "access"]}`, middle: "hgv=no", before: straight, after: around},
		"access direction":  {vehicle: "car", config: `{"access_tags": ["hgv", "access"]}`, middle: "hgv:forward=no", before: straight, after: around},
		"no access_tags":    {vehicle: "car", config: `{"access_tags": []}`, middle: "access=no", before: around, after: straight},
		"access of nodes":   {vehicle: "car", config: `{"access_tags": ["hgv"]}`, node: "hgv=no", before: straight, after: around},
		"access_values":     {vehicle: "car", config: `{"access_values": {"delivery": "yes"}}`, middle: "access=delivery", before: around, after: straight},
		"access ignored":    {vehicle: "car", config: `{"access_values": {"military": "ignored"}}`, middle: "access=military", before: around, after: straight},
		"access destination": {
			vehicle: "car", config: `{"access_values": {"yes": "destination"}}`, middle: "access=yes", before: straight, after: around,
		},
		"access closed":     {vehicle: "car", config: `{"access_values": {"hov": "no"}}`, middle: "access=hov", before: straight, after: around},
		"barriers":          {vehicle: "car", config: `{"barriers": {"bollard": true}}`, node: "barrier=bollard", before: around, after: straight},
		"barriers closed":   {vehicle: "car", config: `{"barriers": {"cattle_grid": false}}`, node: "barrier=cattle_grid", before: straight, after: around},
		"restrictions":      {vehicle: "car", config: `{"restrictions": ["hgv"]}`, relation: testmap.Row{"from=sa via=a to=abc", "type=restriction restriction:hgv=no_straight_on"}, before: straight, after: around},
		"turn_restrictions": {vehicle: "car", config: `{"turn_restrictions": false}`, relation: testmap.Row{"from=sa via=a to=abc", "type=restriction restriction=no_straight_on"}, before: around, after: straight},
		"height":            {vehicle: "car", config: `{"height": 3.5}`, middle: "maxheight=3", before: straight, after: around},
		"width":             {vehicle: "car", config: `{"width": 2.5}`, middle: "maxwidth=2.2", before: straight, after: around},
		"length":            {vehicle: "car", config: `{"length": 12}`, middle: "maxlength=10", before: straight, after: around},
		"mass":              {vehicle: "car", config: `{"mass": 7500}`, middle: "maxweight=3.5", before: straight, after: around},
		"max_speed":         {vehicle: "car", config: `{"max_speed": 40}`, middle: "highway=residential", way: "highway=motorway", before: around, after: straight},
		"access_speed":      {vehicle: "car", config: `{"access_speed": 60}`, middle: "highway=track access=yes", before: around, after: straight},
		"limit_factor":      {vehicle: "car", config: `{"limit_factor": 1}`, middle: "maxspeed=20", before: around, after: straight},
		"place_limits":      {vehicle: "car", config: `{"place_limits": {"xx:rural": 10}}`, middle: "source:maxspeed=XX:rural", before: straight, after: around},
		"weight":            {vehicle: "car", config: `{"weight": "distance"}`, middle: "highway=service", before: around, after: straight},
		"weight duration":   {vehicle: "car", config: `{"weight": "duration"}`, middle: "width=3 maxspeed=40", before: around, after: straight},
		"turn_penalty":      {vehicle: "car", config: `{"turn_penalty": 80}`, middle: "maxspeed=17", cell: 100, before: around, after: straight},
		"signal_penalty":    {vehicle: "car", config: `{"signal_penalty": 60}`, node: "highway=traffic_signals", cell: 100, before: straight, after: around},
		"stop_penalty":      {vehicle: "car", config: `{"stop_penalty": 60}`, node: "highway=stop", cell: 100, before: straight, after: around},
		"give_way_penalty":  {vehicle: "car", config: `{"give_way_penalty": 60}`, node: "highway=give_way", cell: 100, before: straight, after: around},
		"gate_penalty":      {vehicle: "car", config: `{"gate_penalty": 0}`, node: "barrier=gate", cell: 100, before: around, after: straight},

		"bicycle speeds":         {vehicle: "bicycle", config: `{"speeds": {"footway": 15}}`, middle: "highway=footway", before: around, after: straight},
		"bicycle ferry_speed":    {vehicle: "bicycle", config: `{"ferry_speed": 3}`, middle: "route=ferry highway=", before: straight, after: around},
		"bicycle surface":        {vehicle: "bicycle", config: `{"surface_speeds": {"sett": 4}}`, middle: "surface=sett", before: straight, after: around},
		"bicycle tracktype":      {vehicle: "bicycle", config: `{"tracktype_speeds": {"grade5": 4}}`, middle: "tracktype=grade5", before: straight, after: around},
		"bicycle smoothness":     {vehicle: "bicycle", config: `{"smoothness_speeds": {"bad": 4}}`, middle: "smoothness=bad", before: straight, after: around},
		"bicycle avoid":          {vehicle: "bicycle", config: `{"avoid": ["surface=sett"]}`, middle: "surface=sett", before: straight, after: around},
		"bicycle factors":        {vehicle: "bicycle", config: `{"weight": "cyclability", "factors": {"lit=no": 0.2}}`, middle: "lit=no", before: straight, after: around},
		"bicycle access_tags":    {vehicle: "bicycle", config: `{"access_tags": ["moped"]}`, middle: "moped=no", before: straight, after: around},
		"bicycle access_values":  {vehicle: "bicycle", config: `{"access_values": {"private": "yes"}}`, middle: "access=private", before: around, after: straight},
		"bicycle barriers":       {vehicle: "bicycle", config: `{"barriers": {"stile": false}}`, node: "barrier=stile", before: straight, after: around},
		"bicycle width":          {vehicle: "bicycle", config: `{"width": 1}`, middle: "width=0.8", before: straight, after: around},
		"bicycle cargo_bike":     {vehicle: "bicycle", config: `{"cargo_bike": true}`, middle: "cargo_bike=no", before: straight, after: around},
		"bicycle max_speed":      {vehicle: "bicycle", config: `{"max_speed": 5}`, middle: "surface=mud", way: "highway=cycleway", before: around, after: straight},
		"bicycle push_speed":     {vehicle: "bicycle", config: `{"push_speed": 10}`, middle: "highway=pedestrian", before: around, after: straight},
		"bicycle turn_penalty":   {vehicle: "bicycle", config: `{"turn_penalty": 100}`, middle: "surface=mud", cell: 100, before: around, after: straight},
		"bicycle signal_penalty": {vehicle: "bicycle", config: `{"signal_penalty": 200}`, node: "highway=traffic_signals", cell: 100, before: straight, after: around},
		"bicycle mode_penalty":   {vehicle: "bicycle", config: `{"weight": "cyclability", "push_speed": 15, "mode_penalty": 500}`, middle: "highway=pedestrian", way: "highway=cycleway", cell: 100, before: around, after: around},
		"bicycle weight":         {vehicle: "bicycle", config: `{"weight": "cyclability"}`, middle: "highway=primary", way: "highway=cycleway surface=asphalt", cell: 1000, before: straight, after: straight},
		"bicycle distance":       {vehicle: "bicycle", config: `{"weight": "distance"}`, middle: "highway=pedestrian", before: around, after: straight},

		"foot speed":          {vehicle: "foot", config: `{"speed": 20, "ferry_speed": 5}`, middle: "route=ferry highway=", before: straight, after: around},
		"foot speeds":         {vehicle: "foot", config: `{"speeds": {"primary": 1}}`, before: straight, after: around},
		"foot ferry_speed":    {vehicle: "foot", config: `{"ferry_speed": 1}`, middle: "route=ferry highway=", before: straight, after: around},
		"foot surface":        {vehicle: "foot", config: `{"surface_speeds": {"ice": 1}}`, middle: "surface=ice", before: straight, after: around},
		"foot avoid":          {vehicle: "foot", config: `{"avoid": ["tunnel=*"]}`, middle: "tunnel=yes", before: straight, after: around},
		"foot factors":        {vehicle: "foot", config: `{"weight": "walkability", "factors": {"lit=no": 0.2}}`, middle: "lit=no", before: straight, after: around},
		"foot access_values":  {vehicle: "foot", config: `{"access_values": {"private": "yes"}}`, middle: "access=private", before: around, after: straight},
		"foot access_tags":    {vehicle: "foot", config: `{"access_tags": ["wheelchair"]}`, middle: "wheelchair=no", before: straight, after: around},
		"foot barriers":       {vehicle: "foot", config: `{"barriers": {"fence": true}}`, node: "barrier=fence", before: around, after: straight},
		"foot signal_penalty": {vehicle: "foot", config: `{"signal_penalty": 300}`, node: "highway=traffic_signals", cell: 100, before: straight, after: around},
		"foot distance":       {vehicle: "foot", config: `{"weight": "distance"}`, middle: "surface=mud", way: "highway=footway", before: straight, after: straight},
	} {
		t.Run(name, func(t *testing.T) {
			d := testmap.Drawing{
				Map: detour, Cell: tc.cell,
				Ways: []testmap.Row{{"sa", ""}, {"abc", tc.middle}, {"ct", ""}, {"adefc", tc.way}},
			}
			if tc.way == "" {
				d.Ways[3][1] = "highway=secondary"
			}
			if tc.cell == 0 {
				d.Cell = 1000
			}
			if tc.node != "" {
				d.Nodes = []testmap.Row{{"b", tc.node}}
			}
			if tc.relation[0] != "" {
				d.Relations = []testmap.Row{tc.relation}
			}
			for config, want := range map[string]string{"{}": tc.before, tc.config: tc.after} {
				m := extracttest.Extract(t, d, configured(t, tc.vehicle, config), extract.Options{})
				require.Equal(t, want, cheapest(m, straight, around), config)
			}
		})
	}
}

// The side of the road, and how much it counts, decide between left and right.
func TestTurnBias(t *testing.T) {
	const left, right = "sadefct", "saghict"
	d := testmap.Drawing{Map: diamond, Ways: []testmap.Row{{"sa", ""}, {"ct", ""}, {"adefc", ""}, {"aghic", ""}}}
	for _, vehicle := range []string{"car", "bicycle"} {
		for config, want := range map[string]string{
			`{}`:                          right,
			`{"left_hand_driving": true}`: left,
			`{"turn_bias": 0.8}`:          left,
			`{"turn_bias": 0.8, "left_hand_driving": true}`: right,
		} {
			m := extracttest.Extract(t, d, configured(t, vehicle, config), extract.Options{})
			require.Equal(t, want == left, m.Turn("sad") < m.Turn("sag"), "%s %s", vehicle, config)
			if vehicle == "car" { // others pay for bends too
				require.Equal(t, want, cheapest(m, left, right), config)
			}
		}
	}
}

func TestUTurnPenalty(t *testing.T) {
	d := testmap.Drawing{Map: `a-b`, Ways: []testmap.Row{{"ab", ""}}}
	for vehicle, want := range map[string]graph.Duration{"car": 200, "bicycle": 200, "foot": 20} {
		usual := extracttest.Extract(t, d, configured(t, vehicle, `{}`), extract.Options{}).Turn("aba")
		free := extracttest.Extract(t, d, configured(t, vehicle, `{"u_turn_penalty": 0}`), extract.Options{}).Turn("aba")
		require.Equal(t, want, usual-free, vehicle)
	}
}

// Classes of one's own mark roads, and requests may exclude them.
func TestClassesOfOnesOwn(t *testing.T) {
	d := testmap.Drawing{Map: `a-b-c`, Ways: []testmap.Row{{"ab", "surface=sett"}, {"bc", "tunnel=yes"}}}
	for vehicle, first := range map[string]int{"car": 5, "bicycle": 2, "foot": 0} {
		p := configured(t, vehicle, `{"classes": {"cobbles": ["surface=cobblestone", "surface=sett"]}, "excludable": [["cobbles"]]}`)
		m := extracttest.Extract(t, d, p, extract.Options{})
		classes := func(road string) graph.ClassMask {
			return m.Network.Roads[m.Network.ArmRoad[m.Network.NodeArm[m.Node(road)]]].Classes
		}
		cobbles := graph.ClassMask(1) << first
		require.Equal(t, cobbles, classes("ab"), vehicle)
		require.Zero(t, classes("bc")&cobbles, vehicle)
		require.Equal(t, []graph.ClassMask{cobbles}, m.Network.Properties.Excludable, vehicle)
		require.Equal(t, "cobbles", m.Network.Properties.Classes[first])
	}
}

// What answers and requests follow comes from the options too.
func TestNetworkProperties(t *testing.T) {
	d := testmap.Drawing{Map: `a-b`, Ways: []testmap.Row{{"ab", ""}}}
	p := configured(t, "bicycle", `{
		"name": "cargo", "continue_straight": true, "left_hand_driving": true, "suffixes": ["Nord"], "u_turn_penalty": 7, "signal_penalty": 3}`)
	m := extracttest.Extract(t, d, p, extract.Options{})
	properties := &m.Network.Properties
	require.Equal(t, "cargo", properties.Profile)
	require.True(t, properties.ContinueStraight)
	require.True(t, properties.LeftHandDriving)
	require.Equal(t, []string{"Nord"}, properties.SuffixList)
	require.Equal(t, 7.0, properties.UTurnPenalty)
	require.Equal(t, 3.0, properties.TrafficSignalPenalty)
	road := m.Network.Roads[m.Network.ArmRoad[m.Network.NodeArm[m.Node("ab")]]]
	require.NotZero(t, road.Flags&graph.RoadLeftHand)
}
