package routing

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/internal/region"
)

func (m *town) closeRoads(c ...Closure) *ClosureReport {
	m.t.Helper()
	report, err := m.CloseRoads(m.t.Context(), c...)
	require.NoError(m.t, err)
	return report
}

func (m *town) openRoads(ids ...string) *ClosureReport {
	m.t.Helper()
	report, err := m.OpenRoads(m.t.Context(), ids...)
	require.NoError(m.t, err)
	return report
}

// length is the length of the fastest route in meters, +Inf where there is none.
func (m *town) length(letters string) float64 {
	m.t.Helper()
	res, err := m.ask(letters, nil)
	if err != nil {
		require.ErrorIs(m.t, err, ErrNoRoute)
		return math.Inf(1)
	}
	return res.Routes[0].Distance
}

func TestCloseRoads(t *testing.T) {
	avoiders(t, func(t *testing.T, m *town) {
		d := &m.drawing
		require.Nil(t, m.Closures())
		require.InDelta(t, 400, m.length("ad"), 1)
		id := m.Info().MetricID
		for name, c := range map[string]Closure{
			"way":     {Avoid: Avoid{Ways: []int64{d.WayID("bc"), 77}}},
			"segment": {Avoid: Avoid{Segments: [][2]int64{{d.NodeID('b'), d.NodeID('c')}, {1, 2}}}},
			"polygon": {Avoid: Avoid{Polygon: m.crossing()}},
		} {
			c.Note = name
			report := m.closeRoads(c)
			require.Len(t, report.Closures, 1)
			x := report.Closures[0]
			require.Equal(t, len(c.Ways)/2, x.FoundWays, name)
			require.Equal(t, len(c.Avoid.Segments)/2, x.FoundSegments, name)
			require.Positive(t, x.Segments)
			require.Positive(t, report.Nodes)
			require.Equal(t, 1, report.Live)
			require.InDelta(t, 1000, m.length("ad"), 1, name)
			require.NotEqual(t, id, m.Info().MetricID)
			require.Equal(t, report.Closures, m.Closures())
			require.Equal(t, report.Closures, m.ClosuresIn(m.crossing().Bound()))
			require.Empty(t, m.ClosuresIn(orb.Bound{Min: orb.Point{50, 50}, Max: orb.Point{51, 51}}))

			report = m.openRoads(x.ID)
			require.Equal(t, ClosureReport{Ended: 1, Nodes: report.Nodes, Took: report.Took, Closures: []LiveClosure{}}, *report)
			require.InDelta(t, 400, m.length("ad"), 1, name)
		}
		// The road, not the bridge above it.
		m.closeRoads(Closure{Avoid: Avoid{Polygon: m.crossing(), Classes: []string{"motorway"}}})
		require.InDelta(t, 400, m.length("ad"), 1)
		_, err := m.ask("mn", func(r *RouteRequest) { r.Radiuses = []float64{5, 5} })
		require.ErrorIs(t, err, ErrNoSegment)
		near, err := Nearest(t.Context(), m.Engine, NearestRequest{Coordinate: m.at('m')})
		require.NoError(t, err)
		require.NotEqual(t, "mn", near.Waypoints[0].Name)
		// Requests may avoid more.
		res := m.route("ad", func(r *RouteRequest) { r.Avoid = []Avoid{{Ways: []int64{d.WayID("bc")}}} })
		require.InDelta(t, 1000, res.Routes[0].Distance, 1)
	})
}

func TestClosuresThatMeet(t *testing.T) {
	avoiders(t, func(t *testing.T, m *town) {
		bc := Avoid{Ways: []int64{m.drawing.WayID("bc")}}
		report := m.closeRoads(Closure{Avoid: bc}, Closure{ID: "flood", Avoid: Avoid{Polygon: m.crossing()}}, Closure{Avoid: bc})
		require.Equal(t, "1", report.Closures[0].ID)
		require.Equal(t, "2", report.Closures[2].ID)
		for _, id := range []string{"1", "flood"} {
			m.openRoads(id)
			require.InDelta(t, 1000, m.length("ad"), 1, "another one holds")
		}
		m.openRoads("2")
		require.InDelta(t, 400, m.length("ad"), 1)
		require.Empty(t, m.Closures())

		// One with the same ID takes the place of another.
		m.closeRoads(Closure{ID: "works", Avoid: bc})
		report = m.closeRoads(Closure{ID: "works", Avoid: Avoid{Ways: []int64{m.drawing.WayID("befc")}}}, Closure{ID: "4"}, Closure{})
		require.Equal(t, 1, report.Ended)
		require.Equal(t, "3", report.Closures[2].ID, "ids of the past do not come back")
		require.InDelta(t, 400, m.length("ad"), 1)
		require.Equal(t, math.Inf(1), m.length("ae"))
		require.Equal(t, "5", m.closeRoads(Closure{}).Closures[0].ID, "4 is taken")
		require.True(t, m.Closures()[3].Bounds.IsEmpty())
	})
}

func TestClosuresUnderUpdates(t *testing.T) {
	avoiders(t, func(t *testing.T, m *town) {
		bc := m.drawing.WayID("bc")
		fast := Update{Layer: "live", Ways: []WaySpeed{{Way: bc, Speed: 100}, {Way: bc, Backward: true, Speed: 100}}}
		m.closeRoads(Closure{ID: "x", Avoid: Avoid{Ways: []int64{bc}}})
		before := m.seconds('b', 'c')
		m.update(fast)
		require.InDelta(t, before, m.seconds('b', 'c'), 1e-9, "closures count above all layers")
		m.openRoads("x")
		require.InDelta(t, 7.2, m.seconds('b', 'c'), 0.1)
		m.closeRoads(Closure{Avoid: Avoid{Segments: [][2]int64{{m.drawing.NodeID('b'), m.drawing.NodeID('c')}}}})
		m.update(Update{Layer: "live", Clear: true})
		require.InDelta(t, before, m.seconds('b', 'c'), 1e-9)
		require.Less(t, m.seconds('c', 'b'), before)
		require.NotEqual(t, 7.2, m.seconds('c', 'b'))
	})
}

func TestClosuresThatAreRefusedChangeNothing(t *testing.T) {
	avoiders(t, func(t *testing.T, m *town) {
		m.closeRoads(Closure{ID: "x", Avoid: Avoid{Ways: []int64{1}}})
		id := m.Info().MetricID
		fine := Closure{Avoid: Avoid{Ways: []int64{m.drawing.WayID("bc")}}}
		for name, c := range map[string]Closure{
			"ring":  {Avoid: Avoid{Polygon: orb.Polygon{{{0, 0}}}}},
			"class": {Avoid: Avoid{Polygon: m.crossing(), Classes: []string{"bridges"}}},
			"over":  {Until: time.Now().Add(-time.Second)},
		} {
			_, err := m.CloseRoads(t.Context(), fine, c)
			require.ErrorIs(t, err, ErrInvalidOptions, name)
			require.ErrorContains(t, err, "Closures[1]", name)
		}
		_, err := m.CloseRoads(t.Context(), Closure{ID: "a"}, Closure{ID: "a"})
		require.ErrorIs(t, err, ErrInvalidOptions)
		_, err = m.OpenRoads(t.Context(), "x", "y")
		require.ErrorIs(t, err, ErrInvalidValue)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = m.CloseRoads(ctx, fine)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, id, m.Info().MetricID)
		require.Len(t, m.Closures(), 1)
	})
	m := draw(t, bridges)
	_, err := m.CloseRoads(t.Context(), Closure{})
	require.ErrorIs(t, err, ErrNotImplemented)
	require.ErrorContains(t, err, "MLD or CCH")
}

// Callers may change what they gave and got.
func TestClosuresAreTheirOwn(t *testing.T) {
	avoiders(t, func(t *testing.T, m *town) {
		c := Closure{Avoid: Avoid{Ways: []int64{m.drawing.WayID("bc")}, Polygon: m.crossing()}}
		report := m.closeRoads(c)
		c.Ways[0], c.Polygon[0][0] = 1, orb.Point{}
		report.Closures[0].Ways[0] = 2
		got := m.Closures()[0]
		require.Equal(t, []int64{m.drawing.WayID("bc")}, got.Ways)
		require.Equal(t, m.crossing(), got.Polygon)
	})
}

// Closures end by themselves, with nobody calling, also when the Engine closes first.
func TestClosuresEnd(t *testing.T) {
	for _, a := range []Algorithm{MLD, CCH} {
		t.Run(a.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := drawWith(t, bridges, Options{Algorithm: a})
				bc := Avoid{Ways: []int64{m.drawing.WayID("bc")}}
				m.closeRoads(
					Closure{ID: "long", Avoid: Avoid{Ways: []int64{m.drawing.WayID("cd")}}, Until: time.Now().Add(24 * time.Hour)},
					Closure{ID: "short", Avoid: bc, Until: time.Now().Add(10 * time.Second)},
					Closure{ID: "ever", Avoid: Avoid{Ways: []int64{m.drawing.WayID("mn")}}},
				)
				require.InDelta(t, 900, m.length("ac"), 1)
				time.Sleep(9 * time.Second)
				synctest.Wait()
				require.Len(t, m.Closures(), 3)
				time.Sleep(time.Second)
				synctest.Wait()
				require.Len(t, m.Closures(), 2)
				require.InDelta(t, 300, m.length("ac"), 1)
				require.InDelta(t, 300, m.length("ad"), 1, "d is where cd begins")
				// One that ends while others change is gone as well.
				m.closeRoads(Closure{ID: "short", Avoid: bc, Until: time.Now().Add(2 * time.Minute)})
				m.update(Update{Layer: "live", Ways: []WaySpeed{{Way: m.drawing.WayID("ab"), Speed: 9}}})
				time.Sleep(2*time.Minute + time.Millisecond)
				synctest.Wait()
				require.InDelta(t, 300, m.length("ac"), 1)
				time.Sleep(24 * time.Hour)
				synctest.Wait()
				require.InDelta(t, 400, m.length("ad"), 1)
				require.Len(t, m.Closures(), 1)
				m.closeRoads(Closure{Avoid: bc, Until: time.Now().Add(time.Hour)})
			})
		})
	}
}

// A data set takes the place of another: closures stay, as they are on its network.
func TestClosuresFollowReplace(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	files := buildFS(t, loop, 1)
	folder := t.TempDir()
	for name, f := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), f.Data, 0o600))
	}
	name := filepath.Join(folder, "town")
	for _, a := range []Algorithm{MLD, CCH} {
		e, err := Open(name, Options{Algorithm: a})
		require.NoError(t, err)
		ask := TableRequest{Coordinates: request(&loop, "ad").Coordinates, Annotations: TableDistances}
		length := func() float64 {
			res, err := Table(t.Context(), e, ask)
			require.NoError(t, err)
			return res.Distances[0][1]
		}
		open := length()
		_, err = e.CloseRoads(t.Context(), Closure{Avoid: Avoid{Ways: []int64{loop.WayID("bd")}}, Until: time.Now().Add(time.Hour)})
		require.NoError(t, err)
		closed := length()
		require.Greater(t, closed, open)
		require.NoError(t, e.Replace(t.Context(), name))
		require.InDelta(t, closed, length(), 1e-9)
		require.Len(t, e.Closures(), 1)
		_, err = e.OpenRoads(t.Context(), "1")
		require.NoError(t, err)
		require.InDelta(t, open, length(), 1e-9)
		require.NoError(t, e.Replace(t.Context(), name))
		require.InDelta(t, open, length(), 1e-9)
		_, err = e.CloseRoads(t.Context(), Closure{Until: time.Now().Add(time.Hour)})
		require.NoError(t, err)
		require.NoError(t, e.Close())
		_, err = e.CloseRoads(t.Context(), Closure{})
		require.ErrorIs(t, err, ErrClosed)
	}
}

// closedGraph is the network on which nothing leads on from closed segments.
func closedGraph(d *dataset, under *graph.Metric, shapes []*region.Shape) *graph.Expanded {
	g := graph.Expand(d.net, under)
	for node, arm := range d.net.NodeArm {
		first, end := d.net.ChainFirst[arm.Chain()], d.net.ChainFirst[arm.Chain()+1]
		for s := first; s+1 < end; s++ {
			for _, shape := range shapes {
				if shape.Touches(point(d.net.Coords[d.net.ChainPlaces[s]]), point(d.net.Coords[d.net.ChainPlaces[s+1]])) {
					for edge := g.First[node]; edge < g.First[node+1]; edge++ {
						g.Arcs[edge].Weight = graph.InvalidWeight
					}
				}
			}
		}
	}
	return g
}

// After each of many changes, routes are those of Dijkstra's algorithm on the network
// without the closed roads, and only what is near a change is touched.
func TestClosuresAgainstOracle(t *testing.T) {
	for a, e := range andorras(t) {
		if Algorithm(a) == CH {
			continue
		}
		rng := rand.New(rand.NewPCG(8, uint64(a)))
		first := e.current.Load().metric
		live := map[string]*region.Shape{}
		for round := range 8 {
			if round == 4 {
				_, err := e.Update(t.Context(), Update{Layer: "live", Speeds: changes(rng, e.current.Load().net, 0.05, 20)})
				require.NoError(t, err)
			}
			var report *ClosureReport
			var err error
			if ids := ordered(live); len(ids) > 3 {
				report, err = e.OpenRoads(t.Context(), ids[0], ids[2])
				delete(live, ids[0])
				delete(live, ids[2])
			} else {
				var some []Closure
				for range 2 {
					at, side := somewhere(rng, e), 0.002+0.01*rng.Float64()
					p := orb.Bound{Min: at, Max: orb.Point{at[0] + side, at[1] + side}}.ToPolygon()
					id := fmt.Sprint(rng.IntN(6))
					if len(some) > 0 && some[0].ID == id {
						continue
					}
					some = append(some, Closure{ID: id, Avoid: Avoid{Polygon: p}})
					live[id] = region.NewShape(p)
				}
				report, err = e.CloseRoads(t.Context(), some...)
			}
			require.NoError(t, err)
			require.Equal(t, len(live), report.Live)
			d := e.current.Load().dataset
			require.Less(t, report.Nodes, d.net.NumNodes()/4)
			var shapes []*region.Shape
			for _, id := range ordered(live) {
				shapes = append(shapes, live[id])
			}
			g := closedGraph(d, d.under, shapes)
			w := newWorkspace(d)
			for range 5 {
				from := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
				tree := oracle.Grow(g, nil, from)
				for range 20 {
					to := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
					q := oracle.Question{Sources: from, Targets: to, Want: tree.To(to)}
					oracle.CheckShortest(t, g, nil, w.searcher, &q, "")
				}
			}
		}
		_, err := e.OpenRoads(t.Context(), ordered(live)...)
		require.NoError(t, err)
		_, err = e.Update(t.Context(), Update{Layer: "live", Clear: true})
		require.NoError(t, err)
		require.Equal(t, first.NodeWeight, e.current.Load().metric.NodeWeight)
	}
}

func ordered[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// One request sees one state: all of a group of closures or none.
func TestQueriesWhileClosuresChange(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, a := range []Algorithm{MLD, CCH} {
		m := drawWith(t, bridges, Options{Algorithm: a})
		d := &m.drawing
		both := []Closure{
			{Avoid: Avoid{Segments: [][2]int64{{d.NodeID('b'), d.NodeID('c')}}}},
			{Avoid: Avoid{Segments: [][2]int64{{d.NodeID('c'), d.NodeID('b')}}}},
		}
		ask := TableRequest{Coordinates: m.points("ad")}
		var allowed [][][]float64
		note := func() {
			res, err := Table(t.Context(), m.Engine, ask)
			require.NoError(t, err)
			allowed = append(allowed, res.Durations)
		}
		note()
		ids := m.closeRoads(both...).Closures
		note()
		m.openRoads(ids[0].ID, ids[1].ID)
		var stop atomic.Bool
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				s := m.Session()
				defer s.Close()
				for !stop.Load() {
					res, err := s.Table(t.Context(), ask)
					if err != nil || !reflect.DeepEqual(res.Durations, allowed[0]) && !reflect.DeepEqual(res.Durations, allowed[1]) {
						t.Errorf("%v %v", res, err)
						return
					}
				}
			})
		}
		for range 40 {
			report := m.closeRoads(both...)
			m.openRoads(report.Closures[0].ID, report.Closures[1].ID)
		}
		stop.Store(true)
		group.Wait()
		require.NoError(t, m.Close())
	}
}

// Closures end while costs and data sets change, and the Engine closes.
func TestClosuresEndWhileAllChanges(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	name := stored(t)
	for _, a := range []Algorithm{MLD, CCH} {
		e, err := Open(name, Options{Algorithm: a})
		require.NoError(t, err)
		ask := TableRequest{Coordinates: request(&loop, "ad").Coordinates}
		open, err := Table(t.Context(), e, ask)
		require.NoError(t, err)
		bd := Avoid{Ways: []int64{loop.WayID("bd")}}
		for i := range 40 {
			_, err := e.CloseRoads(t.Context(), Closure{ID: fmt.Sprint(i % 7), Avoid: bd, Until: time.Now().Add(time.Duration(1+i%5) * time.Millisecond)})
			require.NoError(t, err)
			switch i % 4 {
			case 0:
				_, err = e.Update(t.Context(), Update{Layer: "live", Clear: true, Ways: []WaySpeed{{Way: loop.WayID("aced"), Speed: 50}}})
			case 1:
				err = e.Replace(t.Context(), name)
			case 2:
				_, err = Table(t.Context(), e, ask)
			}
			require.NoError(t, err)
		}
		_, err = e.Update(t.Context(), Update{Layer: "live", Clear: true})
		require.NoError(t, err)
		require.Eventually(t, func() bool { return len(e.Closures()) == 0 }, 10*time.Second, time.Millisecond)
		again, err := Table(t.Context(), e, ask)
		require.NoError(t, err)
		require.Equal(t, open.Durations, again.Durations)
		_, err = e.CloseRoads(t.Context(), Closure{Avoid: bd, Until: time.Now().Add(time.Millisecond)})
		require.NoError(t, err)
		require.NoError(t, e.Close())
	}
}

// Feeds have many closures.
func TestManyClosures(t *testing.T) {
	e := andorras(t)[MLD]
	rng := rand.New(rand.NewPCG(3, 3))
	const many = 3000
	list := make([]Closure, many)
	for i := range list {
		at := somewhere(rng, e)
		list[i] = Closure{ID: fmt.Sprint("c", i), Avoid: Avoid{Polygon: orb.Bound{Min: at, Max: at}.Pad(1e-4).ToPolygon()}}
	}
	report, err := e.CloseRoads(t.Context(), list...)
	require.NoError(t, err)
	require.Equal(t, many, report.Live)
	all := e.Closures()
	ids := make([]string, many)
	for i := range all {
		ids[i] = all[i].ID
		require.Equal(t, list[i].ID, all[i].ID)
	}
	b := orb.Bound{Min: e.Info().Bounds.Min, Max: e.Info().Bounds.Center()}
	var near []string
	for i := range all {
		if all[i].Bounds.Intersects(b) {
			near = append(near, all[i].ID)
		}
	}
	require.NotEmpty(t, near)
	for i, c := range e.ClosuresIn(b) {
		require.Equal(t, near[i], c.ID)
	}
	rng.Shuffle(many, func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	report, err = e.OpenRoads(t.Context(), ids...)
	require.NoError(t, err)
	require.Zero(t, report.Live)
	require.Empty(t, e.ClosuresIn(b))
}

func BenchmarkCloseRoads(b *testing.B) {
	for a, e := range delawares(b) {
		if Algorithm(a) == CH {
			continue
		}
		rng := rand.New(rand.NewPCG(1, 1))
		b.Run(e.Info().Algorithm.String(), func(b *testing.B) {
			for b.Loop() {
				at := somewhere(rng, e)
				p := orb.Bound{Min: at, Max: orb.Point{at[0] + 0.01, at[1] + 0.01}}.ToPolygon()
				_, err := e.CloseRoads(b.Context(), Closure{ID: "x", Avoid: Avoid{Polygon: p}})
				require.NoError(b, err)
			}
		})
	}
}
