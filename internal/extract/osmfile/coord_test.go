package osmfile

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMicroDegreesTakesTheFloatingPointSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e7 := rapid.Int32Range(-maxLon7, maxLon7).Draw(t, "e7")
		require.Equal(t, int32(math.Round(float64(e7)/1e7*1e6)), MicroDegrees(e7))
	})
	for e7, want := range map[int32]int32{0: 0, 4: 0, 5: 1, -5: -1, 6: 1, -6: -1, 15: 2, 1245: 124, -1245: -124, 1275: 128, maxLon7: 180e6, -maxLon7: -180e6} {
		require.Equal(t, want, MicroDegrees(e7), "%d", e7)
	}
}

func TestParseDegrees(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "1": 1e7, "-1.5": -15e6, "+2.": 2e7, ".5": 5e6, "1.23456789": 12345679, "1.23456784999": 12345678,
		"-0.00000005": -1, "0.000000049": 0, "1e-05": 100, "-1.5E1": -15e7, "179.99999999": 180e7, "1e300": 1000e7,
		"00012.5": 125e6,
	} {
		got, ok := parseDegrees([]byte(text))
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "-", ".", "x", "1.2.3", "1,5", "nan", "0x", "1e", " 1", "--1"} {
		_, ok := parseDegrees([]byte(text))
		require.False(t, ok, text)
	}
	got, ok := parseDegrees([]byte("99999999999999999999999999.5"))
	require.True(t, ok)
	require.Greater(t, got, int64(maxLon7))
	rapid.Check(t, func(t *rapid.T) {
		e7 := rapid.Int64Range(-maxLon7, maxLon7).Draw(t, "e7")
		got, ok := parseDegrees(strconv.AppendFloat(nil, float64(e7)/1e7, 'f', 7, 64))
		require.True(t, ok)
		require.Equal(t, e7, got)
	})
}
