package extract_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile"
)

// forbiddenPath is a restriction as letters: over the path, and then to.
type forbiddenPath struct {
	path string
	to   byte
	only bool
	day  string // on which alone it holds; empty for always
}

// obeys walks a path and looks, at every step, at every restriction that the
// last steps complete.
func obeys(walk string, rules []forbiddenPath) bool {
	for i := 1; i < len(walk)-1; i++ {
		for _, r := range rules {
			if strings.HasSuffix(walk[:i+1], r.path) && (walk[i+1] == r.to) != r.only {
				return false
			}
		}
	}
	return true
}

// Any walk over a grid of streets with overlapping restrictions over nodes and
// ways can be driven if and only if each restriction, taken by itself, lets it.
func TestRestrictionsAgainstRules(t *testing.T) { compareWithRules(t, nil) }

// The same with restrictions of which some hold on one day alone, on each day.
func TestConditionsAgainstRules(t *testing.T) { compareWithRules(t, []string{"Mo", "Tu"}) }

func compareWithRules(t *testing.T, days []string) {
	const size = 5
	grid := strings.Join([]string{"a-b-c-d-e", "f-g-h-i-j", "k-l-m-n-o", "p-q-r-s-t", "u-v-w-x-y"}, "\n")
	letter := func(x, y int) byte { return byte('a' + y*size + x) }
	neighbors := make(map[byte][]byte)
	var ways []testmap.Row
	for y := range size {
		for x := range size {
			for _, to := range [][2]int{{x + 1, y}, {x, y + 1}} {
				if to[0] < size && to[1] < size {
					a, b := letter(x, y), letter(to[0], to[1])
					neighbors[a] = append(neighbors[a], b)
					neighbors[b] = append(neighbors[b], a)
					ways = append(ways, testmap.Row{string([]byte{a, b}), "name=x"})
				}
			}
		}
	}
	car, err := profile.ByName("car")
	require.NoError(t, err)
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	drivenWalks, forbiddenWalks := 0, 0
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 7))
		// A walk that never turns round.
		walk := func(from byte, steps int) string {
			w := []byte{from}
			for range steps {
				next := slices.Clone(neighbors[w[len(w)-1]])
				if len(w) > 1 {
					next = slices.DeleteFunc(next, func(b byte) bool { return b == w[len(w)-2] })
				}
				w = append(w, next[rng.IntN(len(next))])
			}
			return string(w)
		}
		way := func(a, b byte) string { return string([]byte{min(a, b), max(a, b)}) }
		d := testmap.Drawing{Map: grid, Ways: ways}
		var rules []forbiddenPath
		// In one corner, so that paths share pieces.
		for range 12 {
			p := walk("lmqr"[rng.IntN(4)], 2+rng.IntN(4))
			last := len(p) - 1
			members := "from=" + way(p[0], p[1])
			if last == 2 {
				members += " via=" + p[1:2]
			}
			for i := 2; i < last; i++ {
				members += " via=" + way(p[i-1], p[i])
			}
			members += " to=" + way(p[last-1], p[last])
			only := rng.IntN(4) == 0
			kind := "no_left_turn"
			if only {
				kind = "only_left_turn"
			}
			rule := forbiddenPath{path: p[:last], to: p[last], only: only}
			tag := "restriction=" + kind
			if len(days) > 0 && rng.IntN(2) == 0 {
				rule.day = days[rng.IntN(len(days))]
				tag = fmt.Sprintf(`restriction:conditional="%s @ (%s)"`, kind, rule.day)
			}
			d.Relations = append(d.Relations, testmap.Row{members, tag})
			rules = append(rules, rule)
		}
		m := extracttest.Extract(t, d, car, extract.Options{Conditionals: true})
		require.Equal(t, len(rules), m.Report.AppliedRestrictions)
		for i := range 1500 {
			w := walk("lmqrghvwks"[rng.IntN(10)], 2+rng.IntN(8))
			day := ""
			if len(days) > 0 && i%(len(days)+1) < len(days) {
				day = days[i%(len(days)+1)]
			}
			onDay := func(of string) bool { return of == "" || of == day }
			m.Metric.TurnClosed = graph.MakeBits(m.Network.NumEdges())
			for _, c := range m.Network.Conditions {
				if onDay(m.Network.Strings.Get(c.Text)) {
					m.Metric.TurnClosed.Set(uint32(c.Edge))
				}
			}
			want := obeys(w, slices.DeleteFunc(slices.Clone(rules), func(r forbiddenPath) bool { return !onDay(r.day) }))
			if want {
				drivenWalks++
			} else {
				forbiddenWalks++
			}
			if want != m.Can(w) {
				var text []string
				for _, r := range rules {
					text = append(text, fmt.Sprintf("%s %c %v %s", r.path, r.to, r.only, r.day))
				}
				t.Fatalf("seed %d: %s can be driven on %q: %v; rules: %s", seed, w, day, !want, strings.Join(text, "; "))
			}
		}
	}
	require.Greater(t, drivenWalks, rounds*100)
	require.Greater(t, forbiddenWalks, rounds*100)
}
