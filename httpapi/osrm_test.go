package httpapi

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/routing"
)

// The answers of OSRM are described in their folder. What they are held to:
// duration and weight 0.1 s, distance 0.5 m, places 1e-6 degrees, names, nodes
// and lines exactly.
const osrmAnswers = "../routing/testdata/osrm"

type osrmAnswer struct {
	Code      string
	Waypoints []struct {
		Name     string
		Location []float64
		Distance float64
	}
	Routes []struct {
		Distance, Duration, Weight float64
		WeightName                 string `json:"weight_name"`
		Geometry                   any
		Legs                       []struct {
			Distance, Duration, Weight float64
			Summary                    string
			Annotation                 *struct {
				Distance, Duration, Weight, Speed []float64
				Nodes, Datasources                []int64
				Metadata                          any
			}
		}
	}
}

// score counts how often something is as OSRM has it.
type score map[string]*[2]int

func (s score) note(what string, same bool) {
	if s[what] == nil {
		s[what] = new([2]int)
	}
	s[what][1]++
	if same {
		s[what][0]++
	}
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func allNear(a, b []float64, tolerance float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !near(a[i], b[i], tolerance) {
			return false
		}
	}
	return true
}

func (s score) compare(query string, want, got *osrmAnswer) {
	s.note("code", want.Code == got.Code)
	if want.Code != "Ok" || got.Code != "Ok" {
		return
	}
	s.note("number of waypoints", len(want.Waypoints) == len(got.Waypoints))
	for i := range min(len(want.Waypoints), len(got.Waypoints)) {
		w, g := &want.Waypoints[i], &got.Waypoints[i]
		s.note("place", allNear(w.Location, g.Location, 1.5e-6))
		s.note("distance to place", near(w.Distance, g.Distance, 0.1))
		s.note("name", w.Name == g.Name)
	}
	s.note("number of routes", len(want.Routes) == len(got.Routes))
	for i := range min(len(want.Routes), len(got.Routes)) {
		w, g := &want.Routes[i], &got.Routes[i]
		s.note("duration", near(w.Duration, g.Duration, 0.11))
		s.note("distance", near(w.Distance, g.Distance, 0.5))
		s.note("weight", near(w.Weight, g.Weight, 0.11))
		s.note("weight name", w.WeightName == g.WeightName)
		s.note("geometry", reflect.DeepEqual(w.Geometry, g.Geometry))
		s.note("number of legs", len(w.Legs) == len(g.Legs))
		for k := range min(len(w.Legs), len(g.Legs)) {
			w, g := w.Legs[k].Annotation, g.Legs[k].Annotation
			if w == nil || g == nil {
				s.note("annotation", w == g)
				continue
			}
			s.note("annotation distance", allNear(w.Distance, g.Distance, 1e-6))
			s.note("annotation duration", allNear(w.Duration, g.Duration, 1e-9))
			s.note("annotation weight", allNear(w.Weight, g.Weight, 1e-9))
			s.note("annotation speed", allNear(w.Speed, g.Speed, 0.051))
			s.note("annotation nodes", reflect.DeepEqual(w.Nodes, g.Nodes))
			s.note("annotation datasources", reflect.DeepEqual(w.Datasources, g.Datasources))
			s.note("annotation metadata", reflect.DeepEqual(w.Metadata, g.Metadata))
		}
	}
}

// TestAnswersOfOSRM asks what OSRM was asked.
func TestAnswersOfOSRM(t *testing.T) {
	// A waypoint in a dead end can be passed on the way in or on the way out, at
	// the same cost; OSRM's two algorithms differ there in one route of eight,
	// in the mountains more. Its order of segments at the same distance follows
	// its index.
	ties := map[string]float64{"name": 0.93, "geometry": 0.55, "distance": 0.95}
	extracts := map[string]*routing.Engine{"andorra": andorra(t)}
	if !testing.Short() {
		extracts["delaware"] = build(t, routing.BuildOptions{Input: osmdata.Delaware(t)}, routing.Options{})
	}
	for name, engine := range extracts {
		h := Handler(engine, Options{NoCompression: true})
		files, err := filepath.Glob(filepath.Join(osrmAnswers, name+"-*.json.gz"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			kind := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), name+"-"), ".json.gz")
			t.Run(name+"/"+kind, func(t *testing.T) {
				s := askOSRM(t, h, file)
				for what, n := range s {
					share := float64(n[0]) / float64(n[1])
					least := 1.0
					if what == "name" && kind != "route" && kind != "annotated" || kind == "via" && (what == "geometry" || what == "distance") {
						least = ties[what]
					}
					if share < least {
						t.Errorf("%s: %d of %d", what, n[0], n[1])
					}
				}
			})
		}
	}
}

func askOSRM(t *testing.T, h http.Handler, file string) score {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var questions []struct {
		Query  string
		Answer osrmAnswer
	}
	require.NoError(t, json.NewDecoder(z).Decode(&questions))
	require.NotEmpty(t, questions)
	s := score{}
	for i := range questions {
		q := &questions[i]
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", q.Query, nil))
		var got osrmAnswer
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got), q.Query)
		s.compare(q.Query, &q.Answer, &got)
	}
	return s
}
