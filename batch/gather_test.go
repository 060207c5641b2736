package batch_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/stretchr/testify/require"
)

// gathered are the elements of collections, by number of the collection: Prism runs
// functions in this process.
var gathered struct {
	sync.Mutex
	lists [][]string
}

func init() { beam.RegisterDoFn(&gatherFn{}) }

type gatherFn struct{ Number int }

func (f *gatherFn) ProcessElement(line string) {
	gathered.Lock()
	defer gathered.Unlock()
	gathered.lists[f.Number] = append(gathered.lists[f.Number], line)
}

// gather returns what tells the elements of a collection after the pipeline has run,
// in no order.
func gather[T any](s beam.Scope, c beam.PCollection) func(testing.TB) []T {
	gathered.Lock()
	defer gathered.Unlock()
	number := len(gathered.lists)
	gathered.lists = append(gathered.lists, nil)
	beam.ParDo0(s, &gatherFn{number}, beam.ParDo(s, toLine, c))
	return func(t testing.TB) []T {
		gathered.Lock()
		defer gathered.Unlock()
		all := make([]T, len(gathered.lists[number]))
		for i, line := range gathered.lists[number] {
			require.NoError(t, json.Unmarshal([]byte(line), &all[i]))
		}
		return all
	}
}

func init() { register.Function1x2(toLine) }

func toLine(v beam.T) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}
