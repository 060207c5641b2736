package profile

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPositiveInteger(t *testing.T) {
	for s, want := range map[string]int64{
		"1": 1, "007": 7, "+2": 2, " 3 ": 3, "\t4\v\f\r\n": 4,
		"2.0": 2, "5.": 5, "1e2": 100, "25E-1": 0, "20e-1": 2,
		"0x10": 16, "0XfF": 255, "0x1p4": 16, "0x.8p1": 1, "0x2.0": 2, "-0xffffffffffffffff": 1,
		"9223372036854775807": 9223372036854775807,
		"":                    0, "0": 0, "-1": 0, "1.5": 0, "0x1.8": 0, "-0x1": 0, "one": 0, "1;2": 0, "1 2": 0,
		"1,5": 0, "nan": 0, "inf": 0, "infinity": 0, "1_0": 0, "0x_1": 0, "0x": 0, "0x.p1": 0, "1e": 0, "1e400": 0,
		"--1": 0, "+ 1": 0, ".": 0,
	} {
		got, ok := positiveInteger(s)
		require.Equal(t, want, got, "%q", s)
		require.Equal(t, want > 0, ok, "%q", s)
	}
	// Beyond 64 bits the value is lost, but the number stands.
	got, ok := positiveInteger("9223372036854775808")
	require.True(t, ok)
	require.Zero(t, got)
}

func TestParseMeters(t *testing.T) {
	for s, want := range map[string]float64{
		"2": 2, "2.5": 2.5, "2,5 m": 2.5, "3.": 3, "about 4": 4, "1.2.3": 1.2, "-5": 5, "1e3": 1, ".5": 5, "0": 0,
		"6'": 6 * 12 * 0.0254, "6'7\"": 79 * 0.0254, "6.5'": 78 * 0.0254, "6'7.5\"": 79 * 0.0254, "6 ft": 6,
		"12'x3": 147 * 0.0254, "6.5'3": 81 * 0.0254, "x'5": 65 * 0.0254,
		"99999999999999999999": 1e20,
		// Integers of 64 bits wrap around.
		"768614336404564651'4": (-9223372036854775804 + 4) * 0.0254,
	} {
		got, ok := parseMeters(s)
		require.True(t, ok, s)
		require.InEpsilon(t, want+1, got+1, 1e-15, s)
	}
	for _, s := range []string{"", "none", "narrow", "'", ".", ","} {
		_, ok := parseMeters(s)
		require.False(t, ok, s)
	}
	for _, s := range []string{"default", "none", "no-sign", "unsigned"} {
		got, ok := parseMaxHeight(s)
		require.True(t, ok, s)
		require.Equal(t, 4.5, got, s)
	}
	_, ok := parseMaxHeight("below_default")
	require.False(t, ok)
}

func TestParseKilograms(t *testing.T) {
	for s, want := range map[string]float64{
		"2": 2000, "7.5": 7500, "7,5 t": 7500, "3.5;7.5": 3500, "2000 kg": 2000, "2000kg": 2000,
		"4000 lbs": 4000 * 0.45359237, "4000 LBS": 4000000, "10 st": 10000,
	} {
		got, ok := parseKilograms(s)
		require.True(t, ok, s)
		require.Equal(t, want, got, s)
	}
	_, ok := parseKilograms("none")
	require.False(t, ok)
}

func TestParseSpeed(t *testing.T) {
	for s, want := range map[string]float64{
		"50": 50, "050": 50, "50.5": 50, "30 mph": 30 * 1.609, "30mp/h": 30 * 1.609, "10 knots": 10,
		"100000000000000000000": 1e20,
	} {
		got, ok := parseSpeed(s)
		require.True(t, ok, s)
		require.InEpsilon(t, want, got, 1e-15, s)
	}
	for _, s := range []string{"", " 50", "-50", "mph", "none"} {
		_, ok := parseSpeed(s)
		require.False(t, ok, s)
	}
}

func TestParseDuration(t *testing.T) {
	for s, want := range map[string]uint32{
		"5": 300, "05": 300, "99": 5940, "1:30": 5400, "01:30:15": 5415, "99:99:99": 99*3600 + 99*60 + 99, "00:00": 0,
		"P": 0, "PT": 0, "P1DT": 86400, "PT1H": 3600, "PT1h30m5s": 5405, "PT90M": 5400, "PT5S": 5, "PT1H5S": 3605,
		"P1D": 86400, "P2dT3H": 2*86400 + 3*3600, "P2W": 2 * 604800, "P2w": 2 * 604800,
		"PT123456": 12*3600 + 34*60 + 56, "PT12:34:56": 12*3600 + 34*60 + 56, "PT235959": 86399,
		"PT300000S": 300000, "PT4294967295S": 4294967295, "P00000000000000000000000000001D": 86400,
		// Sums wrap around at 32 bits.
		"P99999D": 99999 * 86400 % (1 << 32),
	} {
		got, ok := parseDuration(s)
		require.True(t, ok, s)
		require.Equal(t, want, got, s)
	}
	for _, s := range []string{
		"", "100", "1:", ":30", "1:2:3:4", "1:100", " 5", "5 min", "-5", "1.5", "one",
		"p1d", "T1H", "pt1h", "Pt1H", "P1Y", "P1M", "P1W1D", "P1WT1H", "P1D1W", "PT1M1H", "PT1S1M", "PT1.5H",
		"PT5", "PT12:34", "PT1234", "PT240000", "PT126000", "PT123460", "PT24:00:00", "PT12:3456", "PT1234:56",
		// What starts like a time of day has to end like one.
		"PT123456S", "PT00000000000000000000000000001S", "PT12:34:56S", "PT4294967296S", "PT99999999999999999999S",
	} {
		_, ok := parseDuration(s)
		require.False(t, ok, s)
	}
}

func TestSpaceList(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "A 1": "A 1", "A;B": "A; B", "A; B": "A; B", "A;  B": "A; B", "A ;B": "A ; B", "A;;B": "A; ; B",
		"a  b": "a b", "a \t b": "a b", "a\t\n b": "a\tb", ";": "; ", " ; ": " ; ", "  a  ": " a ", "ä;ö": "ä; ö",
		"a\u00a0\u00a0b": "a\u00a0\u00a0b",
	} {
		require.Equal(t, want, spaceList(s, ';'), "%q", s)
	}
	require.Equal(t, "a, b;c", spaceList("a,b;c", ','))
}

func FuzzParseDuration(f *testing.F) {
	for _, s := range []string{"5", "1:30", "1:2:3", "PT1H2M3S", "P1DT2H", "P3W", "PT12:34:56", "PT123456", "P", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		seconds, ok := parseDuration(s)
		if !ok {
			return
		}
		// A valid duration starts with a digit or P, and white space or a
		// trailing letter always spoils it.
		require.True(t, s[0] == 'P' || isDigit(s[0]))
		for _, bad := range []string{s + " ", " " + s, s + "x", s + ":"} {
			_, ok := parseDuration(bad)
			require.False(t, ok, bad)
		}
		again, ok := parseDuration(s)
		require.True(t, ok)
		require.Equal(t, seconds, again)
	})
}

func FuzzMeasures(f *testing.F) {
	for _, s := range []string{"2.5 m", "6'7\"", "7,5t", "4000 lbs", "30 mph", "0x10", " 3 ", "1e5", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, ok := parseSpeed(s); ok {
			require.GreaterOrEqual(t, v, 0.0)
			require.True(t, isDigit(s[0]))
		}
		meters, okMeters := parseMeters(s)
		kilograms, okKilograms := parseKilograms(s)
		require.Equal(t, okMeters, okKilograms)
		require.Equal(t, firstDigits(s) != "", okMeters)
		require.Equal(t, meters, meters)
		require.Equal(t, kilograms, kilograms)
		n, ok := positiveInteger(s)
		require.GreaterOrEqual(t, n, int64(0))
		if digits := leadingDigits(s); digits == s && len(s) > 0 && len(s) < 18 {
			require.Equal(t, digitsNumeral(s).i, n)
			require.Equal(t, n > 0, ok)
		}
	})
}

func FuzzSpaceList(f *testing.F) {
	f.Add("A 1;B  2")
	f.Fuzz(func(t *testing.T, s string) {
		once := spaceList(s, ';')
		require.False(t, hasDoubleSpace(once))
		require.Equal(t, once, spaceList(once, ';'))
	})
}
