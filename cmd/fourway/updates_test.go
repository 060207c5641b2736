package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

// A build heeds the files of traffic, the time and the place.
func TestBuildWithUpdates(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			a-b-c
			  |
			  d`,
		Ways:      []testmap.Row{{"ab", ""}, {"bc", ""}, {"bd", ""}},
		Relations: []testmap.Row{{"from=ab via=b to=bd", `restriction:conditional="no_right_turn @ (Mo-Fr 07:00-09:00)"`}},
	}
	data, err := d.OSM()
	require.NoError(t, err)
	folder := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(folder, name)
		if data != nil {
			require.NoError(t, os.WriteFile(path, data, 0o600))
		}
		return path
	}
	extract, name := file("map.osm", data), file("set", nil)
	speeds := file("speeds.csv", fmt.Appendf(nil, "%d,%d,36\n7,8,9\n", d.NodeID('a'), d.NodeID('b')))
	turns := file("turns.csv", fmt.Appendf(nil, "%d,%d,%d,60\n", d.NodeID('a'), d.NodeID('b'), d.NodeID('c')))
	left := file("left.json", []byte(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"driving_side":"left"},
		"geometry":{"type":"Polygon","coordinates":[[[0,0],[0,2],[2,2],[2,0],[0,0]]]}}]}`))
	code, _, said := command(t, "build", "-q", "-o", name, "--segment-speed-file", speeds, "--turn-penalty-file", turns,
		"--at", "2017-05-02T08:00:00Z", "--location-data", left, extract)
	require.Zero(t, code, said)
	require.Contains(t, said, "speeds.csv: 2 lines, of which 1 name segments; 1 segments go by it\n")
	require.Contains(t, said, "turns.csv: 1 lines, of which 1 name turns\n")
	require.Contains(t, said, "1 of 1 turns that are forbidden at times are so now; of 0 the time is not known\n")
	require.Contains(t, said, "1 segments got a speed but no rate")
	place := func(letter rune) string {
		lon, lat, _ := d.Position(letter)
		return fmt.Sprintf("%.6f,%.6f", lon, lat)
	}
	route := func(to rune) (duration float64, side string) {
		code, out, said := command(t, "route", "--json", "--steps", name, place('a'), place(to))
		require.Zero(t, code, said)
		var answer struct {
			Routes []struct {
				Duration float64
				Legs     []struct {
					Steps []struct {
						Side string `json:"driving_side"`
					}
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(out), &answer))
		return answer.Routes[0].Duration, answer.Routes[0].Legs[0].Steps[0].Side
	}
	straight, side := route('c')
	require.Greater(t, straight, 70.0, "the slow road and the turn")
	require.Equal(t, "left", side)
	down, _ := route('d')
	require.Greater(t, down, 100.0, "by way of c")
	require.Contains(t, refused(t, "build", "-o", name, "--at", "yesterday", extract), "--at")
}

// refused returns what a command that fails says.
func refused(t *testing.T, args ...string) string {
	t.Helper()
	code, _, said := command(t, args...)
	require.NotZero(t, code)
	return said
}
