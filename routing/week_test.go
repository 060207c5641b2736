package routing

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParseWeek(t *testing.T) {
	w, err := ParseWeek(strings.NewReader(`
# hours in which many drive
Mo-Fr, 7-9, rush
Mo-Fr,16-19,rush
Sa-Mo,22-5,night
We,17-18,
Su,0-24,sunday
`))
	require.NoError(t, err)
	zone := time.FixedZone("there", -5*3600)
	for _, c := range []struct{ at, want string }{
		{"2026-11-30 06:59", ""},
		{"2026-11-30 07:00", "rush"},
		{"2026-11-30 08:59", "rush"},
		{"2026-11-30 09:00", ""}, // Monday
		{"2026-12-02 16:30", "rush"},
		{"2026-12-02 17:30", ""},
		{"2026-12-02 18:00", "rush"},
		{"2026-12-05 22:00", "night"},
		{"2026-12-06 03:00", "sunday"},
		{"2026-12-06 23:59", "sunday"},
		{"2026-12-07 04:59", "night"},
		{"2026-12-01 04:00", "night"},
		{"2026-12-01 05:00", ""},
	} {
		at, err := time.ParseInLocation("2006-01-02 15:04", c.at, zone)
		require.NoError(t, err)
		require.Equal(t, c.want, w.At(at), c.at)
	}
	for text, want := range map[string]string{
		"Mo,7-9":           "line 1: 2 fields",
		"\nMon,7-9,x":      `line 2: days "Mon"`,
		"Mo-,7-9,x":        "days",
		"Mo,7,x":           "hours",
		"Mo,7-25,x":        "hours",
		"Mo,-1-5,x":        "hours",
		"Mo,24-5,x":        "hours",
		"Mo,7-9,a b":       "metric",
		"Mo,7-9,a,b":       "4 fields",
		"Mo,7:30-9:00,x":   "hours",
		"Mo,7-9,../passwd": "metric",
	} {
		_, err := ParseWeek(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
	_, err = ParseWeek(strings.NewReader(strings.Repeat("# \n", maxWeek)))
	require.ErrorContains(t, err, "at most")
}

func FuzzParseWeek(f *testing.F) {
	f.Add("Mo-Fr,7-9,rush\n# x\nSa-Mo,22-5,night\n")
	f.Add("Su-Su,0-24,\n")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := ParseWeek(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, name := range w {
			require.True(t, name == "" || validMetric(name))
			require.True(t, name == "" || strings.Contains(text, name))
		}
	})
}
