package extract_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/profile"
)

func TestDelaware(t *testing.T) {
	f, err := osmfile.Open(osmdata.Delaware(t))
	require.NoError(t, err)
	car, err := profile.ByName("car")
	require.NoError(t, err)
	r, err := extract.Run(t.Context(), f, car, extract.Options{})
	require.NoError(t, err)
	fmt.Printf("%+v\n", r.Report)
}
