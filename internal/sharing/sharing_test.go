package sharing

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOwn(t *testing.T) {
	list := []int32{1, 2, 3}
	require.Equal(t, int64(12), Own(list, nil))
	require.Equal(t, int64(12), Own(list, []int32{1, 2, 3}))
	require.Zero(t, Own(list, list))
	require.Zero(t, Own(nil, list))
	require.Equal(t, int64(48), Own(make([][2]uint64, 3), nil))
}
