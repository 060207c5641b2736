package overpass

import "regexp"

// pattern is a regular expression, in RE2's syntax. An empty one matches all.
type pattern struct{ re *regexp.Regexp }

func newPattern(text string, foldCase bool) (*pattern, error) {
	if foldCase {
		text = "(?i)" + text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	return &pattern{re}, nil
}

func (p *pattern) match(text []byte) bool { return p.re.Match(text) }
