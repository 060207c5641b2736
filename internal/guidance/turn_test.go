package guidance_test

import (
	"testing"

	"github.com/fourway-routing/fourway/internal/testmap"
)

const fiveRoads = `
	  b   c
	   \ /
	a---x---d
	   / \
	  f   e`

const lesserRoadAside = `
	      c
	a---b
	        d`

const bend = `
	    c
	    |
	a---b---d`

func TestTurns(t *testing.T) {
	star := []testmap.Row{{"axd", "name=main"}, {"bxe", "name=one"}, {"cxf", "name=two"}}
	aside := []testmap.Row{{"ab", "name=main highway=primary"}, {"bd", "name=sub highway=primary"}, {"bc", "name=side highway=residential"}}
	bends := []testmap.Row{{"abc", "highway=primary name=main"}, {"bd", "highway=residential name=side"}}
	runDrawn(t, []drawnCase{
		{name: "straight over six roads", path: "ad", want: "depart: main; arrive: main", drawing: testmap.Drawing{Map: fiveRoads, Ways: star}},
		{name: "half left of six roads", path: "ac", want: "depart: main; turn slight left: two; arrive: two", drawing: testmap.Drawing{Map: fiveRoads, Ways: star}},
		{name: "half right of six roads", path: "ae", want: "depart: main; turn slight right: one; arrive: one", drawing: testmap.Drawing{Map: fiveRoads, Ways: star}},
		{name: "back left of six roads", path: "ab", want: "depart: main; turn left: one; arrive: one", drawing: testmap.Drawing{Map: fiveRoads, Ways: star}},
		{name: "the higher road bends", path: "ac", want: "depart: main; continue left: main; arrive: main", drawing: testmap.Drawing{Map: bend, Ways: bends}},
		{name: "straight on out of a bend", path: "ad", want: "depart: main; turn straight: side; arrive: side", drawing: testmap.Drawing{Map: bend, Ways: bends}},
		{name: "the road of the same rank is obvious", path: "ad", want: "depart: main; new name slight right: sub; arrive: sub", drawing: testmap.Drawing{Map: lesserRoadAside, Ways: aside}},
		{name: "the lesser road is not", path: "ac", want: "depart: main; turn left: side; arrive: side", drawing: testmap.Drawing{Map: lesserRoadAside, Ways: aside}},
		{
			name: "a gate hides a new name as little", path: "ad", want: "depart: main; new name straight: other; arrive: other",
			drawing: testmap.Drawing{Map: `a-b-c-d`, Nodes: []testmap.Row{{"b", "barrier=gate"}}, Ways: []testmap.Row{{"ab", "name=main"}, {"bcd", "name=other"}}},
		},
		{
			name: "tunnels, bridges and tolls say nothing", path: "ae", want: "depart: main; arrive: main",
			drawing: testmap.Drawing{Map: `a-b-c-d-e`, Ways: []testmap.Row{{"ab", "name=main"}, {"bc", "name=main tunnel=yes"}, {"cd", "name=main toll=yes"}, {"de", "name=main bridge=yes"}}},
		},
		{
			name: "into a parking aisle", path: "cd", want: "depart: main; turn left: ; arrive: ",
			drawing: testmap.Drawing{Map: `
				a---b---c
				    |
				    d`, Cell: 40, Ways: []testmap.Row{{"abc", "name=main"}, {"bd", "name= highway=service service=parking_aisle"}}},
		},
		{
			name: "out of a parking aisle", path: "da", want: "depart: ; turn left: main; arrive: main",
			drawing: testmap.Drawing{Map: `
				a---b---c
				    |
				    d`, Cell: 40, Ways: []testmap.Row{{"abc", "name=main"}, {"bd", "name= highway=service service=parking_aisle"}}},
		},
		{
			name: "signs of a one-way road", path: "ga", want: "depart: cross; turn right: main to 7: West, Far; arrive: main to 7: West, Far",
			drawing: testmap.Drawing{Map: crossing, Ways: []testmap.Row{
				{"ade", `name=main oneway=-1 destination="West;Far" destination:ref=7`}, {"efc", "name=side"}, {"gbehi", "name=cross"},
			}},
		},
	})
}

func TestRamps(t *testing.T) {
	motorway := testmap.Row{"abx", "ref=A1 name= highway=motorway"}
	runDrawn(t, []drawnCase{
		{
			name: "exit to the left", path: "ac", want: "depart:  (A1); off ramp slight left: ; arrive: ",
			drawing: testmap.Drawing{
				Map: `
					              c
					a-----b----------x`,
				Ways: []testmap.Row{motorway, {"bc", "name= highway=motorway_link oneway=yes"}},
			},
		},
		{
			name: "past an exit", path: "ax", want: "depart:  (A1); arrive:  (A1)",
			drawing: testmap.Drawing{
				Map: `
					              c
					a-----b----------x`,
				Ways: []testmap.Row{motorway, {"bc", "name= highway=motorway_link oneway=yes"}},
			},
		},
		{
			name: "a ramp parts", path: "af", want: "depart:  (A1); off ramp slight right: ; fork slight right:  to Lewes; arrive:  to Lewes",
			drawing: testmap.Drawing{
				Map: `
					a-----b--------------------------------x

					                            c           e

					                                        f`,
				Ways: []testmap.Row{
					motorway,
					{"bc", "name= highway=motorway_link oneway=yes"},
					{"ce", "name= highway=motorway_link oneway=yes destination=Dover"},
					{"cf", "name= highway=motorway_link oneway=yes destination=Lewes"},
				},
			},
		},
		{
			name: "a ramp ends in a road", path: "ad", want: "depart:  (A1); off ramp slight right: ; turn left: road; arrive: road",
			drawing: testmap.Drawing{
				Map: `
					a-----b------------------x

					            c
					            |
					        e---f---d`,
				Ways: []testmap.Row{motorway, {"bcf", "name= highway=motorway_link oneway=yes"}, {"efd", "name=road"}},
			},
		},
		{
			name: "merging from the left", path: "cx", want: "depart: ; merge slight right:  (A1); arrive:  (A1)",
			drawing: testmap.Drawing{
				Map: `
					c

					a------b------x`,
				Ways: []testmap.Row{motorway, {"cb", "name= highway=motorway_link oneway=yes"}},
			},
		},
		{
			name: "where a trunk road ends", path: "ac", want: "depart:  (1); new name straight: street; arrive: street",
			drawing: testmap.Drawing{Map: `
				    d
				    |
				a---b---c`, Ways: []testmap.Row{{"ab", "name= ref=1 highway=trunk oneway=yes"}, {"bc", "name=street"}, {"bd", "name=side"}}},
		},
	})
}

func TestModes(t *testing.T) {
	runDrawn(t, []drawnCase{
		{
			name: "getting off a bicycle", path: "ad", profile: "bicycle",
			want:    "depart: mill; notification straight: path; notification straight: mill; arrive: mill",
			drawing: testmap.Drawing{Map: `a---b---c---d`, Ways: []testmap.Row{{"ab", "name=mill"}, {"bc", "name=path highway=footway"}, {"cd", "name=mill"}}},
		},
		{
			name: "a train", path: "ad", want: "depart: mill; notification straight: shuttle; notification straight: land; arrive: land",
			drawing: testmap.Drawing{Map: `a---b---c---d`, Ways: []testmap.Row{
				{"ab", "name=mill"}, {"bc", "name=shuttle route=shuttle_train highway= motorcar=yes"}, {"cd", "name=land"},
			}},
		},
	})
}

func TestEnds(t *testing.T) {
	runDrawn(t, []drawnCase{
		{
			name: "a start right before a turn is after it", path: "1d", want: "depart: cross; arrive: cross",
			drawing: testmap.Drawing{Map: `
				a------1b----c
				        |
				        |
				        d`, Cell: 1.6, Ways: []testmap.Row{{"abc", "name=main"}, {"bd", "name=cross"}}},
		},
		{
			name: "a stop right after a turn is before it", path: "a1", want: "depart: main; arrive: main",
			drawing: testmap.Drawing{Map: `
				a-------b----c
				        1
				        |
				        d`, Cell: 0.8, Ways: []testmap.Row{{"abc", "name=main"}, {"bd", "name=cross"}}},
		},
	})
}
