package profile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/graph"
)

// Tuning adapts any of the built-in profiles. What is left zero is as OSRM has
// it. Maps add to what the profile knows and replace its values one by one;
// lists replace those of the profile, an empty one that is not nil too.
type Tuning struct {
	// Name is the short name of the profile, by default that of the vehicle.
	Name string `json:"name"`

	// Speeds are the usual speeds by the value of the highway tag, in km/h. A
	// speed opens a kind of road, 0 closes it where no access tag opens it.
	Speeds map[string]float64 `json:"speeds"`
	// FerrySpeed is in km/h, where a ferry does not tell how long it takes.
	FerrySpeed float64 `json:"ferry_speed"`
	// SurfaceSpeeds, TracktypeSpeeds and SmoothnessSpeeds cap the speed by the
	// values of the tags surface, tracktype and smoothness, in km/h.
	SurfaceSpeeds    map[string]float64 `json:"surface_speeds"`
	TracktypeSpeeds  map[string]float64 `json:"tracktype_speeds"`
	SmoothnessSpeeds map[string]float64 `json:"smoothness_speeds"`

	// Avoid closes ways with one of these tags, each written key=value, or
	// key=* for every value but "no".
	Avoid []string `json:"avoid"`
	// Factors divide the weight of ways by tag, written likewise: 0.5 makes
	// such a way count double, 2 half. Those of several tags multiply. They
	// need a weight that is not the duration.
	Factors map[string]float64 `json:"factors"`
	// Classes are road classes beside those of the profile, by name, with the
	// tags, written likewise, one of which a way must have. There may be
	// MaxClasses in all.
	Classes map[string][]string `json:"classes"`
	// Excludable lists the sets of classes that a request may exclude.
	Excludable [][]string `json:"excludable"`

	// AccessTags are the keys that tell who may use a road, the one that counts
	// most first.
	AccessTags []string `json:"access_tags"`
	// AccessValues tell what the values of these tags mean.
	AccessValues map[string]Access `json:"access_values"`
	// Barriers are values of the barrier tag of nodes that the vehicle passes,
	// or not, unless an access tag decides.
	Barriers map[string]bool `json:"barriers"`
	// Restrictions are the modes whose restriction:<mode> relations apply, and
	// whose except=<mode> lift a restriction, from special to general.
	Restrictions []string `json:"restrictions"`
	// TurnRestrictions tells whether such relations apply at all.
	TurnRestrictions *bool `json:"turn_restrictions"`
	// ContinueStraight forbids turning around at a waypoint unless the request
	// says otherwise.
	ContinueStraight *bool `json:"continue_straight"`
	// LeftHandDriving is the side to assume where a way does not say.
	LeftHandDriving bool `json:"left_hand_driving"`
	// Suffixes are the words that do not tell two road names apart.
	Suffixes []string `json:"suffixes"`

	// UTurnPenalty and SignalPenalty are in seconds.
	UTurnPenalty  *float64 `json:"u_turn_penalty"`
	SignalPenalty *float64 `json:"signal_penalty"`
}

// Access is what the value of an access tag means.
type Access string

// The meanings. AccessIgnored is a value that says nothing.
const (
	AccessYes Access = "yes"
	// AccessDestination lets those in who have business on the road. Only cars
	// know it.
	AccessDestination Access = "destination"
	AccessNo          Access = "no"
	AccessIgnored     Access = "ignored"
)

// set is the meaning as sets.
func (a Access) set() accessSet {
	switch a {
	case AccessYes:
		return accessAllowed
	case AccessDestination:
		return accessForbidden | accessRestricted
	case AccessNo:
		return accessForbidden
	}
	return 0
}

// validate reports what is wrong. The names of road classes are those of the
// vehicle, the meanings those that it tells apart.
func (t *Tuning) validate(f *faults, durationIsWeight bool, classes []string, meanings []Access) {
	f.speeds("Speeds", t.Speeds)
	f.speeds("SurfaceSpeeds", t.SurfaceSpeeds)
	f.speeds("TracktypeSpeeds", t.TracktypeSpeeds)
	f.speeds("SmoothnessSpeeds", t.SmoothnessSpeeds)
	f.atLeast0("FerrySpeed", t.FerrySpeed)
	f.penalty("UTurnPenalty", t.UTurnPenalty)
	f.penalty("SignalPenalty", t.SignalPenalty)
	rule := func(field, s string) {
		if _, err := parseTagRule(s); err != nil {
			f.add(field, "%v", err)
		}
	}
	for _, s := range t.Avoid {
		rule("Avoid", s)
	}
	for _, s := range sortedKeys(t.Factors) {
		rule("Factors", s)
		if v := t.Factors[s]; !(v > 0) || math.IsInf(v, 0) {
			f.add("Factors", "is %v for %q, want a number above 0", v, s)
		}
	}
	if len(t.Factors) > 0 && durationIsWeight {
		f.add("Factors", "need a weight that is not the duration")
	}
	t.validateClasses(f, classes, rule)
	t.validateAccess(f, meanings)
}

func (t *Tuning) validateClasses(f *faults, classes []string, rule func(field, s string)) {
	all := slices.Clone(classes)
	for _, name := range sortedKeys(t.Classes) {
		if name == "" || strings.ContainsAny(name, ",;=? ") || slices.Contains(classes, name) {
			f.add("Classes", "has %q, want a word that is none of %s", name, strings.Join(classes, ", "))
		}
		if len(t.Classes[name]) == 0 {
			f.add("Classes", "has no tags for %q", name)
		}
		for _, s := range t.Classes[name] {
			rule("Classes", s)
		}
		all = append(all, name)
	}
	if len(all) > MaxClasses {
		f.add("Classes", "makes %d road classes, want at most %d: %s", len(all), MaxClasses, strings.Join(all, ", "))
	}
	if len(t.Excludable) > MaxClasses {
		f.add("Excludable", "has %d sets, want at most %d", len(t.Excludable), MaxClasses)
	}
	for _, set := range t.Excludable {
		if len(set) == 0 {
			f.add("Excludable", "has an empty set")
		}
		for _, name := range set {
			if !slices.Contains(all, name) {
				f.add("Excludable", "has %q, want one of %s", name, strings.Join(all, ", "))
			}
		}
	}
}

func (t *Tuning) validateAccess(f *faults, meanings []Access) {
	for _, list := range [...]struct {
		field string
		words []string
	}{{"AccessTags", t.AccessTags}, {"Restrictions", t.Restrictions}, {"Suffixes", t.Suffixes}} {
		if slices.Contains(list.words, "") {
			f.add(list.field, "has an empty word")
		}
	}
	words := make([]string, len(meanings))
	for i, m := range meanings {
		words[i] = string(m)
	}
	for _, value := range sortedKeys(t.AccessValues) {
		if m := t.AccessValues[value]; !slices.Contains(meanings, m) {
			f.add("AccessValues", "is %q for %q, want one of %s", m, value, strings.Join(words, ", "))
		}
	}
}

// apply changes the properties of a vehicle.
func (t *Tuning) apply(p *Properties) {
	p.Classes = append(p.Classes, sortedKeys(t.Classes)...)
	replace(&p.Restrictions, t.Restrictions)
	replace(&p.SuffixList, t.Suffixes)
	if t.Excludable != nil {
		p.Excludable = t.Excludable
	}
	if t.TurnRestrictions != nil {
		p.UseTurnRestrictions = *t.TurnRestrictions
	}
	if t.ContinueStraight != nil {
		p.ContinueStraightAtWaypoint = *t.ContinueStraight
	}
	p.LeftHandDriving = t.LeftHandDriving
	p.UTurnPenalty = *t.UTurnPenalty
}

// replace replaces a list by one that is not nil.
func replace(list *[]string, by []string) {
	if by != nil {
		*list = slices.Clone(by)
	}
}

// tuner is a Tuning made ready for use. It is immutable.
type tuner struct {
	*Tuning
	rules   accessRules
	avoid   []tagRule
	factors []factorRule
	classes []classRule
	// access are the keys of AccessTags, alone and with their directions.
	access [][3]string
}

type factorRule struct {
	tagRule
	factor float64
}

type classRule struct {
	tagRule
	mask graph.ClassMask
}

// newTuner makes valid options ready. Of the properties it needs the classes.
func newTuner(t *Tuning, rules accessRules, p *Properties) (tuner, error) {
	u := tuner{Tuning: t, rules: rules}
	var err error
	rule := func(s string) tagRule {
		r, e := parseTagRule(s)
		if e != nil {
			err = fmt.Errorf("profile: %w", e)
		}
		return r
	}
	for _, s := range t.Avoid {
		u.avoid = append(u.avoid, rule(s))
	}
	for _, s := range sortedKeys(t.Factors) {
		u.factors = append(u.factors, factorRule{rule(s), t.Factors[s]})
	}
	for _, name := range sortedKeys(t.Classes) {
		mask, e := p.ClassMask(name)
		if e != nil {
			return u, e
		}
		for _, s := range t.Classes[name] {
			u.classes = append(u.classes, classRule{rule(s), mask})
		}
	}
	for _, k := range t.AccessTags {
		u.access = append(u.access, [3]string{k, k + ":forward", k + ":backward"})
	}
	if len(t.AccessValues) > 0 {
		u.rules = func(value string) accessSet {
			if a, ok := t.AccessValues[value]; ok {
				return a.set()
			}
			return rules(value)
		}
	}
	return u, err
}

// avoids tells whether a way is not to be used.
func (u *tuner) avoids(tags osm.Tags) bool {
	for i := range u.avoid {
		if u.avoid[i].matches(tags) {
			return true
		}
	}
	return false
}

// mark adds the road classes of a way and weighs it.
func (u *tuner) mark(tags osm.Tags, r *WayResult) {
	for i := range u.classes {
		if c := &u.classes[i]; c.matches(tags) {
			r.ForwardClasses |= c.mask
			r.BackwardClasses |= c.mask
		}
	}
	for i := range u.factors {
		f := &u.factors[i]
		if !f.matches(tags) {
			continue
		}
		for _, rate := range [...]*float64{&r.ForwardRate, &r.BackwardRate} {
			if *rate > 0 {
				*rate *= f.factor
			}
		}
		if r.Weight > 0 {
			r.Weight /= f.factor
		}
	}
}

// accessTags returns the access tags of both directions: those of the options,
// else those of the vehicle.
func (u *tuner) accessTags(t *wayTags, tags osm.Tags, usual ...key) (forward, backward string) {
	if u.AccessTags == nil {
		return t.firstDirections(usual...)
	}
	for i := range u.access {
		names := &u.access[i]
		plain := tags.Find(names[0])
		forward = either(forward, either(tags.Find(names[1]), plain))
		backward = either(backward, either(tags.Find(names[2]), plain))
	}
	return forward, backward
}

// nodeAccess returns the access tag of a node: one of the options, else of the
// vehicle.
func (u *tuner) nodeAccess(tags osm.Tags, usual ...string) string {
	if u.AccessTags != nil {
		usual = u.AccessTags
	}
	return firstTag(tags, usual...)
}

// speed returns the speed of a kind of road in km/h.
func (u *tuner) speed(highway string, usual func(string) float64) float64 {
	if speed, ok := u.Speeds[highway]; ok {
		return speed
	}
	return usual(highway)
}

// limitOf is the speed that the value of a tag allows.
func limitOf(by map[string]float64, value string, usual float64) float64 {
	if speed, ok := by[value]; ok {
		return speed
	}
	return usual
}

// leftHand tells the side on which a way is driven.
func (u *tuner) leftHand(t *wayTags) bool {
	switch t[keyDrivingSide] {
	case "left":
		return true
	case "right":
		return false
	}
	return u.LeftHandDriving
}

// clone returns a copy that shares nothing.
func (t *Tuning) clone() Tuning {
	c := *t
	c.Speeds, c.SurfaceSpeeds = maps.Clone(t.Speeds), maps.Clone(t.SurfaceSpeeds)
	c.TracktypeSpeeds, c.SmoothnessSpeeds = maps.Clone(t.TracktypeSpeeds), maps.Clone(t.SmoothnessSpeeds)
	c.Avoid, c.Factors, c.Classes = slices.Clone(t.Avoid), maps.Clone(t.Factors), maps.Clone(t.Classes)
	for name, rules := range c.Classes {
		c.Classes[name] = slices.Clone(rules)
	}
	c.Excludable = slices.Clone(t.Excludable)
	for i, set := range c.Excludable {
		c.Excludable[i] = slices.Clone(set)
	}
	c.AccessTags, c.AccessValues, c.Barriers = slices.Clone(t.AccessTags), maps.Clone(t.AccessValues), maps.Clone(t.Barriers)
	c.Restrictions, c.Suffixes = slices.Clone(t.Restrictions), slices.Clone(t.Suffixes)
	for _, p := range [...]**float64{&c.UTurnPenalty, &c.SignalPenalty} {
		*p = clonePointer(*p)
	}
	for _, p := range [...]**bool{&c.TurnRestrictions, &c.ContinueStraight} {
		*p = clonePointer(*p)
	}
	return c
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

// name is the name of the profile.
func (t *Tuning) name(vehicle string) string { return either(t.Name, vehicle) }
