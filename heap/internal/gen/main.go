// Command gen writes the monomorphic heaps and index storages of package heap
// from the generic sources. Run it through go generate in the package's folder.
package main

import (
	"fmt"
	"os"
)

func main() {
	files, err := generate(".")
	if err == nil {
		for _, f := range files {
			if err = os.WriteFile(f.name, f.text, 0o666); err != nil {
				break
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}
