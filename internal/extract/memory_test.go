package extract_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/osmdata"
)

func TestEstimateMemory(t *testing.T) {
	f, err := osmfile.Open(osmdata.Delaware(t))
	require.NoError(t, err)
	// It takes 90 MB.
	require.InDelta(t, 215e6, float64(extract.EstimateMemory(f)), 30e6)
	f, err = osmfile.Open(osmdata.Andorra(t))
	require.NoError(t, err)
	require.Greater(t, extract.EstimateMemory(f), int64(60e6))
}
