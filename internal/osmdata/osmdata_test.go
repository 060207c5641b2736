package osmdata

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExtractsAreThere(t *testing.T) {
	for path, size := range map[string]int64{Delaware(t): 7812234, Andorra(t): 2973951} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, size, info.Size(), path)
	}
}
