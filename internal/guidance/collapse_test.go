package guidance_test

import (
	"testing"

	"github.com/fourway-routing/fourway/internal/testmap"
)

func TestCollapse(t *testing.T) {
	splitCrossing := []testmap.Row{{"ab", "name=mill"}, {"bc", "name="}, {"cd", "name=mill"}, {"bx", "name=x"}, {"cy", "name=y"}}
	runDrawn(t, []drawnCase{
		{
			name: "the name changes right before a turn", path: "af", want: "depart: mill; turn left: cross; arrive: cross",
			drawing: testmap.Drawing{
				Map: `
					      f
					      |
					a---b-c---d
					    | |
					    x e`,
				Cell: 20,
				Ways: []testmap.Row{{"ab", "name=mill"}, {"bcd", "name=dale"}, {"fce", "name=cross"}, {"bx", "name=x"}},
			},
		},
		{
			name: "the name changes right after a turn", path: "af", want: "depart: mill; turn left: two; arrive: two",
			drawing: testmap.Drawing{
				Map: `
					    f
					    |
					  x-g
					    |
					a---c---d
					    |
					    e`,
				Cell: 20,
				Ways: []testmap.Row{{"acd", "name=mill"}, {"gce", "name=one"}, {"gf", "name=two"}, {"gx", "name=x"}},
			},
		},
		{
			name: "two turns to the same side stay two", path: "af", want: "depart: mill; turn right: cross; turn right: dale; arrive: dale",
			drawing: testmap.Drawing{
				Map: `
					    x
					    |
					a---b
					    |
					f---c---d
					    |
					    e`,
				Cell: 15,
				Ways: []testmap.Row{{"ab", "name=mill"}, {"xbce", "name=cross"}, {"fcd", "name=dale"}},
			},
		},
		{
			name: "U-turn over a link", path: "ad", want: "depart: mill; continue uturn: mill; arrive: mill",
			drawing: testmap.Drawing{
				Map: `
					d-----c-----f
					      |
					a-----b-----e`,
				Cell: 20,
				Ways: []testmap.Row{{"abe", "name=mill oneway=yes"}, {"fcd", "name=mill oneway=yes"}, {"bc", "name="}},
			},
		},
		{
			name: "a bridge of another name", path: "ad", want: "depart: mill; arrive: mill",
			drawing: testmap.Drawing{Map: `a---b---c---d`, Ways: []testmap.Row{{"ab", "name=mill"}, {"bc", "name=bridge bridge=yes"}, {"cd", "name=mill"}}},
		},
		{
			name: "a name lost and found", path: "ad", want: "depart: mill; arrive: mill",
			drawing: testmap.Drawing{
				Map: `
					    x   y
					    |   |
					a---b---c---d`,
				Cell: 40, Ways: splitCrossing,
			},
		},
		{
			name: "a traffic island", path: "ac", want: "depart: main; arrive: main",
			drawing: testmap.Drawing{
				Map: `
					        x
					a----b     d----c
					        y`,
				Cell: 10,
				Ways: []testmap.Row{{"ab", "name=main"}, {"bxd", "name=main oneway=-1"}, {"byd", "name=main oneway=yes"}, {"dc", "name=main"}},
			},
		},
		{
			name: "carriageways join", path: "ac", want: "depart: main; arrive: main",
			drawing: testmap.Drawing{Map: carriageways, Cell: 20, Ways: splitMain},
		},
		{
			name: "carriageways part", path: "cd", want: "depart: main; arrive: main",
			drawing: testmap.Drawing{Map: carriageways, Cell: 20, Ways: splitMain},
		},
		{
			name: "turns before and after a ferry stay", path: "ad",
			want: "depart: quay; turn right: line; notification straight: land; arrive: land",
			drawing: testmap.Drawing{
				Map: `
					    x
					    |
					a---b
					    |
					    c
					    |
					    d`,
				Cell: 20,
				Ways: []testmap.Row{{"abx", "name=quay"}, {"bc", "route=ferry name=line highway="}, {"cd", "name=land"}},
			},
		},
	})
}

const carriageways = `
	a--------------.
	                b-----c
	d--------------`

var splitMain = []testmap.Row{{"ab", "name=main oneway=yes"}, {"bd", "name=main oneway=yes"}, {"bc", "name=main"}}
