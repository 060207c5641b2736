package dump

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/profile"
	"github.com/fourway-routing/fourway/profile/lua"
)

var update = flag.Bool("update", false, "write the digests of the profiles of "+checkout)

// checkout is the environment variable that names a checkout of OSRM.
const checkout = "FOURWAY_OSRM_CHECKOUT"

// digestFile holds the digests of dumps by extract, profile and section. They
// are made from OSRM's own profiles in Lua.
const digestFile = "testdata/osrm.json"

// The built-in profiles make the networks that OSRM's profiles make. The
// digests in the tree are those of the latter. With a checkout named, both are
// made and compared line by line, and -update writes the digests anew:
//
//	FOURWAY_OSRM_CHECKOUT=../osrm-backend go test ./internal/extract/dump -update
//
// That is due whenever the extractor itself changes what it makes.
func TestProfilesEqualOSRM(t *testing.T) {
	scripts := os.Getenv(checkout)
	require.False(t, *update && scripts == "", "-update needs %s", checkout)
	want := map[string]map[string]string{}
	if data, err := os.ReadFile(digestFile); err == nil {
		require.NoError(t, json.Unmarshal(data, &want))
	}
	extracts := map[string]string{"andorra": osmdata.Andorra(t)}
	if !testing.Short() || scripts != "" {
		extracts["delaware"] = osmdata.Delaware(t)
	}
	var mu sync.Mutex
	made := map[string]map[string]string{}
	for region, path := range extracts {
		for _, vehicle := range profile.Names() {
			name := region + "/" + vehicle
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				p, err := profile.ByName(vehicle)
				require.NoError(t, err)
				ours := dumpOf(t, path, p)
				if scripts != "" {
					p, err := lua.Open(filepath.Join(scripts, "profiles", vehicle+".lua"), lua.Options{})
					require.NoError(t, err)
					theirs := compare(t, dumpOf(t, path, p), ours)
					mu.Lock()
					made[name] = theirs
					mu.Unlock()
					if *update {
						return
					}
				}
				require.Equal(t, want[name], digests(ours),
					"the network has changed; if the extractor means it, renew %s as the comment of this test says", digestFile)
			})
		}
	}
	t.Cleanup(func() { // after the parallel parts
		if *update && !t.Failed() {
			data, err := json.MarshalIndent(made, "", "\t")
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(digestFile, append(data, '\n'), 0o644))
		}
	})
}

// compare fails with the lines that differ, and returns the digests of want.
func compare(t *testing.T, want, got []Section) map[string]string {
	t.Helper()
	for i := range want {
		for _, line := range Diff(&want[i], &got[i], 5) {
			t.Errorf("%s: %s", want[i].Name, line)
		}
	}
	return digests(want)
}

func digests(sections []Section) map[string]string {
	by := make(map[string]string, len(sections))
	for i := range sections {
		by[sections[i].Name] = sections[i].Digest()
	}
	return by
}

func dumpOf(t *testing.T, path string, p profile.Profile) []Section {
	t.Helper()
	f, err := osmfile.Open(path)
	require.NoError(t, err)
	r, err := extract.Run(context.Background(), f, p, extract.Options{})
	require.NoError(t, err)
	return Dump(r)
}
