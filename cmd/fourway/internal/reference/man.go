package reference

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// Man writes a page of section 1 of the manual, in roff's language man. The version
// stands at its foot, notes at its end.
func Man(w io.Writer, app *kong.Application, version, notes string) error {
	var b strings.Builder
	title := strings.ToUpper(app.Name)
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"%s %s\" \"User Commands\"\n", title, roff(app.Name), roff(version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(app.Name), roff(strings.TrimSuffix(help(app.Help), ".")))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n.I COMMAND\n[\\fIFLAGS\\fR] [\\fIARGUMENTS\\fR]\n", roff(app.Name))
	b.WriteString(".SH COMMANDS\n")
	for _, n := range commands(app) {
		fmt.Fprintf(&b, ".SS %s %s\n", roff(app.Name), roff(n.Summary()))
		fmt.Fprintf(&b, "%s\n", paragraph(n.Help))
		for _, p := range n.Positional {
			item(&b, "\\fI"+roff(strings.Trim(p.Summary(), "<>[]"))+"\\fR", p.Help)
		}
		for _, f := range flags(n) {
			if f.Name == "help" {
				continue
			}
			var names []string
			for _, s := range spellings(f) {
				names = append(names, "\\fB"+roff(s)+"\\fR")
			}
			label := strings.Join(names, ", ")
			if !f.IsBool() {
				label += " \\fI" + roff(f.FormatPlaceHolder()) + "\\fR"
			}
			item(&b, label, f.Help)
		}
		detail(&b, n.Detail)
	}
	if notes != "" {
		fmt.Fprintf(&b, ".SH NOTES\n%s\n", paragraph(notes))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// detail writes paragraphs; indented ones are kept as they are.
func detail(b *strings.Builder, text string) {
	for _, p := range strings.Split(text, "\n\n") {
		switch {
		case strings.HasPrefix(p, "    "):
			b.WriteString(".IP\n.EX\n")
			for line := range strings.SplitSeq(p, "\n") {
				fmt.Fprintf(b, "%s\n", paragraph(line))
			}
			b.WriteString(".EE\n")
		case p != "":
			fmt.Fprintf(b, ".PP\n%s\n", paragraph(p))
		}
	}
}

func item(b *strings.Builder, label, text string) {
	fmt.Fprintf(b, ".TP\n%s\n%s\n", label, paragraph(text))
}

// paragraph is text that roff fills.
func paragraph(s string) string {
	s = roff(help(s))
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s // it would be a request
	}
	return s
}

// roff quotes what is special to roff.
func roff(s string) string { return strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(s) }
