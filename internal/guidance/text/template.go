package text

import (
	"fmt"
	"strings"
)

// template is a parsed sentence: alternatives of sequences of pieces.
type template [][]piece

// piece is plain text, a slot to fill, or alternatives.
type piece struct {
	text  string
	slot  string
	group template
}

// maxDepth bounds the nesting of brackets.
const maxDepth = 16

// syntaxError says where a template or a rule is malformed.
type syntaxError struct {
	text   string
	offset int
	what   string
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("text: %q: byte %d: %s", e.text, e.offset, e.what)
}

// parseTemplate reads a template.
func parseTemplate(text string) (template, error) {
	p := templateParser{text: text}
	t, err := p.alternatives(0)
	if err != nil {
		return nil, err
	}
	if p.at < len(text) {
		return nil, p.fail("bracket without a beginning")
	}
	return t, nil
}

type templateParser struct {
	text string
	at   int
}

func (p *templateParser) fail(what string) error { return &syntaxError{p.text, p.at, what} }

// alternatives reads up to a closing bracket or the end.
func (p *templateParser) alternatives(depth int) (template, error) {
	if depth > maxDepth {
		return nil, p.fail("brackets too deep")
	}
	t := template{nil}
	var plain strings.Builder
	add := func(more ...piece) {
		last := &t[len(t)-1]
		if plain.Len() > 0 {
			*last = append(*last, piece{text: plain.String()})
			plain.Reset()
		}
		*last = append(*last, more...)
	}
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case '\\':
			if p.at++; p.at == len(p.text) {
				return nil, p.fail("nothing after the backslash")
			}
			plain.WriteByte(p.text[p.at])
		case '{':
			slot, _, ok := strings.Cut(p.text[p.at+1:], "}")
			if !ok || slot == "" || strings.ContainsAny(slot, `{[|]\`) {
				return nil, p.fail("no name in braces")
			}
			add(piece{slot: slot})
			p.at += len(slot) + 1
		case '}':
			return nil, p.fail("brace without a beginning")
		case '|':
			add()
			t = append(t, nil)
		case '[':
			p.at++
			group, err := p.alternatives(depth + 1)
			if err != nil {
				return nil, err
			}
			if p.at == len(p.text) {
				return nil, p.fail("bracket without an end")
			}
			add(piece{group: group})
		case ']':
			add()
			return t, nil
		default:
			plain.WriteByte(c)
		}
	}
	add()
	return t, nil
}

// String returns a text that parses to the template.
func (t template) String() string {
	var b strings.Builder
	for i, pieces := range t {
		if i > 0 {
			b.WriteByte('|')
		}
		for _, p := range pieces {
			switch {
			case p.group != nil:
				b.WriteString("[" + p.group.String() + "]")
			case p.slot != "":
				b.WriteString("{" + p.slot + "}")
			default:
				b.WriteString(escaper.Replace(p.text))
			}
		}
	}
	return b.String()
}

var escaper = strings.NewReplacer(`\`, `\\`, "{", `\{`, "}", `\}`, "[", `\[`, "]", `\]`, "|", `\|`)

// render appends the first alternative that value fills to dst, and says whether
// there is one. An empty value does not fill a slot.
func (t template) render(dst []byte, value func(slot string) string) ([]byte, bool) {
	start := len(dst)
	for _, pieces := range t {
		filled := true
		for _, p := range pieces {
			switch {
			case p.group != nil:
				dst, _ = p.group.render(dst, value)
			case p.slot != "":
				v := value(p.slot)
				dst, filled = append(dst, v...), v != ""
			default:
				dst = append(dst, p.text...)
			}
			if !filled {
				break
			}
		}
		if filled {
			return dst, true
		}
		dst = dst[:start]
	}
	return dst, false
}

// slots calls yield for the slots of the template.
func (t template) slots(yield func(string)) {
	for _, pieces := range t {
		for _, p := range pieces {
			p.group.slots(yield)
			if p.slot != "" {
				yield(p.slot)
			}
		}
	}
}
