package profile

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNames(t *testing.T) {
	r := carWay(t, "highway=primary, name=Main Street, name:pronunciation=meɪn, ref=A 1;B 2, junction:ref=3;4")
	require.Equal(t, "Main Street", r.Name)
	require.Equal(t, "meɪn", r.Pronunciation)
	require.Equal(t, "A 1; B 2", r.ForwardRef)
	require.Equal(t, "A 1; B 2", r.BackwardRef)
	require.Equal(t, "3; 4", r.Exits)
	for tags, want := range map[string]string{
		"highway=footway, footway=sidewalk, street:name=Main":                            "Main",
		"highway=cycleway, cycleway=sidepath, is_sidepath:of:name=Main":                  "Main",
		"highway=path, is_sidepath=yes, is_sidepath:of:name=Main, street:name=Other":     "Main",
		"highway=path, is_sidepath=yes, is_sidepath:of:name=Main, name=Own":              "Own",
		"highway=path, is_sidepath=no, street:name=Main":                                 "",
		"highway=residential, is_sidepath=yes, street:name=Main":                         "",
		"highway=footway, street:name=Main":                                              "",
		"highway=footway, footway=crossing, cycleway=lane, is_sidepath:of:name=Main":     "",
		"highway=pedestrian, footway=sidewalk, is_sidepath=yes, is_sidepath:of:name=Sun": "",
	} {
		require.Equal(t, want, carWay(t, tags+", access=yes").Name, tags)
	}
}

func TestDestinations(t *testing.T) {
	for tags, want := range map[string]string{
		"destination=Berlin":                                           "",
		"oneway=yes":                                                   "",
		"oneway=yes, destination=Berlin":                               "Berlin",
		"oneway=yes, destination=Berlin;Kiel":                          "Berlin, Kiel",
		"oneway=yes, destination=Berlin;Kiel,Bonn":                     "Berlin, Kiel, Bonn",
		"oneway=yes, destination:ref=A 1;A 2, destination=Berlin;Kiel": "A 1, A 2: Berlin, Kiel",
		"oneway=yes, destination:ref=A 1":                              "A 1",
		"oneway=yes, destination:street=High Street":                   "High Street",
		"oneway=yes, destination:street=High Street, destination=Kiel": "Kiel",
		"oneway=yes, destination:forward=Kiel, destination=Bonn":       "Kiel",
		"oneway=yes, destination:backward=Kiel":                        "",
		"oneway=-1, destination:backward=Kiel, destination=Bonn":       "Kiel",
		"oneway=-1, destination:ref=A 1":                               "A 1",
		"junction=roundabout, destination=Kiel":                        "Kiel",
	} {
		require.Equal(t, want, carWay(t, "highway=primary, "+tags).Destinations, tags)
	}
}

func TestRoadClass(t *testing.T) {
	for highway, want := range map[string]RoadClass{
		"motorway":       {Motorway: true, Priority: PriorityMotorway},
		"motorway_link":  {Motorway: true, Link: true, Priority: PriorityMotorwayLink},
		"trunk":          {Motorway: true, Priority: PriorityTrunk},
		"trunk_link":     {Motorway: true, Link: true, Priority: PriorityTrunkLink},
		"primary":        {Priority: PriorityPrimary},
		"primary_link":   {Link: true, Priority: PriorityPrimaryLink},
		"secondary":      {Priority: PrioritySecondary},
		"secondary_link": {Link: true, Priority: PrioritySecondaryLink},
		"tertiary":       {Priority: PriorityTertiary},
		"tertiary_link":  {Link: true, Priority: PriorityTertiaryLink},
		"unclassified":   {Priority: PriorityUnclassified},
		"residential":    {Priority: PriorityMainResidential},
		"living_street":  {Priority: PrioritySideResidential},
		"service":        {MayBeIgnored: true, Priority: PriorityAlley},
		"track":          {MayBeIgnored: true, Priority: PriorityBikePath},
		"footway":        {MayBeIgnored: true, Priority: PriorityFootPath},
		"winter_road":    {MayBeIgnored: true, Priority: PriorityConnectivity},
		"raceway":        {MayBeIgnored: true, Priority: PriorityConnectivity},
	} {
		class := carWay(t, "access=yes, highway="+highway).Class
		require.Equal(t, want, class, highway)
		require.Equal(t, want.Motorway && !want.Link, class.IsMotorway(), highway)
	}
}

func TestNumLanes(t *testing.T) {
	for tags, want := range map[string]uint8{
		"":                                  0,
		"lanes=3":                           3,
		"lanes=2.5":                         0,
		"lanes=2.5, lanes:forward=2":        0,
		"lanes=300":                         44,
		"lanes:forward=2":                   2,
		"lanes:forward=2, lanes:backward=1": 3,
		"lanes:forward=x, lanes:backward=1": 1,
	} {
		require.Equal(t, want, carWay(t, "highway=primary, "+tags).Class.NumLanes, tags)
	}
}
