package routing

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/osmdata"
)

// Routes of bicycle and foot take as long, and lead as far, as OSRM's.
func TestProfilesEqualOSRM(t *testing.T) {
	for _, vehicle := range []string{"bicycle", "foot"} {
		t.Run(vehicle, func(t *testing.T) {
			f, err := os.Open(filepath.Join("testdata", "profiles", "andorra-"+vehicle+".json.gz"))
			require.NoError(t, err)
			defer f.Close()
			z, err := gzip.NewReader(f)
			require.NoError(t, err)
			var cases []struct {
				Coordinates, Snapped       []orb.Point
				Duration, Distance, Weight float64
			}
			require.NoError(t, json.NewDecoder(z).Decode(&cases))
			require.Greater(t, len(cases), 50)

			name := filepath.Join(t.TempDir(), vehicle)
			_, err = Build(t.Context(), BuildOptions{Input: osmdata.Andorra(t), Output: name, ProfileName: vehicle})
			require.NoError(t, err)
			for _, algorithm := range []Algorithm{CH, MLD} {
				engine, err := Open(name, Options{Algorithm: algorithm})
				require.NoError(t, err)
				for _, c := range cases {
					got, err := Route(t.Context(), engine, RouteRequest{Coordinates: c.Coordinates})
					require.NoError(t, err)
					r := &got.Routes[0]
					require.InDelta(t, c.Duration, r.Duration, 0.05, "%v", c.Coordinates)
					require.InDelta(t, c.Weight, r.Weight, 0.05, "%v", c.Coordinates)
					require.InDelta(t, c.Distance, r.Distance, 0.5, "%v", c.Coordinates)
					for i, w := range got.Waypoints {
						require.InDelta(t, c.Snapped[i][0], w.Location[0], 1.5e-6)
						require.InDelta(t, c.Snapped[i][1], w.Location[1], 1.5e-6)
					}
				}
				require.NoError(t, engine.Close())
			}
		})
	}
}
