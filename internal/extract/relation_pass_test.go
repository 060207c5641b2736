package extract_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile"
)

// routed is a car that keeps to signed routes.
type routed struct {
	profile.Profile
	properties profile.Properties
	shown      []string
	fault      error
}

func (p *routed) Properties() *profile.Properties { return &p.properties }

func (p *routed) NewWorker() (profile.Worker, error) {
	w, err := p.Profile.NewWorker()
	return &routedWorker{Worker: w, p: p}, err
}

type routedWorker struct {
	profile.Worker
	p         *routed
	relations *profile.Relations
}

func (w *routedWorker) SetRelations(r *profile.Relations) { w.relations = r }

func (w *routedWorker) SetAreas(*profile.Relations) {}

func (w *routedWorker) Relation(r *osm.Relation, _ *profile.RelationResult) error {
	w.p.shown = append(w.p.shown, r.Tags.Find("type"))
	return w.p.fault
}

func (w *routedWorker) Way(way *osm.Way, r *profile.WayResult) error {
	if err := w.Worker.Way(way, r); err != nil {
		return err
	}
	if len(w.relations.Of(way.FeatureID())) == 0 {
		r.Reset()
	}
	return nil
}

func TestRelationsForProfiles(t *testing.T) {
	car, err := profile.ByName("car")
	require.NoError(t, err)
	p := &routed{Profile: car, properties: *car.Properties()}
	p.properties.RelationTypes = []string{"route"}
	d := testmap.Drawing{
		Map:  `a-b-c-d`,
		Ways: []testmap.Row{{"ab", ""}, {"bc", ""}, {"cd", ""}},
		Relations: []testmap.Row{
			{"x=ab x=bc", "type=route"},
			{"x=bc", "type=route"},
			{"x=cd", "type=site"},
		},
	}
	m := extracttest.Extract(t, d, p, extract.Options{Workers: 2})
	require.Equal(t, []string{"route", "route", "site"}, p.shown)
	can(t, m, map[string]bool{"abc": true})
	require.Equal(t, graph.InvalidPlace, m.Place('d'))

	p.fault = errors.New("odd")
	data, err := d.OSM()
	require.NoError(t, err)
	f, err := osmfile.OpenReaderAt(bytes.NewReader(data), int64(len(data)), "drawing")
	require.NoError(t, err)
	_, err = extract.Run(context.Background(), f, p, extract.Options{})
	require.ErrorIs(t, err, p.fault)
	require.ErrorContains(t, err, "relation 8")
}
