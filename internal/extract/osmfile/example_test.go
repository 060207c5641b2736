package osmfile_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/fourway-routing/fourway/internal/extract/osmfile"
)

// Two passes, as an extraction makes them: ways first, then the nodes they need.
func ExampleFile_Scan() {
	const text = `<osm version="0.6">
		<node id="1" lat="39.1" lon="-75.5"/>
		<node id="2" lat="39.2" lon="-75.5"><tag k="highway" v="stop"/></node>
		<node id="3" lat="0" lon="0"/>
		<way id="7"><nd ref="1"/><nd ref="2"/><tag k="highway" v="primary"/></way>
	</osm>`
	f, err := osmfile.OpenReaderAt(strings.NewReader(text), int64(len(text)), "example.osm")
	if err != nil {
		log.Fatal(err)
	}
	needed := make(map[int64]bool)
	ways := func(b *osmfile.Block) error {
		for i := range b.Ways {
			for _, ref := range b.Ways[i].Refs {
				needed[int64(ref)] = true
			}
		}
		return nil
	}
	nodes := func(b *osmfile.Block) error {
		for row, id := range b.NodeIDs {
			if needed[int64(id)] {
				fmt.Println(id, b.Lons[row], b.Lats[row])
			}
		}
		for _, n := range b.Nodes {
			fmt.Println(n.ID, n.Tags.Find("highway"))
		}
		return nil
	}
	if _, err := f.Scan(context.Background(), osmfile.Options{Want: osmfile.Ways}, osmfile.Handler{Ordered: ways}); err != nil {
		log.Fatal(err)
	}
	if _, err := f.Scan(context.Background(), osmfile.Options{Want: osmfile.Nodes}, osmfile.Handler{Ordered: nodes}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 -75500000 39100000
	// 2 -75500000 39200000
	// 2 stop
}
