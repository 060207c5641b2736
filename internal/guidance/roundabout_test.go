package guidance_test

import (
	"testing"

	"github.com/fourway-routing/fourway/internal/testmap"
)

const ring = `
	      n
	      |
	      e
	    /   \
	a--f     h--c
	    \   1
	      g
	      |
	      s`

// around are the roads of a ring, and the ring itself with tags.
func around(tags string, more ...testmap.Row) []testmap.Row {
	return append(more, testmap.Row{"efg1he", tags}, testmap.Row{"af", "name=a"}, testmap.Row{"hc", "name=c"},
		testmap.Row{"gs", "name=s"}, testmap.Row{"en", "name=n"})
}

func TestRoundabouts(t *testing.T) {
	runDrawn(t, []drawnCase{
		{
			name: "first exit", path: "as", want: "depart: a; roundabout right 1: s; exit roundabout slight right 1: s; arrive: s",
			drawing: testmap.Drawing{Map: ring, Ways: around("junction=roundabout name=")},
		},
		{
			name: "around and back", path: "a1a", want: "depart: a; roundabout right 4: a; exit roundabout right 4: a; arrive: a",
			drawing: testmap.Drawing{Map: ring, Ways: around("junction=roundabout name=")},
		},
		{
			name: "starting on it", path: "1c", want: "depart: ; exit roundabout right 1: c; arrive: c",
			drawing: testmap.Drawing{Map: ring, Ways: around("junction=roundabout name=")},
		},
		{
			name: "stopping on it", path: "a1", want: "depart: a; roundabout right: ; arrive: ",
			drawing: testmap.Drawing{Map: ring, Ways: around("junction=roundabout name=")},
		},
		{
			name: "driveways do not count", path: "ac", want: "depart: a; roundabout right 1: c; exit roundabout right 1: c; arrive: c",
			drawing: testmap.Drawing{Map: ring, Ways: []testmap.Row{
				{"efg1he", "junction=roundabout name="},
				{"af", "name=a"},
				{"hc", "name=c"},
				{"en", "name=n"},
				{"gs", "name= highway=service service=driveway"},
			}},
		},
		{
			name: "a way past it", path: "ac", want: "depart: a; new name straight: by; new name straight: c; arrive: c",
			drawing: testmap.Drawing{Map: ring, Ways: around("junction=roundabout name=", testmap.Row{"fh", "name=by oneway=yes"})},
		},
		{
			name: "circular without a name is none", path: "ac",
			want:    "depart: a; turn right: ; turn left: ; turn right: c; arrive: c",
			drawing: testmap.Drawing{Map: ring, Cell: 40, Ways: around("junction=circular oneway=yes name=")},
		},
		{
			name: "circular with a name", path: "ac",
			want:    "depart: a; rotary right 2: c over Ring; exit rotary right 2: c; arrive: c",
			drawing: testmap.Drawing{Map: ring, Cell: 40, Ways: around("junction=circular oneway=yes name=Ring")},
		},
		{
			name: "tiny, to the left", path: "an", want: "depart: a; roundabout turn left 3: n; arrive: n",
			drawing: testmap.Drawing{Map: ring, Cell: 4, Ways: around("junction=roundabout name=")},
		},
		{
			name: "tiny, to the right", path: "as", want: "depart: a; roundabout turn right 1: s; arrive: s",
			drawing: testmap.Drawing{Map: ring, Cell: 4, Ways: around("junction=roundabout name=")},
		},
		{
			name: "one after the other", path: "ac",
			want: "depart: a; roundabout right 2: mid; exit roundabout right 2: mid; roundabout right 2: c; exit roundabout right 2: c; arrive: c",
			drawing: testmap.Drawing{
				Map: `
					    n       m
					    |       |
					    e       o
					   / \     / \
					a-f   h---p   r-c
					   \ /     \ /
					    g       q
					    |       |
					    s       t`,
				Cell: 60,
				Ways: []testmap.Row{
					{"efghe", "junction=roundabout name="},
					{"opqro", "junction=roundabout name="},
					{"af", "name=a"},
					{"hp", "name=mid"},
					{"rc", "name=c"},
					{"gs", "name=s"},
					{"en", "name=n"},
					{"om", "name=m"},
					{"qt", "name=t"},
				},
			},
		},
		{
			name: "a node that is one, is none", path: "ac", want: "depart: x; new name straight: y; arrive: y",
			drawing: testmap.Drawing{
				Map: `
					    d
					    |
					a---b---c`,
				Nodes: []testmap.Row{{"b", "highway=mini_roundabout"}},
				Ways:  []testmap.Row{{"ab", "name=x"}, {"bc", "name=y"}, {"bd", "name=side"}},
			},
		},
	})
}
