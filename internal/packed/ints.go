package packed

import (
	"encoding/binary"
	"fmt"
	"math"
)

// BlockLen is the number of elements of a block.
const BlockLen = 16

// Ints is an array of int64 in blocks of 16: each block stores its least element
// and the differences to it, in the fewest bytes of 0, 1, 2, 4, 8 that hold its
// largest. An array of neighboring numbers, such as sorted ids, takes 2 to 5
// bytes an element. The zero value is empty.
//
// The fields are how the array is stored; use [Ints.Get].
type Ints struct {
	Count  int
	Blocks []Block
	Data   []byte
}

// Block is how 16 elements are stored.
type Block struct {
	Base int64 // least element
	// Start is where the differences begin in Data, in units of 16 bytes.
	Start uint32
	Width uint8 // bytes of a difference
	_     [3]byte
}

// NewInts packs values. It takes no more than 2^32 times 16 bytes of
// differences, which is half a billion blocks of the widest: more panic.
func NewInts(values []int64) Ints {
	p := Ints{Count: len(values), Blocks: make([]Block, 0, (len(values)+BlockLen-1)/BlockLen)}
	for len(values) > 0 {
		n := min(len(values), BlockLen)
		p.appendBlock(values[:n])
		values = values[n:]
	}
	return p
}

func (p *Ints) appendBlock(values []int64) {
	least, largest := values[0], values[0]
	for _, v := range values {
		least, largest = min(least, v), max(largest, v)
	}
	start := len(p.Data) / BlockLen
	if uint64(start) > math.MaxUint32 {
		panic("packed: too many elements")
	}
	b := Block{Base: least, Start: uint32(start), Width: width(uint64(largest) - uint64(least))}
	p.Blocks = append(p.Blocks, b)
	for i := range BlockLen {
		v := uint64(0)
		if i < len(values) {
			v = uint64(values[i]) - uint64(least)
		}
		switch b.Width {
		case 1:
			p.Data = append(p.Data, byte(v))
		case 2:
			p.Data = binary.LittleEndian.AppendUint16(p.Data, uint16(v))
		case 4:
			p.Data = binary.LittleEndian.AppendUint32(p.Data, uint32(v))
		case 8:
			p.Data = binary.LittleEndian.AppendUint64(p.Data, v)
		}
	}
}

func width(v uint64) uint8 {
	switch {
	case v == 0:
		return 0
	case v <= math.MaxUint8:
		return 1
	case v <= math.MaxUint16:
		return 2
	case v <= math.MaxUint32:
		return 4
	default:
		return 8
	}
}

// Len returns the number of elements.
func (p *Ints) Len() int { return p.Count }

// Get returns element i.
func (p *Ints) Get(i uint32) int64 {
	b := &p.Blocks[i/BlockLen]
	at := int64(b.Start)*BlockLen + int64(i%BlockLen)*int64(b.Width)
	var v uint64
	switch b.Width {
	case 0:
	case 1:
		v = uint64(p.Data[at])
	case 2:
		v = uint64(binary.LittleEndian.Uint16(p.Data[at:]))
	case 4:
		v = uint64(binary.LittleEndian.Uint32(p.Data[at:]))
	default:
		v = binary.LittleEndian.Uint64(p.Data[at:])
	}
	return int64(uint64(b.Base) + v)
}

// Check returns an error if the fields do not describe an array, so that Get
// could fail, and the number of the block that is wrong.
func (p *Ints) Check() (block int, err error) {
	if p.Count < 0 || len(p.Blocks) != (p.Count+BlockLen-1)/BlockLen {
		return 0, fmt.Errorf("%d blocks for %d elements", len(p.Blocks), p.Count)
	}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		switch b.Width {
		case 0, 1, 2, 4, 8:
		default:
			return i, fmt.Errorf("differences of %d bytes", b.Width)
		}
		if (int64(b.Start)+int64(b.Width))*BlockLen > int64(len(p.Data)) {
			return i, fmt.Errorf("differences out of range")
		}
	}
	return 0, nil
}
