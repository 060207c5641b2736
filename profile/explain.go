package profile

import (
	"fmt"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/graph"
)

// Aspect is something that a profile says of a way in a direction.
type Aspect uint8

// The aspects.
const (
	// AspectAccess is whether the direction is open, and in which mode.
	AspectAccess Aspect = 1 << iota
	// AspectSpeed is how fast one is, the duration of a whole way included.
	AspectSpeed
	// AspectRate is what weighs, the weight of a whole way included.
	AspectRate
	// AspectClasses are the classes of the road.
	AspectClasses
	// AspectRestricted is whether the road is for those alone who have business there.
	AspectRestricted
)

// Aspects are all aspects, in their order.
var Aspects = [...]Aspect{AspectAccess, AspectSpeed, AspectRate, AspectClasses, AspectRestricted}

// String returns the aspect's name: access, speed, rate, classes or restricted.
func (a Aspect) String() string {
	switch a {
	case AspectAccess:
		return "access"
	case AspectSpeed:
		return "speed"
	case AspectRate:
		return "rate"
	case AspectClasses:
		return "classes"
	case AspectRestricted:
		return "restricted"
	}
	return fmt.Sprintf("Aspect(%d)", uint8(a))
}

// Travel is what a profile says of a way in a direction.
type Travel struct {
	Open       bool
	Mode       graph.Mode
	Speed      float64 // km/h, or Unset
	Rate       float64 // meters per unit of weight, or Unset
	Duration   float64 // seconds of the whole way, or Unset
	Weight     float64 // of the whole way, or Unset
	Classes    graph.ClassMask
	Restricted bool
}

// Travel returns what the result says of a direction: along the order of the way's
// nodes, or against it.
func (r *WayResult) Travel(backward bool, durationIsWeight bool) Travel {
	t := Travel{
		Open: r.Forward(), Mode: r.ForwardMode, Speed: r.ForwardSpeed, Rate: r.ForwardRate,
		Classes: r.ForwardClasses, Restricted: r.ForwardRestricted,
	}
	if backward {
		t = Travel{
			Open: r.Backward(), Mode: r.BackwardMode, Speed: r.BackwardSpeed, Rate: r.BackwardRate,
			Classes: r.BackwardClasses, Restricted: r.BackwardRestricted,
		}
	}
	t.Open = t.Open && r.Routable(durationIsWeight)
	t.Duration, t.Weight = r.Duration, r.Weight
	if durationIsWeight {
		t.Rate = Unset
	}
	if !t.Open {
		return Travel{Speed: Unset, Rate: Unset, Duration: Unset, Weight: Unset}
	}
	return t
}

// Differences returns in which aspects two of the same way and direction differ. Of a
// closed direction only that counts.
func (t *Travel) Differences(o *Travel) (set Aspect) {
	if t.Open != o.Open {
		return AspectAccess
	}
	if t.Mode != o.Mode {
		set |= AspectAccess
	}
	if t.Speed != o.Speed || t.Duration != o.Duration {
		set |= AspectSpeed
	}
	if t.Rate != o.Rate || t.Weight != o.Weight {
		set |= AspectRate
	}
	if t.Classes != o.Classes {
		set |= AspectClasses
	}
	if t.Restricted != o.Restricted {
		set |= AspectRestricted
	}
	return set
}

// TagEffect is what a tag is to a way in a direction.
type TagEffect struct {
	Key, Value string
	// Decides are the aspects that would be other ones without the tag.
	Decides Aspect
	// Without is what the profile would say then.
	Without Travel
}

// Explain tells what a profile says of a way in a direction, and which of its tags
// matter to that: those without which it would say something else, in the order in
// which they are given. Tags that say the same, one by one, matter only together and
// are not found. It evaluates the way once more than it has tags.
func Explain(p Profile, id int64, tags [][2]string, backward bool) (Travel, []TagEffect, error) {
	worker, err := p.NewWorker()
	if err != nil {
		return Travel{}, nil, err
	}
	whole := p.Properties().DurationIsWeight()
	evaluate := func(without int) (Travel, error) {
		way := osm.Way{ID: osm.WayID(id), Visible: true}
		for i, t := range tags {
			if i != without {
				way.Tags = append(way.Tags, osm.Tag{Key: t[0], Value: t[1]})
			}
		}
		var r WayResult
		if err := worker.Way(&way, &r); err != nil {
			return Travel{}, err
		}
		return r.Travel(backward, whole), nil
	}
	found, err := evaluate(-1)
	if err != nil {
		return found, nil, err
	}
	var effects []TagEffect
	for i, t := range tags {
		other, err := evaluate(i)
		if err != nil {
			return found, nil, err
		}
		if set := found.Differences(&other); set != 0 {
			effects = append(effects, TagEffect{t[0], t[1], set, other})
		}
	}
	return found, effects, nil
}
