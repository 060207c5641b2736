package guidance

import (
	"bytes"

	"github.com/fourway-routing/fourway/graph"
)

// text returns a string of the network without a copy.
func (b *Builder) text(s graph.StringID) []byte {
	t := &b.net.Strings
	return t.Data[t.First[s]:t.First[s+1]]
}

func (s *Signs) named() bool { return s.Name != 0 || s.Ref != 0 }

// sameName says whether two steps are on the same road, as far as names tell.
func (b *Builder) sameName(from, to *Step) bool {
	if !from.named() || !to.named() {
		return false
	}
	return from.Signs == to.Signs || !b.nameChanges(&from.Signs, &to.Signs)
}

// nameChanges says whether going from one road to another is worth an
// announcement for its name. Extraction knows suffixes, such as "North", that
// do not count; here every difference does.
func (b *Builder) nameChanges(from, to *Signs) bool {
	if !from.named() && to.named() {
		return true
	}
	fromName, toName := b.text(from.Name), b.text(to.Name)
	fromRef, toRef := b.text(from.Ref), b.text(to.Ref)

	same := bytes.Equal(bytes.Trim(fromName, " "), bytes.Trim(toName, " "))
	namesEmpty := from.Name == 0 && to.Name == 0
	namesEqual := same || bytes.HasPrefix(fromName, toName) || bytes.HasPrefix(toName, fromName)
	refsEmpty := from.Ref == 0 && to.Ref == 0
	refContained := bytes.Contains(fromRef, toRef) || bytes.Contains(toRef, fromRef)
	obvious := same ||
		namesEmpty && refsEmpty ||
		namesEqual && refContained ||
		refContained && from.Name != 0 && to.Name == 0
	announce := from.Name == 0 && from.Ref != 0 && to.Name != 0 && to.Ref == 0 ||
		from.Name != 0 && from.Ref == 0 && to.Name == 0 && to.Ref != 0 ||
		namesEmpty && !refContained
	losesExit := namesEqual && from.Exits != 0 && to.Exits == 0
	return !obvious || announce || from.Pronunciation != to.Pronunciation ||
		from.Exits != to.Exits && !losesExit
}
