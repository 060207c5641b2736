// Command benchdoc writes the tables of docs/benchmarks.md from the reports of
// fourway bench, growth and replay:
//
//	go run ./benchdoc -bench delaware.json -bench monaco.json -growth growth.json \
//		-replay "in process=inside.json" -replay "over HTTP=http.json" ../docs/benchmarks.md
//
// A table stands between the lines <!-- NAME --> and <!-- end -->; those without a
// report stay as they are.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

// benchReport is what fourway bench --json writes, as far as it is shown.
type benchReport struct {
	Started    string  `json:"started"`
	Version    string  `json:"version"`
	Go         string  `json:"go"`
	CPU        string  `json:"cpu"`
	Processors int     `json:"processors"`
	LoadBefore float64 `json:"load_before"`
	LoadAfter  float64 `json:"load_after"`
	Input      string  `json:"input"`
	Stages     []stage `json:"stages"`
	Serving    []struct {
		Algorithm string `json:"algorithm"`
		Segments  int    `json:"segments"`
		Heap      int64  `json:"go_heap"`
		Private   int64  `json:"private"`
		Resident  int64  `json:"resident"`
	} `json:"serving"`
	Benchmarks []measurement `json:"benchmarks"`
}

type stage struct {
	Stage        string  `json:"stage"`
	Memory       string  `json:"pool"`
	Wall         float64 `json:"wall_seconds"`
	CPU          float64 `json:"cpu_seconds"`
	PeakResident int64   `json:"peak_resident_bytes"`
	PeakGo       int64   `json:"peak_go_bytes"`
	Bytes        int64   `json:"file_bytes"`
}

type measurement struct {
	Name         string  `json:"name"`
	Memory       string  `json:"pool"`
	OpsPerSecond float64 `json:"ops_per_second"`
	Mean         float64 `json:"mean_ns"`
	Spread       float64 `json:"spread_ns"`
	P50          float64 `json:"p50_ns"`
	P99          float64 `json:"p99_ns"`
	CPU          float64 `json:"cpu_ns_per_op"`
	Bytes        float64 `json:"bytes_per_op"`
	Allocations  float64 `json:"allocs_per_op"`
	Collections  float64 `json:"gc_per_1000_ops"`
	GCCPU        float64 `json:"gc_cpu_ns_per_op"`
	GCPause      float64 `json:"gc_pause_ns_per_op"`
}

// growthReport is what fourway growth --json writes.
type growthReport struct {
	Points []struct {
		Input      string        `json:"input"`
		Nodes      int64         `json:"nodes"`
		Search     int           `json:"search_nodes"`
		Segments   int           `json:"segments"`
		Stages     []stage       `json:"stages"`
		Benchmarks []measurement `json:"benchmarks"`
	} `json:"points"`
}

// replayReport is what fourway replay --json writes.
type replayReport struct {
	Workers    int     `json:"workers"`
	Seconds    float64 `json:"seconds"`
	Requests   int     `json:"requests"`
	Failed     int     `json:"failed"`
	Throughput float64 `json:"requests_per_second"`
	Times      []struct {
		Service   string             `json:"service"`
		Requests  int                `json:"requests"`
		Mean      float64            `json:"mean"`
		Max       float64            `json:"max"`
		Quantiles map[string]float64 `json:"quantiles"`
	} `json:"times"`
	Cycles int     `json:"gc_cycles"`
	Paused float64 `json:"gc_pause_seconds"`
}

// list is a flag that may be given several times.
type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func main() {
	var bench, replays list
	growth := flag.String("growth", "", "`report` of fourway growth")
	flag.Var(&bench, "bench", "`report` of fourway bench")
	flag.Var(&replays, "replay", "`name=report` of fourway replay")
	flag.Parse()
	if err := run(flag.Arg(0), bench, *growth, replays); err != nil {
		fmt.Fprintln(os.Stderr, "benchdoc:", err)
		os.Exit(1)
	}
}

func run(path string, bench list, growth string, replays list) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	tables := map[string]string{}
	for _, file := range bench {
		var r benchReport
		if err := read(file, &r); err != nil {
			return err
		}
		r.tables(tables)
	}
	if growth != "" {
		var r growthReport
		if err := read(growth, &r); err != nil {
			return err
		}
		tables["growth"] = r.table()
	}
	var played strings.Builder
	for _, arg := range replays {
		name, file, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("-replay %s: want name=report", arg)
		}
		var r replayReport
		if err := read(file, &r); err != nil {
			return err
		}
		r.write(&played, name)
	}
	if played.Len() > 0 {
		tables["replay"] = played.String()
	}
	out, err := fill(string(text), tables)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(out), 0o644)
}

func read(file string, v any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// fill puts tables in their places. A table without one is left out, if others that
// begin with the same word have one: the page does not show all of each extract.
func fill(text string, tables map[string]string) (string, error) {
	for name, table := range tables {
		if word, _, _ := strings.Cut(name, "-"); !strings.Contains(text, "<!-- "+name+" -->") && strings.Contains(text, "<!-- "+word+"-") {
			continue
		}
		begin := "<!-- " + name + " -->\n"
		head, rest, ok := strings.Cut(text, begin)
		_, tail, end := strings.Cut(rest, "<!-- end -->")
		if !ok || !end {
			return "", errors.New("the page has no place for the table " + name)
		}
		text = head + begin + "\n" + table + "\n<!-- end -->" + tail
	}
	return text, nil
}

// place is what the tables of an extract are named for.
func place(input string) string {
	name, _, _ := strings.Cut(input, ".")
	name, _, _ = strings.Cut(name, "-")
	return name
}

// tables adds those of a report.
func (r *benchReport) tables(tables map[string]string) {
	at := place(r.Input)
	tables[at+"-machine"] = fmt.Sprintf("Measured %.10s on %d processors, %s, %s, commit %.12s; load average %.2f before and %.2f after.\n",
		r.Started, r.Processors, r.CPU, r.Go, r.Version, r.LoadBefore, r.LoadAfter)
	tables[at+"-osrm"] = r.besideOSRM(at)
	tables[at+"-pool"] = r.pools()
	tables[at+"-cch"] = r.algorithms()
	if len(r.Stages) > 0 {
		tables[at+"-stages"] = r.stages(at)
	}
	if len(r.Serving) > 0 {
		var b strings.Builder
		b.WriteString("| serving | Go heap | private | resident, with mapped files | private by million segments | resident by million segments |\n| --- | --- | --- | --- | --- | --- |\n")
		for _, s := range r.Serving {
			millions := float64(max(s.Segments, 1)) / 1e6
			fmt.Fprintf(&b, "| %s | %.1f MB | %.1f MB | %.1f MB | %.0f MB | %.0f MB |\n", s.Algorithm, mega(s.Heap), mega(s.Private), mega(s.Resident),
				mega(s.Private)/millions, mega(s.Resident)/millions)
		}
		tables[at+"-serving"] = b.String()
	}
}

func mega(n int64) float64 { return float64(n) / 1e6 }

// besideOSRM compares means with free lists with OSRM's.
func (r *benchReport) besideOSRM(at string) string {
	var b strings.Builder
	b.WriteString("| request | algorithm | OSRM mean (p99) | Fourway mean ± (p99) | processor | times as fast |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, f := range facts[at] {
		i := slices.IndexFunc(r.Benchmarks, func(m measurement) bool {
			return m.Name == f.name && (m.Memory == "freelist" || m.Memory == "")
		})
		if i < 0 {
			continue
		}
		m := &r.Benchmarks[i]
		suite, rest, _ := strings.Cut(f.name, "/")
		algorithm := ""
		if s, ok := strings.CutPrefix(rest, "algo="); ok {
			algorithm, rest, _ = strings.Cut(s, "/")
		}
		p99 := ""
		if f.p99 > 0 {
			p99 = " (" + brief(f.p99*1e3) + ")"
		}
		fmt.Fprintf(&b, "| %s %s | %s | %s%s | %s ± %.0f %% (%s) | %s | **%.1f** |\n", suite, strings.ReplaceAll(rest, "/", ", "), algorithm,
			brief(f.mean*1e3), p99, brief(m.Mean), 100*m.Spread/m.Mean, brief(m.P99), brief(m.CPU), f.mean*1e3/m.Mean)
	}
	return b.String()
}

// algorithms compares the means of searches, with free lists.
func (r *benchReport) algorithms() string {
	var b strings.Builder
	b.WriteString("| request | ch | mld | cch | cch : ch |\n| --- | --- | --- | --- | --- |\n")
	mean := func(name string) float64 {
		i := slices.IndexFunc(r.Benchmarks, func(m measurement) bool { return m.Name == name && m.Memory == "freelist" })
		if i < 0 {
			return 0
		}
		return r.Benchmarks[i].Mean
	}
	for _, m := range r.Benchmarks {
		if m.Memory != "freelist" || !strings.Contains(m.Name, "/algo=cch") {
			continue
		}
		of := func(algorithm string) float64 {
			return mean(strings.Replace(m.Name, "/algo=cch", "/algo="+algorithm, 1))
		}
		ch, mld := of("ch"), of("mld")
		if ch == 0 || mld == 0 {
			continue
		}
		name := strings.ReplaceAll(strings.Replace(m.Name, "/algo=cch", "", 1), "/", ", ")
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %.2f |\n", strings.Replace(name, ", ", " ", 1), brief(ch), brief(mld), brief(m.Mean), m.Mean/ch)
	}
	return b.String()
}

// pools compares kinds of memory.
func (r *benchReport) pools() string {
	var b strings.Builder
	b.WriteString("| benchmark | pool | ops/s | mean ± | p99 | processor | B/op | allocs/op | collections by 1000 | their processor time | pauses | free lists faster by |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for i := range r.Benchmarks {
		m := &r.Benchmarks[i]
		if m.Memory == "" {
			continue
		}
		k := slices.IndexFunc(r.Benchmarks, func(o measurement) bool { return o.Name == m.Name && o.Memory == "freelist" })
		gain := ""
		if k >= 0 && k != i {
			gain = fmt.Sprintf("%+.1f %%", 100*(m.Mean/r.Benchmarks[k].Mean-1))
		}
		fmt.Fprintf(&b, "| %s | %s | %.4g | %s ± %.0f %% | %s | %s | %.0f | %.1f | %.3g | %s | %s | %s |\n", m.Name, m.Memory, m.OpsPerSecond,
			brief(m.Mean), 100*m.Spread/m.Mean, brief(m.P99), brief(m.CPU), m.Bytes, m.Allocations, m.Collections, brief(m.GCCPU), brief(m.GCPause), gain)
	}
	return b.String()
}

// stages compares builds.
func (r *benchReport) stages(at string) string {
	var b strings.Builder
	b.WriteString("| stage | pool | wall (OSRM) | processor (OSRM) | times as fast | peak memory (OSRM) | part of the memory | of it Go's | files |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	files := int64(0)
	for _, s := range r.Stages {
		f, known := stageFacts[at][s.Stage]
		wall, cpu, faster, memory, part := "", "", "", "", ""
		if known {
			wall, cpu, memory = fmt.Sprintf(" (%.3g s)", f.wall), fmt.Sprintf(" (%.3g s)", f.cpu), fmt.Sprintf(" (%.0f MB)", f.peak)
			faster, part = fmt.Sprintf("**%.1f**", f.cpu/s.CPU), fmt.Sprintf("%.2f", mega(s.PeakResident)/f.peak)
		}
		fmt.Fprintf(&b, "| %s | %s | %.2f s%s | %.2f s%s | %s | %.0f MB%s | %s | %.0f MB | %.1f MB |\n", s.Stage, s.Memory, s.Wall, wall, s.CPU, cpu, faster,
			mega(s.PeakResident), memory, part, mega(s.PeakGo), mega(s.Bytes))
		if s.Stage != "contract-grid" && s.Stage != "order" && (s.Memory == "" || s.Memory == "freelist") {
			files += s.Bytes // the grid is no part of the extract, and CCH none of OSRM
		}
	}
	if disk := disks[at]; disk > 0 {
		fmt.Fprintf(&b, "| all files | | | | | | %.2f | | %.1f MB (%.0f MB) |\n", mega(files)/disk, mega(files), disk)
	}
	return b.String()
}

// shortName takes off what all columns of growth have.
var shortName = strings.NewReplacer("random_", "", "/algo=", " ", "/coordinates=", " ", "/number=1", "", "/radius=default", "", "/plain", "")

func (r *growthReport) table() string {
	var b strings.Builder
	b.WriteString("| network | OSM nodes | search nodes | extract | partition | customize | contract | order | peak memory by OSM node |")
	if len(r.Points) > 0 {
		for _, m := range r.Points[0].Benchmarks {
			b.WriteString(" " + shortName.Replace(m.Name) + " |")
		}
		b.WriteString("\n|" + strings.Repeat(" --- |", 9+len(r.Points[0].Benchmarks)))
	}
	b.WriteString("\n")
	for _, p := range r.Points {
		fmt.Fprintf(&b, "| %s | %d | %d |", p.Input, p.Nodes, p.Search)
		most := int64(0)
		for _, s := range p.Stages {
			fmt.Fprintf(&b, " %.2f s |", s.CPU)
			most = max(most, s.PeakResident)
		}
		fmt.Fprintf(&b, " %.0f B |", float64(most)/float64(max(p.Nodes, 1)))
		for _, m := range p.Benchmarks {
			fmt.Fprintf(&b, " %s |", brief(cmp.Or(m.CPU, m.Mean)))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (r *replayReport) write(b *strings.Builder, name string) {
	fmt.Fprintf(b, "**%s**: %d requests, %d workers, %.1f s, **%.0f requests/s**, %d failed; %d collections, pauses of %.4f s.\n\n", name,
		r.Requests, r.Workers, r.Seconds, r.Throughput, r.Failed, r.Cycles, r.Paused)
	columns := []string{"50", "90", "95", "99", "99.5", "99.9", "99.99", "99.999"}
	b.WriteString("| service | requests | mean |")
	for _, c := range columns {
		b.WriteString(" " + c + " % |")
	}
	b.WriteString(" most |\n|" + strings.Repeat(" --- |", 4+len(columns)) + "\n")
	for _, t := range r.Times {
		fmt.Fprintf(b, "| %s | %d | %s |", t.Service, t.Requests, brief(t.Mean*1e9))
		for _, c := range columns {
			fmt.Fprintf(b, " %s |", brief(t.Quantiles[c]*1e9))
		}
		fmt.Fprintf(b, " %s |\n", brief(t.Max*1e9))
	}
	b.WriteString("\n")
}

// brief writes nanoseconds with three digits.
func brief(ns float64) string {
	switch {
	case ns < 1e3:
		return fmt.Sprintf("%.3g ns", ns)
	case ns < 1e6:
		return fmt.Sprintf("%.3g µs", ns/1e3)
	case ns < 1e9:
		return fmt.Sprintf("%.3g ms", ns/1e6)
	}
	return fmt.Sprintf("%.3g s", ns/1e9)
}
