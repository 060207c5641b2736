package options

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUsage(t *testing.T) {
	var b bytes.Buffer
	e := newExample()
	Add(e.Group("More"), "a-rather-long-name", []int{1, 2}, Sizes, strings.Repeat("words and ", 9)+"words")
	require.NoError(t, e.Usage(&b, "tool <input> [options]"))
	require.Equal(t, `tool <input> [options]:

Options:
  -v [ --version ]                      Version
  -p [ --port ] arg (=5000)             Port
  --max-radius arg (=-1)                Radius
  -n [ --name ] arg                     Name
  -m [ --mmap ] [=arg(=1)] (=0)         Map
  --max-file arg                        Files
  --word arg                            Words

More:
  --a-rather-long-name arg (=1 2)       words and words and words and words and
                                        words and words and words and words and
                                        words and words
`, b.String())
	require.ErrorIs(t, e.Usage(brokenPipe{}, ""), errBroken)
}

var errBroken = errors.New("broken")

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }
