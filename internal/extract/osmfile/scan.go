package osmfile

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"sync"

	"github.com/paulmach/osm"
)

// A stream is one pass over a file.
type stream interface {
	// readHeader is called first on a stream that serves the header only.
	readHeader(*Header) error
	// newDecoder makes the state of one worker.
	newDecoder() decoder
	// position is the number of stored bytes consumed; called with next's lock held.
	position() int64
	close()
}

// A decoder turns pieces of the file into blocks, for one worker.
type decoder interface {
	// next fetches a piece, and may fill the block already; calls are serialized over all decoders of the stream. io.EOF
	// means a proper end.
	next(ctx context.Context, b *Block) error
	// decode fills the block from the piece, concurrently with other decoders. It reports false for a block with nothing
	// wanted.
	decode(ctx context.Context, b *Block) (bool, error)
	// place adds where the piece stands to an error.
	place(err error) error
	close()
}

// scan coordinates the workers of one pass. Tickets number the pieces in file order.
type scan struct {
	ctx  context.Context
	file *File
	s    stream
	opts *Options
	h    Handler

	fetch   sync.Mutex // serializes next, and guards issued
	issued  int        // tickets
	mu      sync.Mutex
	turn    sync.Cond // on mu: a ticket was retired, or the scan failed
	retired int       // tickets whose blocks went through Ordered
	failed  int       // smallest ticket that failed
	err     error     // of that ticket
	stats   Stats     // written in file order
	lastID  osm.NodeID
}

// noTicket marks a failure that stops every worker at once.
const noTicket = -1

func newScan(ctx context.Context, f *File, s stream, opts *Options, h Handler) *scan {
	sc := &scan{ctx: ctx, file: f, s: s, opts: opts, h: h, failed: math.MaxInt}
	sc.stats.NodesSorted = true
	sc.turn.L = &sc.mu
	return sc
}

func (sc *scan) run() (Stats, error) {
	var workers sync.WaitGroup
	for w := range sc.opts.Workers {
		workers.Go(func() { sc.work(w) })
	}
	workers.Wait()
	return sc.stats, sc.err
}

// fail records an error unless one from earlier in the file is known.
func (sc *scan) fail(ticket int, err error) {
	sc.mu.Lock()
	if ticket < sc.failed {
		sc.failed, sc.err = ticket, err
	}
	sc.mu.Unlock()
	sc.turn.Broadcast()
}

func (sc *scan) work(worker int) {
	ticket, ended := noTicket, false
	defer func() {
		if ended {
			return
		}
		if p := recover(); p != nil {
			sc.fail(ticket, fmt.Errorf("osmfile: %s: panic: %v\n%s", sc.file.src.name, p, debug.Stack()))
		} else { // or the others would wait for this ticket
			sc.fail(ticket, fmt.Errorf("osmfile: %s: a handler ended its goroutine", sc.file.src.name))
		}
	}()
	d := sc.s.newDecoder()
	defer d.close()
	b := &Block{Worker: worker}
	for more := true; more; {
		b.reset()
		var err error
		ticket, more, err = sc.take(d, b)
		if err == nil && more {
			more, err = sc.deliver(ticket, d, b)
		}
		if err != nil {
			sc.fail(ticket, err)
			break
		}
	}
	ended = true
}

// take fetches the next piece of the file. It reports false at the end, and after a failure elsewhere.
func (sc *scan) take(d decoder, b *Block) (ticket int, more bool, err error) {
	sc.fetch.Lock()
	defer sc.fetch.Unlock()
	if sc.stopped(sc.issued) {
		return noTicket, false, nil
	}
	if err := sc.ctx.Err(); err != nil {
		return noTicket, false, err
	}
	err = d.next(sc.ctx, b)
	if err == io.EOF {
		sc.progress(sc.file.src.size)
		return noTicket, false, nil
	}
	ticket = sc.issued
	sc.issued++
	if err != nil {
		return ticket, false, located(d.place(err), sc.file.src.name, -1, -1)
	}
	sc.progress(sc.s.position())
	return ticket, true, nil
}

func (sc *scan) progress(done int64) {
	if sc.opts.Progress != nil {
		sc.opts.Progress(done, sc.file.src.size)
	}
}

// stopped tells whether a ticket is past a failure.
func (sc *scan) stopped(ticket int) bool {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	return ticket > sc.failed
}

// deliver decodes a piece and passes it through both handlers. It reports false after a failure earlier in the file.
func (sc *scan) deliver(ticket int, d decoder, b *Block) (more bool, err error) {
	wanted, err := d.decode(sc.ctx, b)
	if err != nil {
		return false, located(d.place(err), sc.file.src.name, -1, -1)
	}
	b.Seq = ticket
	sorted := ascending(b.NodeIDs)
	if wanted && sc.h.Parallel != nil {
		if err := sc.h.Parallel(b); err != nil {
			return false, err
		}
	}
	if !sc.await(ticket) {
		return false, nil
	}
	if wanted {
		sc.count(b, sorted)
		if sc.h.Ordered != nil {
			if err := sc.h.Ordered(b); err != nil {
				return false, err
			}
		}
	}
	sc.mu.Lock()
	sc.retired++
	sc.mu.Unlock()
	sc.turn.Broadcast()
	return true, nil
}

// await blocks until it is the ticket's turn. It returns false if an earlier one failed.
func (sc *scan) await(ticket int) bool {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	for sc.retired != ticket && sc.failed >= ticket {
		sc.turn.Wait()
	}
	return sc.failed >= ticket
}

// count runs in file order, one block at a time.
func (sc *scan) count(b *Block, sorted bool) {
	st := &sc.stats
	st.Blocks++
	st.Nodes += int64(len(b.NodeIDs))
	st.TaggedNodes += int64(len(b.Nodes))
	st.Ways += int64(len(b.Ways))
	st.Relations += int64(len(b.Relations))
	st.Unlocated += int64(b.Unlocated)
	if n := len(b.NodeIDs); n > 0 {
		st.NodesSorted = st.NodesSorted && sorted && (st.Nodes == int64(n) || b.NodeIDs[0] > sc.lastID)
		sc.lastID = b.NodeIDs[n-1]
	}
}

// ascending tells whether the ids increase strictly.
func ascending(ids []osm.NodeID) bool {
	for i := 1; i < len(ids); i++ {
		if ids[i] <= ids[i-1] {
			return false
		}
	}
	return true
}
