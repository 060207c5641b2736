package httpapi

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/fourway-routing/fourway/routing"
)

// mapInfoPath is where the map page asks what there is.
const mapInfoPath = mapPath + "info"

// mapInfo tells the map page what it can ask for.
type mapInfo struct {
	DataSets  []mapDataSet `json:"datasets"` // by their first profile
	Services  []string     `json:"services"`
	Languages []string     `json:"languages"` // of instructions
	Limits    mapLimits    `json:"limits"`
}

// mapDataSet is a data set and the profiles in URLs that it answers to.
type mapDataSet struct {
	Profiles    []string   `json:"profiles"` // sorted
	Vehicle     string     `json:"vehicle"`  // name of the profile that it was built with
	Algorithm   string     `json:"algorithm"`
	Levels      int        `json:"levels"` // of cells
	WeightName  string     `json:"weight_name"`
	Bounds      [4]float64 `json:"bounds"` // west, south, east, north
	Excludable  [][]string `json:"excludable"`
	Classes     []string   `json:"classes"`
	DataVersion string     `json:"data_version,omitempty"`
	DataTime    string     `json:"data_time,omitempty"`
	Graph       string     `json:"graph"`
	Metric      string     `json:"metric"`
	Metrics     []string   `json:"metrics"` // names of those besides the default one
}

// mapLimits are numbers of coordinates; 0 stands for no limit.
type mapLimits struct {
	Route        int   `json:"route"`
	TableCells   int64 `json:"table_cells"`
	Trip         int   `json:"trip"`
	Match        int   `json:"match"`
	Nearest      int   `json:"nearest"`
	Alternatives int   `json:"alternatives"`
}

func (s *Server) mapInfo() mapInfo {
	limits := s.limits
	alternatives := max(limits.Alternatives, 0)
	if limits.Alternatives == 0 {
		alternatives = 3
	}
	info := mapInfo{
		DataSets: []mapDataSet{}, Services: serviceNames(), Languages: routing.InstructionLanguages(),
		Limits: mapLimits{
			Route: limits.RouteCoordinates, TableCells: limits.TableCells, Trip: limits.TripCoordinates,
			Match: limits.MatchCoordinates, Nearest: limits.NearestResults, Alternatives: alternatives,
		},
	}
	at := map[*routing.Engine]int{}
	for _, name := range s.names {
		e := s.engines[name]
		i, ok := at[e]
		if !ok {
			i = len(info.DataSets)
			at[e] = i
			info.DataSets = append(info.DataSets, describeDataSet(e.Info()))
		}
		info.DataSets[i].Profiles = append(info.DataSets[i].Profiles, name)
	}
	return info
}

func describeDataSet(i routing.Info) mapDataSet {
	d := mapDataSet{
		Vehicle: i.Profile, Algorithm: i.Algorithm.String(), Levels: i.Levels, WeightName: i.WeightName,
		Bounds:     [4]float64{i.Bounds.Min[0], i.Bounds.Min[1], i.Bounds.Max[0], i.Bounds.Max[1]},
		Excludable: append([][]string{}, i.Excludable...), Classes: append([]string{}, i.Classes...),
		DataVersion: i.DataVersion, Graph: i.GraphID, Metric: i.MetricID,
	}
	d.Metrics = []string{}
	for _, m := range i.Metrics {
		if m.Name != "" {
			d.Metrics = append(d.Metrics, m.Name)
		}
	}
	if !i.DataTime.IsZero() {
		d.DataTime = i.DataTime.Format(time.RFC3339)
	}
	return d
}

// serviceNames returns the services that there are, sorted.
func serviceNames() []string {
	all := []string{"isochrone", "match", "nearest", "route", "table", "tile", "trip"}
	return slices.DeleteFunc(all, func(name string) bool {
		_, ok := serviceByName(name)
		return !ok
	})
}

func (s *Server) serveMapInfo(w http.ResponseWriter) {
	header := w.Header()
	header.Set("Content-Type", jsonBody.String())
	header.Set("Cache-Control", "no-cache")
	body, err := json.Marshal(s.mapInfo())
	if err != nil { // a bound that is no number
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(body)
}
