package extract

import (
	"strings"
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/profile"
)

func carRestrictions(tb testing.TB, conditionals bool) *restrictionReader {
	tb.Helper()
	car, err := profile.ByName("car")
	require.NoError(tb, err)
	return newRestrictionReader(car.Properties(), conditionals)
}

// relation makes a relation of "type/role/ref" members and "key=value" tags.
func relation(members, tags string) *osmfile.Relation {
	rel := &osmfile.Relation{ID: 1}
	for m := range strings.FieldsSeq(members) {
		part := strings.Split(m, "/")
		kind := map[string]osm.Type{"n": osm.TypeNode, "w": osm.TypeWay, "r": osm.TypeRelation}[part[0]]
		rel.Members = append(rel.Members, osmfile.Member{Type: kind, Role: part[1], Ref: int64(part[2][0])})
	}
	for tag := range strings.SplitSeq(tags, "|") {
		k, v, _ := strings.Cut(tag, "=")
		rel.Tags = append(rel.Tags, osm.Tag{Key: k, Value: v})
	}
	return rel
}

func TestRestrictionReader(t *testing.T) {
	const simple = "w/from/a n/via/v w/to/b"
	for _, c := range []struct {
		name, members, tags string
		conditionals        bool
		fault               RestrictionFault
		count               int
	}{
		{"plain", simple, "restriction=no_left_turn", false, restrictionFine, 1},
		{"own mode", simple, "restriction:motor_vehicle=only_right_turn", false, restrictionFine, 1},
		{"other mode", simple, "restriction:hgv=no_left_turn", false, restrictionNone, 0},
		{"no restriction", simple, "type=route", false, restrictionNone, 0},
		{"on red", simple, "restriction=no_right_turn_on_red", false, restrictionUnknownValue, 0},
		{"give way", simple, "restriction=give_way", false, restrictionUnknownValue, 0},
		{"one bad key spoils it", simple, "restriction=no_left_turn|restriction:motorcar=none", false, restrictionUnknownValue, 0},
		{"excepted", simple, "restriction=no_left_turn|except=bus;motorcar", false, restrictionExcepted, 0},
		{"excepted only alike", simple, "restriction=no_left_turn|except=bus; motorcar", false, restrictionFine, 1},
		{"several ways between", "w/from/a w/via/v w/via/u w/to/b", "restriction=no_u_turn", false, restrictionFine, 1},
		{"no via", "w/from/a w/to/b", "restriction=no_u_turn", false, restrictionMembersMissing, 0},
		{"via is a relation", "w/from/a r/via/v w/to/b", "restriction=no_u_turn", false, restrictionMembersMissing, 0},
		{"from is a node", "n/from/a n/via/v w/to/b", "restriction=no_u_turn", false, restrictionMembersMissing, 0},
		{"other roles", simple + " w/location_hint/z", "restriction=no_u_turn", false, restrictionFine, 1},
		{"two from", "w/from/a w/from/c n/via/v w/to/b", "restriction=no_left_turn", false, restrictionTooManyMembers, 0},
		{"no_entry", "w/from/a w/from/c n/via/v w/to/b", "restriction=no_entry", false, restrictionFine, 2},
		{"no_exit", "w/from/a n/via/v w/to/b w/to/c w/to/d", "restriction=no_exit", false, restrictionFine, 3},
		{"no_exit has one from", "w/from/a w/from/b n/via/v w/to/b", "restriction=no_exit", false, restrictionTooManyMembers, 0},
		{"condition unasked", simple, "restriction:conditional=no_left_turn @ (Mo)", false, restrictionConditional, 0},
		{"condition", simple, "restriction:conditional=no_left_turn @ (Mo)", true, restrictionFine, 1},
		{"condition unread", simple, "restriction:conditional=no_left_turn @ (Mo AND weight>7)", true, restrictionUnreadCondition, 0},
		{"condition empty", simple, "restriction:conditional=no_left_turn @", true, restrictionUnreadCondition, 0},
	} {
		got, fault := carRestrictions(t, c.conditionals).append(nil, relation(c.members, c.tags))
		require.Equal(t, c.fault, fault, c.name)
		require.Len(t, got, c.count, c.name)
	}
}

// Of a via node and via ways, the last one decides.
func TestLastViaDecides(t *testing.T) {
	r := carRestrictions(t, false)
	got, _ := r.append(nil, relation("w/from/a n/via/n w/via/w w/to/b", "restriction=no_left_turn"))
	require.Equal(t, []int64{'w'}, got[0].viaWays)
	got, _ = r.append(nil, relation("w/from/a w/via/w n/via/n w/to/b", "restriction=no_left_turn"))
	require.Empty(t, got[0].viaWays)
	require.Equal(t, int64('n'), got[0].via)
}

func TestConditionOf(t *testing.T) {
	for value, want := range map[string]string{
		"no_left_turn @ (Mo-Fr 07:00-09:00)":                       "Mo-Fr 07:00-09:00",
		"no_left_turn @ Mo-Fr 07:00-09:00":                         "Mo-Fr 07:00-09:00",
		"no_left_turn @ Mo-Fr 07:00-09:00; Sa 10:00-12:00":         "Mo-Fr 07:00-09:00; Sa 10:00-12:00",
		"no_left_turn @ (Mo-Fr 07:00-09:00; Sa 10:00-12:00)":       "Mo-Fr 07:00-09:00; Sa 10:00-12:00",
		"no_left_turn@(Mo) ; no_left_turn @ (Tu 10:00+)":           "Mo; Tu 10:00+",
		"no_left_turn@(Mo) ; only_left_turn @ Tu; We":              "Mo",
		"only_left_turn@ Mo; no_u_turn @ (Tu); only_u_turn @ (We)": "Mo; We",
		"no_u_turn @ (sunrise-00:30)-(sunset+00:30)":               "(sunrise-00:30)-(sunset+00:30)",
		"no_left_turn @ ((Mo-Fr 07:00-09:00) AND weight > 3.5)":    "(Mo-Fr 07:00-09:00) AND weight > 3.5",
		"no_left_turn @ (Mo-Fr 07:00-09:00, Th (unbalanced 10:00)": "Mo-Fr 07:00-09:00, Th (unbalanced 10:00",
		"no_left_turn @ (": "",
		"no_left_turn @":   "",
	} {
		got, ok := conditionOf(value)
		require.True(t, ok, value)
		require.Equal(t, want, got, value)
	}
	_, ok := conditionOf("no_left_turn")
	require.False(t, ok)
}

func FuzzRestriction(f *testing.F) {
	f.Add("restriction", "no_exit", "except", "bus;motorcar", []byte("fvtftv"), true)
	f.Add("restriction:conditional", "only_left_turn @ (Mo-Fr 07:00-09:00)", "", "", []byte("fvt"), true)
	f.Add("restriction:motorcar", "no_entry", "restriction", "no_left_turn", []byte("ffffvtw"), false)
	readers := map[bool]*restrictionReader{false: carRestrictions(f, false), true: carRestrictions(f, true)}
	f.Fuzz(func(t *testing.T, k1, v1, k2, v2 string, members []byte, conditionals bool) {
		rel := &osmfile.Relation{Tags: osm.Tags{{Key: k1, Value: v1}, {Key: k2, Value: v2}}}
		from, to := 0, 0
		for i, m := range members {
			member := osmfile.Member{Type: osm.TypeWay, Ref: int64(i)}
			switch m {
			case 'f':
				member.Role = "from"
				from++
			case 't':
				member.Role = "to"
				to++
			case 'v':
				member.Role, member.Type = "via", osm.TypeNode
			default:
				member.Role = "via"
			}
			rel.Members = append(rel.Members, member)
		}
		got, fault := readers[conditionals].append(nil, rel)
		if fault != restrictionFine {
			require.Empty(t, got)
			return
		}
		require.Len(t, got, from*to)
		for _, r := range got {
			require.Equal(t, "from", rel.Members[r.from].Role)
			require.Equal(t, "to", rel.Members[r.to].Role)
			if len(r.viaWays) == 0 {
				require.Equal(t, osm.TypeNode, rel.Members[r.via].Type)
			}
		}
	})
}
