package reference

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Shells are those that Completion knows.
func Shells() []string { return []string{"bash", "fish", "zsh"} }

// Completion writes the script that completes command lines in a shell: names of
// commands, flags and their values, and else of files.
func Completion(w io.Writer, app *kong.Application, shell string) error {
	var b strings.Builder
	switch shell {
	case "bash":
		bash(&b, app)
	case "zsh":
		// zsh runs what is written for bash.
		b.WriteString("#compdef " + app.Name + "\nautoload -U +X bashcompinit && bashcompinit\n")
		bash(&b, app)
	case "fish":
		fish(&b, app)
	default:
		return fmt.Errorf("there is no completion for %q, only for %s", shell, strings.Join(Shells(), ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// values are those that a flag can have, if they are few.
func values(f *kong.Flag) []string {
	if f.Enum == "" {
		return nil
	}
	return f.EnumSlice()
}

func bash(b *strings.Builder, app *kong.Application) {
	fn := "_" + app.Name
	fmt.Fprintf(b, "%s() {\n\tlocal current=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n\tCOMPREPLY=()\n", fn)
	b.WriteString("\tif ((COMP_CWORD == 1)); then\n")
	var names []string
	for _, n := range commands(app) {
		names = append(names, n.Name)
	}
	fmt.Fprintf(b, "\t\tCOMPREPLY=($(compgen -W '%s --help' -- \"$current\"))\n\t\treturn\n\tfi\n", strings.Join(names, " "))
	b.WriteString("\tcase \"${COMP_WORDS[1]}\" in\n")
	for _, n := range commands(app) {
		fmt.Fprintf(b, "\t%s)\n", n.Name)
		var words []string
		open := false
		for _, f := range flags(n) {
			words = append(words, spellings(f)...)
			if v := values(f); len(v) > 0 {
				if !open {
					b.WriteString("\t\tcase \"$before\" in\n")
					open = true
				}
				fmt.Fprintf(b, "\t\t%s) COMPREPLY=($(compgen -W '%s' -- \"$current\")); return ;;\n",
					strings.Join(spellings(f), "|"), strings.Join(v, " "))
			}
		}
		if open {
			b.WriteString("\t\tesac\n")
		}
		slices.Sort(words)
		fmt.Fprintf(b, "\t\tif [[ $current == -* ]]; then COMPREPLY=($(compgen -W '%s' -- \"$current\")); return; fi\n\t\t;;\n", strings.Join(words, " "))
	}
	fmt.Fprintf(b, "\tesac\n\tCOMPREPLY=($(compgen -f -- \"$current\"))\n}\ncomplete -o filenames -o bashdefault -F %s %s\n", fn, app.Name)
}

func fish(b *strings.Builder, app *kong.Application) {
	quote := func(s string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(help(s)) + "'"
	}
	for _, n := range commands(app) {
		fmt.Fprintf(b, "complete -c %s -n __fish_use_subcommand -f -a %s -d %s\n", app.Name, n.Name, quote(n.Help))
		for _, f := range flags(n) {
			fmt.Fprintf(b, "complete -c %s -n '__fish_seen_subcommand_from %s' -l %s", app.Name, n.Name, f.Name)
			if f.Short != 0 {
				fmt.Fprintf(b, " -s %c", f.Short)
			}
			if v := values(f); len(v) > 0 {
				fmt.Fprintf(b, " -x -a '%s'", strings.Join(v, " "))
			} else if !f.IsBool() {
				b.WriteString(" -r")
			}
			fmt.Fprintf(b, " -d %s\n", quote(f.Help))
		}
	}
}
