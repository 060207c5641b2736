package extract

import (
	"iter"
	"strings"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/hours"
	"github.com/fourway-routing/fourway/profile"
)

// relationRestriction is a turn restriction as a relation tells it.
type relationRestriction struct {
	relation int64
	from, to int64 // ways
	// via is a node if viaWays is empty.
	via     int64
	viaWays []int64
	// only makes every other turn forbidden, else this one is.
	only bool
	// condition is the text after the @ of conditional restrictions: opening
	// hours.
	condition string
	// told makes it no restriction but says what to tell on the same path.
	told *toldManeuver
}

// restrictionReader reads relations as turn restrictions. It is immutable.
type restrictionReader struct {
	use          bool
	conditionals bool
	keys         map[string]bool // true: conditional
	modes        map[string]bool
}

func newRestrictionReader(p *profile.Properties, conditionals bool) *restrictionReader {
	r := &restrictionReader{
		use: p.UseTurnRestrictions, conditionals: conditionals,
		keys:  map[string]bool{"restriction": false, "restriction:conditional": true},
		modes: make(map[string]bool, len(p.Restrictions)),
	}
	for _, mode := range p.Restrictions {
		r.keys["restriction:"+mode] = false
		r.keys["restriction:"+mode+":conditional"] = true
		r.modes[mode] = true
	}
	return r
}

// append reads a relation and appends the restrictions that it makes: more
// than one where several roads may not be entered from, or exited to.
func (r *restrictionReader) append(dst []relationRestriction, rel *osmfile.Relation) ([]relationRestriction, RestrictionFault) {
	if !r.use {
		return dst, restrictionNone
	}
	rule, fault := r.rule(rel.Tags)
	if fault != restrictionFine {
		return dst, fault
	}
	return rule.append(dst, rel)
}

// restrictionRule is what the tags of a restriction say.
type restrictionRule struct {
	only, manyFrom, manyTo bool
	condition              string
}

// rule reads tags in the order in which they stand; where several keys apply,
// the last decides.
func (r *restrictionReader) rule(tags osm.Tags) (rule restrictionRule, fault RestrictionFault) {
	found, skipped := false, false
	for _, tag := range tags {
		conditional, known := r.keys[tag.Key]
		if !known {
			continue
		}
		if conditional && !r.conditionals {
			skipped = true
			continue
		}
		found = true
	}
	switch {
	case !found && skipped:
		return rule, restrictionConditional
	case !found:
		return rule, restrictionNone
	case r.excepted(tags.Find("except")):
		return rule, restrictionExcepted
	}
	for _, tag := range tags {
		conditional, known := r.keys[tag.Key]
		if !known || conditional && !r.conditionals {
			continue
		}
		switch value := tag.Value; {
		case strings.HasPrefix(value, "only_"):
			rule.only = true
		case strings.HasPrefix(value, "no_") && !strings.HasSuffix(value, "_on_red"):
			rule.only = false
			rule.manyTo = rule.manyTo || strings.HasPrefix(value, "no_exit")
			rule.manyFrom = rule.manyFrom || strings.HasPrefix(value, "no_entry")
		default:
			return rule, restrictionUnknownValue
		}
		if !r.conditionals {
			continue
		}
		if condition, ok := conditionOf(tag.Value); ok {
			if _, err := hours.Parse(condition); err != nil {
				return rule, restrictionUnreadCondition
			}
			rule.condition = condition
		}
	}
	return rule, restrictionFine
}

// conditionOf returns the condition of a value such as "no_left_turn @ (Mo-Fr
// 07:00-09:00; Sa)", without its parentheses. Of a list of values, each with its
// condition, those count that forbid or demand as the first does, and any of their
// conditions is enough. It reports false if there is none.
func conditionOf(value string) (condition string, ok bool) {
	only := strings.HasPrefix(value, "only_")
	open, skipped := false, false // the condition before goes on; it does not count
	for part := range parts(value) {
		restriction, c, found := strings.Cut(part, "@")
		if !found {
			if open && !skipped {
				condition += ";" + part
			}
			continue
		}
		c, enclosed := unwrap(strings.TrimSpace(c))
		open, skipped = !enclosed, strings.HasPrefix(strings.TrimSpace(restriction), "only_") != only
		switch {
		case skipped:
		case ok:
			condition += "; " + c
		default:
			condition, ok = c, true
		}
	}
	return condition, ok
}

// unwrap takes parentheses around the whole of a text away, the last of which may
// be missing.
func unwrap(text string) (inner string, enclosed bool) {
	if !strings.HasPrefix(text, "(") {
		return text, false
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(text)-1 {
			return text, false
		}
	}
	return strings.TrimSpace(strings.TrimSuffix(text[1:], ")")), true
}

// parts returns what semicolons separate outside of parentheses.
func parts(value string) iter.Seq[string] {
	return func(yield func(string) bool) {
		depth, start := 0, 0
		for i := range len(value) {
			switch value[i] {
			case '(':
				depth++
			case ')':
				depth--
			case ';':
				if depth > 0 {
					continue
				}
				if !yield(value[start:i]) {
					return
				}
				start = i + 1
			}
		}
		yield(value[start:])
	}
}

// excepted tells whether the list of modes in an except tag names one of the
// profile's.
func (r *restrictionReader) excepted(list string) bool {
	for more := list != ""; more; {
		var mode string
		mode, list, more = strings.Cut(list, ";")
		if r.modes[mode] {
			return true
		}
	}
	return false
}

// append pairs each way to come from with each to go to. Of a node and ways
// in between, the member that stands last decides.
func (rule *restrictionRule) append(dst []relationRestriction, rel *osmfile.Relation) ([]relationRestriction, RestrictionFault) {
	var from, to, viaWays []int64
	var via int64
	hasNode, byNode := false, true
	for _, m := range rel.Members {
		switch {
		case m.Type == osm.TypeNode && m.Role == "via":
			via, hasNode, byNode = m.Ref, true, true
		case m.Type != osm.TypeWay:
		case m.Role == "from":
			from = append(from, m.Ref)
		case m.Role == "to":
			to = append(to, m.Ref)
		case m.Role == "via":
			viaWays = append(viaWays, m.Ref)
			byNode = false
		}
	}
	switch {
	case len(from) == 0 || len(to) == 0 || !hasNode && len(viaWays) == 0:
		return dst, restrictionMembersMissing
	case len(from) > 1 && !rule.manyFrom || len(to) > 1 && !rule.manyTo:
		return dst, restrictionTooManyMembers
	}
	if byNode {
		viaWays = nil
	}
	for _, f := range from {
		for _, t := range to {
			dst = append(dst, relationRestriction{
				relation: int64(rel.ID), from: f, to: t, via: via, viaWays: viaWays,
				only: rule.only, condition: rule.condition,
			})
		}
	}
	return dst, restrictionFine
}
