package junction

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract/nbg"
)

func TestIdenticalNames(t *testing.T) {
	type label struct{ name, ref, pronunciation, exits string }
	for _, test := range []struct {
		a, b label
		want bool
	}{
		{label{name: "Elm Street"}, label{name: "Elm Street", ref: "7"}, true},
		{label{name: "Elm Street"}, label{name: "Oak Street"}, false},
		{label{name: "Elm Street"}, label{name: "Elm Street North"}, true},
		{label{name: "North Elm Street"}, label{name: "Elm Street SOUTH"}, true},
		{label{name: "West Elm Street"}, label{name: "Elm Street East"}, false},
		{label{name: "Elm Street"}, label{name: "Elm Street Bridge"}, true}, // one begins with the other
		{label{name: "Elm Street", ref: "1"}, label{name: "Elm Street", ref: "1;7"}, true},
		{label{name: "Elm Street", ref: "1"}, label{name: "Elm Street", ref: "7"}, true}, // the name decides
		{label{name: "Elm Street North", ref: "1"}, label{name: "Elm Street South", ref: "7"}, true},
		{label{ref: "1"}, label{ref: "1;7"}, true},
		{label{ref: "1"}, label{ref: "7"}, false},
		{label{ref: "1"}, label{name: "Elm Street"}, false},
		{label{name: "Elm Street"}, label{}, false},
		{label{name: "Elm Street", pronunciation: "elm"}, label{name: "Elm Street"}, false},
		{label{name: "Elm Street", exits: "4"}, label{name: "Elm Street"}, false},
		{label{name: "Elm Street", exits: "4"}, label{name: "Elm Street", exits: "5"}, false},
	} {
		texts := newText()
		g := &nbg.Graph{Labels: []nbg.Label{{}}}
		for _, l := range []label{test.a, test.b} {
			g.Labels = append(g.Labels, nbg.Label{
				Name: texts.id(l.name), Ref: texts.id(l.ref),
				Pronunciation: texts.id(l.pronunciation), Exits: texts.id(l.exits),
			})
		}
		w := New(g, &texts.Strings, []string{"North", "South"}, nil).NewWorker()
		require.Equal(t, test.want, w.identical(1, 2), "%v %v", test.a, test.b)
		require.Equal(t, test.want, w.identical(2, 1), "%v %v", test.b, test.a)
		require.False(t, w.identical(0, 1), "without any text")
	}
}
