package matcheval

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"
)

// Ends of the names of files: NAME-track.geojson is a trace, NAME.json its way.
const (
	trackEnd = "-track.geojson"
	wayEnd   = ".json"
)

// ReadFiles reads traces whose way was written down: those of the given files, and
// of all such files in the given folders, in the order of their names. A trace is
// the GeoJSON file NAME-track.geojson, whose lines are taken one after the other;
// beside it lies NAME.json with the way, a GeoJSON line or an object whose member
// "expected" is one.
func ReadFiles(paths ...string) ([]Trace, error) {
	var traces []Trace
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		files := []string{path}
		if info.IsDir() {
			if files, err = filepath.Glob(filepath.Join(path, "*"+trackEnd)); err != nil {
				return nil, err
			}
			slices.Sort(files)
		}
		for _, file := range files {
			t, err := readFile(file)
			if err != nil {
				return nil, err
			}
			traces = append(traces, t)
		}
	}
	return traces, nil
}

func readFile(path string) (Trace, error) {
	name, ok := strings.CutSuffix(path, trackEnd)
	if !ok {
		return Trace{}, fmt.Errorf("%s: the name of a trace ends in %s", path, trackEnd)
	}
	track, err := os.ReadFile(path)
	if err != nil {
		return Trace{}, err
	}
	way, err := os.ReadFile(name + wayEnd)
	if err != nil {
		return Trace{}, err
	}
	t := Trace{Name: filepath.Base(name)}
	if t.Points, err = parseLine(track); err != nil {
		return Trace{}, fmt.Errorf("%s: %w", path, err)
	}
	if t.Way.Line, err = parseLine(way); err != nil {
		return Trace{}, fmt.Errorf("%s: %w", name+wayEnd, err)
	}
	return t, nil
}

// geoJSON is as much of GeoJSON as lines need.
type geoJSON struct {
	Type        string
	Features    []geoJSON
	Geometry    *geoJSON
	Coordinates json.RawMessage
	Expected    *geoJSON
}

// parseLine reads the lines of a GeoJSON file as one of two places or more. Of
// places that follow each other and are the same, one counts.
func parseLine(data []byte) (orb.LineString, error) {
	var g geoJSON
	if err := json.Unmarshal(data, &g); err != nil {
		return nil, err
	}
	if g.Expected != nil {
		g = *g.Expected
	}
	line, err := g.appendTo(nil)
	if err != nil {
		return nil, err
	}
	line = slices.Compact(line)
	if len(line) < 2 {
		return nil, fmt.Errorf("want a line of two places or more, there are %d", len(line))
	}
	return line, nil
}

func (g *geoJSON) appendTo(line orb.LineString) (orb.LineString, error) {
	switch g.Type {
	case "FeatureCollection":
		for i := range g.Features {
			var err error
			if line, err = g.Features[i].appendTo(line); err != nil {
				return nil, fmt.Errorf("feature %d: %w", i, err)
			}
		}
		return line, nil
	case "Feature":
		if g.Geometry == nil {
			return line, nil
		}
		return g.Geometry.appendTo(line)
	case "LineString":
		var places [][]float64
		if err := json.Unmarshal(g.Coordinates, &places); err != nil {
			return nil, err
		}
		for i, p := range places {
			if len(p) < 2 || p[0] < -180 || p[0] > 180 || p[1] < -90 || p[1] > 90 {
				return nil, fmt.Errorf("coordinate %d is no longitude and latitude", i)
			}
			line = append(line, orb.Point{p[0], p[1]})
		}
		return line, nil
	}
	return nil, fmt.Errorf("want lines, there is a %q", g.Type)
}
