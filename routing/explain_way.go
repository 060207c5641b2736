package routing

import (
	"fmt"
	"math"

	"github.com/fourway-routing/fourway/profile"
)

// ExplainedWay is an OSM way, and why it is as fast as it is.
type ExplainedWay struct {
	Way     int64 // OSM way, negative against the order of its nodes
	Name    string
	Mode    string   // such as driving or ferry
	Classes []string // of the road
	// Tags are those of the way, if the data set keeps tags.
	Tags []Tag
	// Effects are the tags that matter to the profile in this direction, each alone:
	// without it the way would be another one to it.
	Effects []TagEffect
	// Unknown says why there are no Effects; it is empty if they were looked for.
	Unknown string
}

// TagEffect is what a tag is to a way.
type TagEffect struct {
	Tag
	// Decides are what would be other ones without the tag, of access, speed, rate,
	// classes and restricted.
	Decides []string
	// Closed tells that the direction would be closed without the tag; else Speed, in
	// km/h, and Rate, in meters per unit of weight, are what the profile would give,
	// 0 where it gives none.
	Closed      bool
	Speed, Rate float64
}

// ways returns what the parts lie on.
func (x *explainer) ways() []ExplainedWay {
	var out []ExplainedWay
	seen := make(map[int64]bool)
	for i := range x.list {
		p := &x.list[i]
		if p.kind == SegmentWalk {
			continue
		}
		if id := x.way(p.arm, p.index); !seen[id] {
			seen[id] = true
			out = append(out, x.explainedWay(id, p))
		}
	}
	return out
}

// explainedWay explains a way by one of its parts.
func (x *explainer) explainedWay(id int64, p *explained) ExplainedWay {
	n := x.net
	road := &n.Roads[n.ArmRoad[p.arm]]
	w := ExplainedWay{Way: id, Name: n.Strings.Get(road.Name), Mode: modeName(road.Mode)}
	for i, name := range n.Properties.Classes {
		if road.Classes>>i&1 != 0 {
			w.Classes = append(w.Classes, name)
		}
	}
	var pairs [][2]string
	if e := x.parts.tags; e != nil && e.Tagged() {
		tags, _ := e.Way(max(id, -id))
		for i := range tags.Len() {
			key, value := tags.At(i)
			w.Tags = append(w.Tags, Tag{string(key), string(value)})
			pairs = append(pairs, [2]string{string(key), string(value)})
		}
	}
	w.Effects, w.Unknown = x.effects(id, pairs, p)
	return w
}

// effects returns the tags that matter to the profile, or why they are not known.
func (x *explainer) effects(id int64, tags [][2]string, p *explained) ([]TagEffect, string) {
	if len(tags) == 0 {
		return nil, "The data set keeps no tags of the way: build it with tags."
	}
	by := x.opt.Profile
	if by == nil {
		var err error
		if by, err = profile.ByName(x.net.Properties.Profile); err != nil {
			return nil, fmt.Sprintf("The profile %s is not built in: give it as Options.Profile.", x.net.Properties.Profile)
		}
	}
	travel, list, err := profile.Explain(by, max(id, -id), tags, id < 0)
	if err != nil {
		return nil, fmt.Sprintf("The profile failed: %v", err)
	}
	if !x.agrees(&travel, p) {
		return nil, fmt.Sprintf("The data set was built with another profile, or with other settings, than %s has here.", by.Name())
	}
	var out []TagEffect
	for _, e := range list {
		effect := TagEffect{
			Tag: Tag{e.Key, e.Value}, Closed: !e.Without.Open,
			Speed: max(0, e.Without.Speed), Rate: max(0, e.Without.Rate),
		}
		for _, aspect := range profile.Aspects {
			if e.Decides&aspect != 0 {
				effect.Decides = append(effect.Decides, aspect.String())
			}
		}
		out = append(out, effect)
	}
	return out, ""
}

// agrees says whether what a profile tells of a way can be what the data set has for
// a part of it. Only speeds of the profile show that, on segments of some length.
func (x *explainer) agrees(t *profile.Travel, p *explained) bool {
	n, m := x.net, x.metric
	direction := p.arm & 1
	if !t.Open || t.Mode != n.Roads[n.ArmRoad[p.arm]].Mode {
		return false
	}
	if sources := m.SegmentSource[direction]; sources != nil && sources[p.index] != 0 || p.kind != SegmentRoad {
		return true
	}
	if t.Duration > 0 || t.Speed <= 0 {
		return true // of the whole way
	}
	want := float64(n.SegmentLength[p.index]) / 100 / (t.Speed / 3.6)
	return math.Abs(want-seconds(m.SegmentDuration[direction][p.index])) <= 0.1+want*0.01 || want < 0.1
}
