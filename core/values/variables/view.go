package variables

import (
	"fmt"
	"strings"
)

// A view is the bytes of an object: memory, which is read on demand, or bytes that were assembled
// from pieces, each of which may be missing.
type view struct {
	memory bool
	addr   uint64

	bytes []byte
	known []*Error // by byte; nil for a known one
	from  uint64   // offset of the object in bytes

	points *Piece // the whole of it is an implicit pointer
	parts  bool   // it was assembled: bytes behind the last piece were not kept
	x87    bool   // the whole of it is an x87 register, for a float of any size
}

// at returns the part of a view from an offset on.
func (v view) at(off uint64) view {
	v.addr += off
	v.from += off
	if off != 0 {
		v.points, v.x87 = nil, false
	}
	return v
}

// maxObject bounds the bytes that are assembled from pieces.
const maxObject = 1 << 16

// view makes a view of a place. The size of the value is not known here: pieces have sizes, and a
// piece without one extends as far as possible.
func (r *reader) view(p Place) view {
	if len(p.Pieces) == 1 && !p.Pieces[0].Partial {
		switch piece := &p.Pieces[0]; piece.Kind {
		case InMemory:
			return view{memory: true, addr: piece.Addr}
		case ImplicitPointer:
			return view{points: piece}
		}
	}
	var b bits
	for i := range p.Pieces {
		r.add(&b, &p.Pieces[i])
		if len(b.bytes) > maxObject {
			break
		}
	}
	v := view{bytes: b.bytes, known: b.known}
	v.parts = len(p.Pieces) > 1 || len(p.Pieces) == 1 && p.Pieces[0].Partial
	v.x87 = len(p.Pieces) == 1 && p.Pieces[0].Kind == InRegister && len(b.bytes) == x87Bytes
	return v
}

type bits struct {
	bytes []byte
	known []*Error
	n     uint64 // bits so far
}

func (r *reader) add(b *bits, p *Piece) {
	n := p.Bits
	data, err := r.pieceBytes(p)
	if !p.Partial {
		n = uint64(len(data)) * 8
		if err != nil {
			n = 8 * 8
		}
	}
	n = min(n, 8*maxObject)
	if err == nil && p.BitsAt+n > uint64(len(data))*8 {
		err = Damaged("a piece of %d bits at bit %d of %d bytes", n, p.BitsAt, len(data))
	}
	for i := range n {
		if b.n%8 == 0 {
			b.bytes, b.known = append(b.bytes, 0), append(b.known, nil)
		}
		last := len(b.bytes) - 1
		if err != nil {
			b.known[last] = asError(err)
		} else {
			from := p.BitsAt + i
			if r.frame.BigEndian {
				b.bytes[last] |= data[from/8] >> (7 - from%8) & 1 << (7 - b.n%8)
			} else {
				b.bytes[last] |= data[from/8] >> (from % 8) & 1 << (b.n % 8)
			}
		}
		b.n++
	}
}

// pieceBytes returns the bytes that contain a piece.
func (r *reader) pieceBytes(p *Piece) ([]byte, error) {
	switch p.Kind {
	case InRegister:
		b, err := r.eval.Bytes(p.Reg)
		if err == nil && r.frame.BigEndian && p.Partial && p.BitsAt == 0 && p.Bits < uint64(len(b))*8 {
			b = b[uint64(len(b))-(p.Bits+7)/8:] // the least significant part
		}
		return b, err
	case Constant:
		return p.Bytes, nil
	case InMemory:
		n := (p.BitsAt + p.Bits + 7) / 8
		b := make([]byte, min(n, maxObject))
		if !r.load(p.Addr, b) {
			return nil, uncaptured(p.Addr)
		}
		return b, nil
	case ImplicitPointer:
		return nil, Gone("it points to a variable that is not in memory")
	}
	if p.Why != nil {
		return nil, p.Why
	}
	return nil, Gone("this part of it was not kept")
}

// load reads memory, within the budget.
func (r *reader) load(addr uint64, b []byte) bool {
	if r.bytes -= len(b); r.bytes < 0 || r.frame.Memory == nil {
		return false
	}
	addr &= r.frame.Arch.Mask()
	if r.frame.Memory.Read(addr, b) < len(b) {
		return false
	}
	if len(b) <= 8 {
		r.eval.note(Word{addr, r.frame.Number(b), len(b)})
	}
	return true
}

// get returns the first size bytes of a view.
func (r *reader) get(v view, size uint64) ([]byte, error) {
	switch {
	case size > maxObject:
		return nil, Damaged("a value of %d bytes", size)
	case v.points != nil:
		return nil, Gone("it points to a variable that is not in memory")
	case v.x87 && size != x87Bytes:
		return nil, Damaged("%d bytes of a register of x87, which holds a float of %d", size, x87Bytes)
	case v.memory:
		b := make([]byte, size)
		if r.bytes < int(size) {
			return nil, Damaged("more than %d bytes of memory would be read for this frame", r.limits.Bytes)
		}
		if !r.load(v.addr, b) {
			return nil, uncaptured(v.addr)
		}
		return b, nil
	}
	if r.frame.BigEndian && v.from == 0 && uint64(len(v.bytes)) <= 8 && size < uint64(len(v.bytes)) {
		v.from = uint64(len(v.bytes)) - size // the least significant part of a register
	}
	end := v.from + size
	if v.parts && end > uint64(len(v.bytes)) {
		return nil, Gone("this part of it was not kept")
	}
	if end < v.from || end > uint64(len(v.bytes)) {
		return nil, Damaged("the place has %d bytes, and the value %d at %d", len(v.bytes), size, v.from)
	}
	for _, err := range v.known[v.from:end] {
		if err != nil {
			return nil, err
		}
	}
	return v.bytes[v.from:end], nil
}

func (p Place) describe() string {
	var parts []string
	for i := range p.Pieces {
		parts = append(parts, p.Pieces[i].describe())
		if i == 8 {
			parts = append(parts, "…")
			break
		}
	}
	return strings.Join(parts, ", ")
}

// describe returns a piece as text: "32 bits: rbx".
func (p *Piece) describe() (text string) {
	switch p.Kind {
	case InMemory:
		text = fmt.Sprintf("%#x", p.Addr)
	case InRegister:
		text = strings.TrimPrefix(p.Reg, "$")
	case Constant:
		text = "constant"
	case ImplicitPointer:
		text = "points to what is not in memory"
	default:
		text = "optimized out"
	}
	if p.Partial {
		text = fmt.Sprintf("%d bits: %s", p.Bits, text)
	}
	return text
}
