package routing

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestGate(t *testing.T) {
	g := newGate()
	require.True(t, g.enter())
	require.True(t, g.enter(), "a query within a query")
	g.leave()
	closed := make(chan bool)
	go func() { closed <- g.close() }()
	require.Eventually(t, func() bool { return g.state.Load()&1 == 1 }, time.Second, time.Microsecond)
	require.False(t, g.enter(), "no way in while it waits")
	select {
	case <-closed:
		require.Fail(t, "closed with a query within")
	default:
	}
	g.leave()
	require.True(t, <-closed)
	require.False(t, g.close(), "the second time")

	idle := newGate()
	require.True(t, idle.close())
}

func TestGateUnderLoad(t *testing.T) {
	for range 200 {
		g := newGate()
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for g.enter() {
					if g.enter() {
						g.leave()
					}
					g.leave()
				}
			})
		}
		require.True(t, g.close())
		require.EqualValues(t, 1, g.state.Load())
		group.Wait()
	}
}
