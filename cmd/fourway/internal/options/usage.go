package options

import (
	"fmt"
	"io"
	"strings"
)

// Columns of Usage.
const (
	nameColumn = 40
	width      = 80
)

// Usage writes a line and then all options that are not hidden.
func (s *Set) Usage(w io.Writer, line string) error {
	var b strings.Builder
	b.WriteString(line + ":\n")
	for _, g := range s.groups {
		if g.hidden {
			continue
		}
		b.WriteString("\n" + g.title + ":\n")
		for _, o := range g.options {
			o.describe(&b)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (o *option) describe(b *strings.Builder) {
	name := "--" + o.long
	if o.short != "" {
		name = fmt.Sprintf("-%s [ --%s ]", o.short, o.long)
	}
	switch {
	case o.most == 0:
	case o.least == 0:
		name += fmt.Sprintf(" [=arg(=1)] (=%s)", o.standard)
	case o.standard != "":
		name += fmt.Sprintf(" arg (=%s)", o.standard)
	default:
		name += " arg"
	}
	name = "  " + name
	column := nameColumn
	if len(name) >= nameColumn {
		b.WriteString(name + "\n")
		name = ""
	}
	line := name + strings.Repeat(" ", column-len(name))
	empty := true
	for _, word := range strings.Fields(o.help) {
		if !empty && len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line, empty = strings.Repeat(" ", column), true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}
