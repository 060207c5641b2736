package pool

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKinds(t *testing.T) {
	for kind := range Dropping + 1 {
		t.Run(kind.String(), func(t *testing.T) {
			text, err := kind.MarshalText()
			require.NoError(t, err)
			var back Kind
			require.NoError(t, back.UnmarshalText(text))
			require.Equal(t, kind, back)

			a := NewKind(kind)
			require.Equal(t, kind, a.Kind())
			s := Make[uint32](a, 20)
			require.Equal(t, int64(128), a.Live())
			Free(a, s)
			// A block that comes back from elsewhere is as long as its class.
			require.Equal(t, 32, cap(Make[uint32](a, 17)))
			for i, v := range MakeZeroed[uint32](a, 30) {
				require.Zero(t, v, i)
			}
			if kind != FreeLists {
				require.Equal(t, a.Live(), a.Held())
				a.Trim(0)
			}
			a.Reset()
			require.Zero(t, a.Live())
		})
	}
}

func TestUnknownKind(t *testing.T) {
	k := Dropping + 1
	require.False(t, k.Valid())
	require.Equal(t, "Kind(4)", k.String())
	_, err := k.MarshalText()
	require.Error(t, err)
	require.ErrorContains(t, k.UnmarshalText([]byte("arena")), "arena")
}
