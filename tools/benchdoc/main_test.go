package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write writes a file and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTablesAreFilled(t *testing.T) {
	page := "# Head\n"
	for _, name := range []string{"delaware-machine", "delaware-osrm", "delaware-pool", "delaware-stages", "delaware-serving", "delaware-cch", "growth", "replay"} {
		page += "<!-- " + name + " -->\nold\n<!-- end -->\n"
	}
	path := write(t, "page.md", page+"Tail\n")
	bench := write(t, "bench.json", `{"started":"2026-11-30T00:00:00Z","cpu":"EPYC","processors":2,"input":"delaware-latest.osm.pbf",
		"stages":[{"stage":"contract","pool":"freelist","cpu_seconds":4.86,"peak_resident_bytes":62000000,"file_bytes":46000000}],
		"serving":[{"algorithm":"ch","segments":2000000,"go_heap":1,"private":20000000,"resident":60000000}],
		"benchmarks":[{"name":"random_route/algo=ch/coordinates=3/plain","pool":"gc","mean_ns":120000},
			{"name":"random_route/algo=mld/coordinates=3/plain","pool":"freelist","mean_ns":200000},
			{"name":"random_route/algo=cch/coordinates=3/plain","pool":"freelist","mean_ns":120000},
			{"name":"random_route/algo=ch/coordinates=3/plain","pool":"freelist","mean_ns":96000}]}`)
	growth := write(t, "growth.json", `{"points":[{"input":"country","nodes":100,"stages":[{"cpu_seconds":2,"peak_resident_bytes":900}],
		"benchmarks":[{"name":"random_nearest","mean_ns":5000}]}]}`)
	replay := write(t, "replay.json", `{"requests":5,"workers":7,"times":[{"service":"all","requests":5,"quantiles":{"99.999":0.25}}]}`)
	for range 2 { // a second time changes nothing
		if err := run(path, list{bench}, growth, list{"in process=" + replay}); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# Head\n", "Tail\n", "on 2 processors, EPYC", "| random_route coordinates=3, plain | ch | 960 µs (1.7 ms) | 96 µs", "**10.0**",
		"+25.0 %", "(48.6 s) | **10.0** | 62 MB (124 MB) | 0.50", "0.50 | | 46.0 MB (92 MB)", "| 10 MB | 30 MB |",
		"| country | 100 |", "| random_route coordinates=3, plain | 96 µs | 200 µs | 120 µs | 1.25 |", " 9 B | 5 µs |", "**in process**: 5 requests, 7 workers", "250 ms",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "old") || strings.Count(string(text), "**in process**") != 1 {
		t.Errorf("old tables are left in\n%s", text)
	}
	if err := run(write(t, "empty.md", ""), list{bench}, "", nil); err == nil {
		t.Error("a page without places is no error")
	}
}
