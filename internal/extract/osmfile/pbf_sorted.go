package osmfile

import (
	"context"
	"errors"
	"io"
	"sort"
)

// indexSorted spares a pass the blobs it does not want, for a file that declares itself sorted by kind and id and that
// has not been scanned yet: it walks over the headers and finds the first way and the first relation by bisection, so that
// some twenty blobs are inflated instead of all. What it concludes about the others is marked as assumed, and checked when a later pass
// inflates them.
func (s *pbfStream) indexSorted(ctx context.Context) error {
	f := s.file
	if _, ok := s.tape.r.(io.Seeker); !ok || !f.header.SortedByTypeThenID || f.indexed || s.opts.Want == All {
		return nil
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := s.locate()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return located(err, f.src.name, s.next, b.start)
		}
		s.next++
	}
	var data []int // numbers of the blobs that may hold elements
	for n := range f.blobs {
		if b := &f.blobs[n]; !b.header && b.kinds != kindsKnown {
			data = append(data, n)
		}
	}
	d := &pbfDecoder{s: s}
	defer d.close()
	var failure error
	first := func(kinds Kind) int {
		return sort.Search(len(data), func(i int) bool {
			if failure != nil {
				return true
			}
			held, err := d.peek(ctx, data[i])
			if err != nil {
				failure = d.place(err)
			}
			return held&kinds != 0
		})
	}
	way, relation := first(Ways|Relations), first(Relations)
	if failure != nil {
		return failure
	}
	for i, n := range data {
		b := &f.blobs[n]
		if b.kinds&kindsKnown != 0 {
			continue
		}
		switch {
		case i < way:
			b.kinds = Nodes
		case i < relation:
			b.kinds = Ways
		default:
			b.kinds = Relations
		}
		b.kinds |= kindsKnown | kindsAssumed
	}
	f.indexed = true
	s.next = 0
	return nil
}

// peek determines the kinds in one blob.
func (d *pbfDecoder) peek(ctx context.Context, number int) (Kind, error) {
	b := d.s.file.blobs[number]
	if b.kinds&kindsKnown != 0 {
		return b.kinds & All, nil
	}
	d.blob, d.number = b, number
	if err := d.s.tape.moveTo(b.data); err != nil {
		return 0, endFault(err, "a blob")
	}
	d.stored = resized(d.stored, int(b.size))
	if err := d.s.tape.readFull(d.stored); err != nil {
		return 0, endFault(err, "a blob")
	}
	raw, err := d.in.inflate(ctx, d.stored, nil)
	if err != nil {
		return 0, err
	}
	kinds, err := d.outline(raw)
	if err != nil {
		return 0, err
	}
	return kinds, d.s.remember(number, kinds)
}
