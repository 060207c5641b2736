package text

import (
	"strconv"
	"strings"
)

// category is a class of numbers that a language counts alike.
type category string

// The categories that files may name, in the order in which they are tried;
// what none of them takes is other.
var categories = [...]category{"zero", "one", "two", "few", "many"}

const other category = "other"

// number is what rules ask about.
type number struct {
	value    float64 // n
	whole    int     // i: n without its decimals
	decimals int     // v: how many are shown
}

func integer(n int) number { return number{float64(n), n, 0} }

// rule is a condition on a number in disjunctive form: any of the lists, of which
// all relations hold.
type rule [][]relation

// relation compares an operand, modulo a number unless that is 0, to ranges.
type relation struct {
	operand byte // n, i or v
	modulo  int
	not     bool
	ranges  [][2]int // both ends count
}

// parseRule reads a rule: relations joined by "and", these by "or".
func parseRule(text string) (rule, error) {
	var r rule
	for _, some := range strings.Split(text, " or ") {
		var all []relation
		for _, one := range strings.Split(some, " and ") {
			rel, what := parseRelation(one)
			if what != "" {
				return nil, &syntaxError{text, max(0, strings.Index(text, one)), what}
			}
			all = append(all, rel)
		}
		r = append(r, all)
	}
	return r, nil
}

// parseRelation reads "n % 10 = 2..4,7"; what is wrong is returned.
func parseRelation(text string) (r relation, what string) {
	left, right, ok := strings.Cut(text, "=")
	if !ok {
		return r, "no = in the relation"
	}
	left, r.not = strings.CutSuffix(left, "!")
	operand, modulo, divided := strings.Cut(left, "%")
	switch operand = strings.TrimSpace(operand); operand {
	case "n", "i", "v":
		r.operand = operand[0]
	default:
		return r, "the operand is not n, i or v"
	}
	if divided {
		m, err := strconv.Atoi(strings.TrimSpace(modulo))
		if err != nil || m <= 0 {
			return r, "not a number to divide by"
		}
		r.modulo = m
	}
	for _, item := range strings.Split(right, ",") {
		low, high, ranged := strings.Cut(item, "..")
		if !ranged {
			high = low
		}
		a, err := strconv.Atoi(strings.TrimSpace(low))
		b, err2 := strconv.Atoi(strings.TrimSpace(high))
		if err != nil || err2 != nil || b < a {
			return r, "not a range of numbers"
		}
		r.ranges = append(r.ranges, [2]int{a, b})
	}
	return r, ""
}

func (r rule) holds(n number) bool {
	for _, all := range r {
		holds := true
		for i := range all {
			holds = holds && all[i].holds(n)
		}
		if holds {
			return true
		}
	}
	return false
}

func (r *relation) holds(n number) bool {
	v := n.whole
	switch r.operand {
	case 'v':
		v = n.decimals
	case 'n':
		if n.value != float64(n.whole) {
			return r.not // a broken number is in no range
		}
	}
	if r.modulo > 0 {
		v %= r.modulo
	}
	for _, x := range r.ranges {
		if v >= x[0] && v <= x[1] {
			return !r.not
		}
	}
	return r.not
}

// rules tell the categories of numbers.
type rules map[category]rule

func (r rules) of(n number) category {
	for _, c := range categories {
		if one, ok := r[c]; ok && one.holds(n) {
			return c
		}
	}
	return other
}

// counted is a phrase by category, with {n} for the number.
type counted map[category]template

// render appends the phrase for a number, which is written as digits.
func (c counted) render(dst []byte, by category, digits string) []byte {
	t, ok := c[by]
	if !ok {
		t = c[other]
	}
	dst, _ = t.render(dst, func(string) string { return digits })
	return dst
}
