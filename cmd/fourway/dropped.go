package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"

	"github.com/fourway-routing/fourway/routing"
)

// printDropped prints what the extraction counted, one reason a line.
func printDropped(w io.Writer, report *routing.BuildReport) {
	x := &report.Extract
	fmt.Fprintf(w, "read %d nodes, %d ways, %d relations; used %d ways and %d turn restrictions\n",
		x.Nodes, x.Ways, x.Relations, x.UsedWays, x.AppliedRestrictions)
	fmt.Fprintf(w, "made %d search nodes (%d of them copies for restrictions) and %d search edges\n",
		x.SearchNodes, x.Copies, x.SearchEdges)
	if x.Areas > 0 {
		fmt.Fprintf(w, "made %d ways across %d open areas\n", x.AreaWays, x.Areas)
	}
	dropped := reflect.ValueOf(x.Dropped)
	for i := range dropped.NumField() {
		if n := dropped.Field(i).Int(); n > 0 {
			fmt.Fprintf(w, "left out or changed: %s %d\n", words(dropped.Type().Field(i).Name), n)
		}
	}
}

// words turns "MissingNodes" into "missing nodes".
func words(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
