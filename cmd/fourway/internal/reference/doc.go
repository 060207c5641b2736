// Package reference writes what a command line can do in the forms in which systems
// want it: completion for shells, and a page of the manual.
package reference

import (
	"strings"

	"github.com/alecthomas/kong"
)

// commands returns the subcommands that are shown, in their order.
func commands(app *kong.Application) []*kong.Node {
	var shown []*kong.Node
	for _, n := range app.Children {
		if n.Type == kong.CommandNode && !n.Hidden {
			shown = append(shown, n)
		}
	}
	return shown
}

// flags returns the flags of a command that are shown, those of all commands
// included.
func flags(n *kong.Node) []*kong.Flag {
	var shown []*kong.Flag
	for _, group := range n.AllFlags(true) {
		for _, f := range group {
			if !f.Hidden {
				shown = append(shown, f)
			}
		}
	}
	return shown
}

// spellings returns how a flag may be written.
func spellings(f *kong.Flag) []string {
	all := []string{"--" + f.Name}
	if f.Tag.Negatable != "" {
		all = append(all, "--no-"+f.Name)
	}
	if f.Short != 0 {
		all = append(all, "-"+string(f.Short))
	}
	return all
}

// help returns the help of a command or flag as one line, with what its variables
// stand for.
func help(text string) string { return strings.Join(strings.Fields(text), " ") }
