package guidance_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/routing"
)

// folder is for data sets that more than one test asks.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "guidance-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

var (
	delawareOnce sync.Once
	errDelaware  error
)

// delaware returns the name of the data set of Delaware, which it builds at the
// first call.
func delaware(t testing.TB) string {
	t.Helper()
	name := filepath.Join(folder, "delaware")
	delawareOnce.Do(func() {
		_, errDelaware = routing.Build(context.Background(), routing.BuildOptions{Input: osmdata.Delaware(t), Output: name})
	})
	require.NoError(t, errDelaware)
	return name
}
