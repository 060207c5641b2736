package junction

import (
	"bytes"

	"github.com/fourway-routing/fourway/graph"
)

// nameComparer says which labels name the same road. It remembers some answers.
type nameComparer struct {
	known           [256]knownNames
	before, current []uint32 // rows of the common substring's table
	trimmed         []byte
}

// knownNames are two labels that were compared.
type knownNames struct {
	from, to       uint32
	valid, changes bool
}

// text returns string s without a copy.
func (a *Analyzer) text(s graph.StringID) []byte {
	return a.texts.Data[a.texts.First[s]:a.texts.First[s+1]]
}

// nameless says whether a label lacks a name, whatever else it has.
func (a *Analyzer) nameless(label uint32) bool { return a.graph.Labels[label].Name == 0 }

// identical says whether two labels name the same road, neither being empty:
// nobody would announce a change from one to the other.
func (w *Worker) identical(a, b uint32) bool {
	return a != 0 && b != 0 && !w.nameChanges(a, b) && !w.nameChanges(b, a)
}

// nameChanges says whether going from a road to another is worth an
// announcement for its name.
func (w *Worker) nameChanges(from, to uint32) bool {
	if from == to {
		return false
	}
	k := &w.names.known[(from*31+to)%uint32(len(w.names.known))]
	if !k.valid || k.from != from || k.to != to {
		*k = knownNames{from, to, true, w.compareNames(from, to)}
	}
	return k.changes
}

func (w *Worker) compareNames(from, to uint32) bool {
	f, t := &w.graph.Labels[from], &w.graph.Labels[to]
	if f.Name == 0 && f.Ref == 0 && (t.Name != 0 || t.Ref != 0) {
		return true
	}
	fromName, toName := w.text(f.Name), w.text(t.Name)
	fromRef, toRef := w.text(f.Ref), w.text(t.Ref)

	namesEmpty := f.Name == 0 && t.Name == 0
	suffixChange := w.differBySuffixes(fromName, toName)
	namesEqual := bytes.HasPrefix(fromName, toName) || bytes.HasPrefix(toName, fromName) || suffixChange
	refsEmpty := f.Ref == 0 && t.Ref == 0
	refContained := bytes.Contains(fromRef, toRef) || bytes.Contains(toRef, fromRef)

	obvious := suffixChange ||
		namesEmpty && refsEmpty ||
		namesEqual && refContained ||
		refContained && f.Name != 0 && t.Name == 0
	announce := f.Name == 0 && f.Ref != 0 && t.Name != 0 && t.Ref == 0 ||
		f.Name != 0 && f.Ref == 0 && t.Name == 0 && t.Ref != 0 ||
		namesEmpty && !refContained
	losesExit := namesEqual && f.Exits != 0 && t.Exits == 0
	return !obvious || announce || f.Pronunciation != t.Pronunciation ||
		f.Exits != t.Exits && !losesExit
}

// differBySuffixes says whether all that is left of two names without what
// they share are suffixes, such as "North".
func (w *Worker) differBySuffixes(a, b []byte) bool {
	common := w.names.commonSubstring(a, b)
	if len(common) == 0 {
		return w.isSuffix(a) && w.isSuffix(b)
	}
	for _, name := range [2][]byte{a, b} {
		before, after := name, name[min(len(common)-1, len(name)):]
		if i := bytes.Index(name, common); i >= 0 {
			before, after = name[:i], name[i+len(common):]
		}
		if !w.isSuffix(before) || !w.isSuffix(after) {
			return false
		}
	}
	return true
}

// isSuffix says whether s is a suffix or blank.
func (w *Worker) isSuffix(s []byte) bool {
	s = bytes.Trim(s, " ")
	if len(s) == 0 {
		return true
	}
	w.names.trimmed = appendLower(w.names.trimmed[:0], s)
	_, ok := w.suffixes[string(w.names.trimmed)]
	return ok
}

// appendLower appends s to dst with ASCII letters in lower case.
func appendLower(dst, s []byte) []byte {
	for _, c := range s {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// commonSubstring returns the part of a that dynamic programming finds to be
// the longest in b also. It does not clear rows between uses, as OSRM does not,
// so that the result may be too long; names would be judged otherwise with it.
func (n *nameComparer) commonSubstring(a, b []byte) []byte {
	if cap(n.before) < len(b) {
		n.before, n.current = make([]uint32, len(b)), make([]uint32, len(b))
	}
	before, current := n.before[:len(b)], n.current[:len(b)]
	clear(before)
	clear(current)
	var best, end int
	for i, c := range a {
		for j := range b {
			if b[j] != c {
				continue
			}
			length := uint32(1)
			if j > 0 {
				length += before[j-1]
			}
			current[j] = length
			if int(length) > best {
				best, end = int(length), i+1
			}
		}
		before, current = current, before
	}
	return a[end-best : end]
}
