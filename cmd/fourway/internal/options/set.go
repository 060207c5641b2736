package options

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Set is a list of options in groups.
type Set struct {
	groups     []*Group
	options    []*option
	positional string
}

// New returns an empty Set.
func New() *Set { return new(Set) }

// Group is a part of the options, which Usage shows under a title.
type Group struct {
	set     *Set
	title   string
	hidden  bool
	options []*option
}

// Group adds a group.
func (s *Set) Group(title string) *Group {
	g := &Group{set: s, title: title}
	s.groups = append(s.groups, g)
	return g
}

// Hidden adds a group that Usage does not show.
func (s *Set) Hidden() *Group {
	g := s.Group("")
	g.hidden = true
	return g
}

// Positional makes the first positional argument a value of the option with the
// given long name. There can be no second one.
func (s *Set) Positional(name string) { s.positional = name }

// option is one option.
type option struct {
	long, short string // without dashes; short may be empty
	help        string
	standard    string // the default, for Usage
	// The words after the option that are its values, at least and at most.
	// Where words between them would follow, see words.
	least, most int
	// word says whether a word that may be a value is one; nil for all.
	word func(string) bool
	// repeats allows the option more than once.
	repeats bool
	given   bool
	// set takes the values; with least 0 it is called without one for an option
	// that stands alone.
	set func(values []string) error
}

// add adds an option named "long" or "long,s".
func (g *Group) add(spec, help string) *option {
	o := &option{help: help}
	o.long, o.short, _ = strings.Cut(spec, ",")
	g.options = append(g.options, o)
	g.set.options = append(g.set.options, o)
	return o
}

// Given says whether the command line has the option with the given long name.
func (s *Set) Given(long string) bool {
	return slices.ContainsFunc(s.options, func(o *option) bool { return o.long == long && o.given })
}

// Flag adds an option without a value.
func Flag(g *Group, spec, help string) *bool {
	v := new(bool)
	o := g.add(spec, help)
	o.set = func([]string) error {
		*v = true
		return nil
	}
	return v
}

// Add adds an option with one value, which parse reads.
func Add[T any](g *Group, spec string, standard T, parse func(string) (T, error), help string) *T {
	v := &standard
	o := g.add(spec, help)
	o.standard = strings.Trim(fmt.Sprint(standard), "[]")
	o.least, o.most = 1, 1
	o.set = func(values []string) (err error) {
		*v, err = parse(values[0])
		return err
	}
	return v
}

// Switch adds an option that is true if it stands alone, and may have the value
// of a Bool.
func Switch(g *Group, spec string, standard bool, help string) *bool {
	v := Add(g, spec, standard, Bool, help)
	o := g.options[len(g.options)-1]
	o.standard = fmt.Sprintf("%d", map[bool]int{true: 1}[standard])
	o.least = 0
	// A word that is no value is the next argument: "--mmap data.osrm".
	o.word = func(s string) bool {
		_, err := Bool(s)
		return err == nil && s != ""
	}
	one := o.set
	o.set = func(values []string) error {
		if len(values) == 0 {
			*v = true
			return nil
		}
		return one(values)
	}
	return v
}

// List adds an option that may be given more than once, with one value each time.
func List[T any](g *Group, spec string, parse func(string) (T, error), help string) *[]T {
	v := new([]T)
	o := g.add(spec, help)
	o.least, o.most = 1, 1
	o.repeats = true
	o.set = func(values []string) error {
		for _, text := range values {
			value, err := parse(text)
			if err != nil {
				return err
			}
			*v = append(*v, value)
		}
		return nil
	}
	return v
}

// Words adds an option with one value or more: words that parse reads, up to one
// that it does not.
func Words[T any](g *Group, spec string, parse func(string) (T, error), help string) *[]T {
	v := List(g, spec, parse, help)
	o := g.options[len(g.options)-1]
	o.most = math.MaxInt
	o.repeats = false
	o.word = func(s string) bool {
		_, err := parse(s)
		return err == nil
	}
	return v
}
