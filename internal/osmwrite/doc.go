// Package osmwrite writes OpenStreetMap files in the PBF format, element by
// element and in bounded memory: the made-up networks that tests and measurements
// run on.
//
//	w := osmwrite.New(file, osmwrite.Options{Generator: "example"})
//	w.Node(1, 6e7, 45e7, nil)
//	w.Node(2, 6.001e7, 45e7, nil)
//	w.Way(1, []int64{1, 2}, []string{"highway", "residential"})
//	err := w.Close()
//
// The file is sorted by kind and id, and says so: elements come in that order. The
// same elements give the same bytes.
//
// A Writer belongs to one goroutine.
package osmwrite
