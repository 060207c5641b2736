package batch

import (
	"context"
	"testing"

	"github.com/fourway-routing/fourway/routing"
	"github.com/stretchr/testify/require"
)

func TestPanicIsAFailure(t *testing.T) {
	w := worker{data: &held[*routing.Engine]{value: new(routing.Engine)}}
	w.startBundle()
	before := w.session
	failed, err := w.attempt(t.Context(), 0, func(context.Context, *routing.Session) error { panic("broken") })
	require.NoError(t, err)
	require.Equal(t, CodePanic, failed.Code)
	require.Contains(t, failed.Message, "broken")
	require.NotSame(t, before, w.session)
}
