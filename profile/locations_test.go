package profile

import (
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"
)

// island is a place where one drives on the left.
type island struct{}

func (island) Find(lon, _ float64, key string) any {
	if key == "driving_side" && lon > 1 {
		return "left"
	}
	return nil
}

func TestDrivingSideByPlace(t *testing.T) {
	for _, tc := range []struct {
		lon, lat float64
		side     string
		want     bool
	}{
		{lon: 2, lat: 1, want: true},
		{lon: 0.5, lat: 1},
		{}, // not known
		{lon: 2, lat: 1, side: "right"},
		{lon: 0.5, lat: 1, side: "left", want: true},
		{lon: 2, lat: 1, side: "both"}, // a tag, if one that says nothing
	} {
		w, err := NewCar(CarOptions{})
		require.NoError(t, err)
		worker, err := w.NewWorker()
		require.NoError(t, err)
		worker.(LocationWorker).SetLocations(island{})
		way := osm.Way{
			Tags:  osm.Tags{{Key: "highway", Value: "primary"}},
			Nodes: osm.WayNodes{{ID: 1, Lon: 5, Lat: 5}, {ID: 2, Lon: tc.lon, Lat: tc.lat}},
		}
		if tc.side != "" {
			way.Tags = append(way.Tags, osm.Tag{Key: "driving_side", Value: tc.side})
		}
		var r WayResult
		require.NoError(t, worker.Way(&way, &r))
		require.Equal(t, tc.want, r.IsLeftHandDriving, "%+v", tc)
		way.Nodes = nil
		require.NoError(t, worker.Way(&way, &r))
	}
}
