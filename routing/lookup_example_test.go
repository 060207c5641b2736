package routing_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"testing/fstest"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/routing"
)

// openTagged builds the crossing with its tags, in memory.
func openTagged() *routing.Engine {
	files := fstest.MapFS{}
	if _, err := routing.Build(context.Background(), routing.BuildOptions{
		Reader: crossing(), Output: "crossing", Tags: true,
		Create: func(name string) (io.WriteCloser, error) {
			return &memoryFile{keep: func(b []byte) { files[name] = &fstest.MapFile{Data: b} }}, nil
		},
	}); err != nil {
		log.Fatal(err)
	}
	engine, err := routing.Open("crossing", routing.Options{FS: files})
	if err != nil {
		log.Fatal(err)
	}
	return engine
}

// The ways of a node, with their tags.
func ExampleLookup() {
	engine := openTagged()
	defer engine.Close()
	res, err := routing.Lookup(context.Background(), engine, routing.LookupRequest{WaysOf: []int64{3}})
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range res.Ways {
		fmt.Println(len(w.Nodes), w.Tags)
	}
	// Output: 5 [{highway primary} {name abcde}]
}

// Look-ups that allocate nothing of their own.
func ExampleEngine_Elements() {
	engine := openTagged()
	defer engine.Close()
	err := engine.Elements(context.Background(), func(x *graph.Elements) error {
		p, ok := x.FindNode(3)
		fmt.Println(ok, len(x.WaysOf(p)), engine.Tagged())
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: true 1 true
}

// A query in the Overpass language.
func ExampleAppendOverpass() {
	engine := openTagged()
	defer engine.Close()
	query, err := routing.ParseOverpass(`[out:json];way["highway"];out count;`)
	if err != nil {
		log.Fatal(err)
	}
	answer, err := routing.AppendOverpass(context.Background(), engine, nil, query, routing.OverpassLimits{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", answer)
	// Output:
	// {"version":0.6,"generator":"Fourway","osm3s":{"copyright":"© OpenStreetMap contributors (www.openstreetmap.org/copyright); the data is available under the Open Database License."},"elements":[
	// {"type":"count","id":0,"tags":{"nodes":"0","ways":"2","relations":"0","total":"2"}}
	// ]}
}

// What there is not is told by name and place.
func ExampleParseOverpass() {
	_, err := routing.ParseOverpass("node(1);\nrel(2);")
	fmt.Println(err)
	// Output: line 2: static error: the statement "rel" is not supported (column 1)
}
