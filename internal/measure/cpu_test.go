package measure

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestCPU(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system does not tell")
	}
	before := CPU()
	for start := time.Now(); CPU() == before; {
		require.Less(t, time.Since(start), time.Minute)
	}
}
