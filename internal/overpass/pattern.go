package overpass

import (
	"errors"
	"regexp"
	"regexp/syntax"
)

const (
	// maxPatternText is the most bytes that the patterns of a query have together.
	maxPatternText = 4 << 10
	// maxPatternSize bounds what a pattern becomes once its repetitions are written
	// out, in about 16 bytes.
	maxPatternSize = 100_000
)

var errPatternSize = errors.New("it is too large once its repetitions are written out")

// pattern is a regular expression, in RE2's syntax.
type pattern struct{ re *regexp.Regexp }

func newPattern(text string, foldCase bool) (*pattern, error) {
	if foldCase {
		text = "(?i)" + text
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	if patternSize(tree) > maxPatternSize {
		return nil, errPatternSize
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	return &pattern{re}, nil
}

// patternSize estimates the size of a pattern, in instructions and ranges of characters.
func patternSize(tree *syntax.Regexp) int64 {
	size := int64(1 + len(tree.Rune))
	for _, sub := range tree.Sub {
		size += patternSize(sub)
	}
	if tree.Op == syntax.OpRepeat {
		size *= int64(max(tree.Min, tree.Max, 1))
	}
	return min(size, 1<<40)
}

func (p *pattern) match(text []byte) bool { return p.re.Match(text) }
