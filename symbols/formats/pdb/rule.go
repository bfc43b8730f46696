package pdb

import (
	"slices"
	"strings"

	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

// A rule is the location of a variable at one address.
type rule struct {
	f        *File
	frame    *procFrame
	argument bool
	size     types.Ref // the variable's type, which says how large it is
	places   []place
}

const maxParts = 256

// String implements variables.Rule.
func (r *rule) String() string {
	var list []string
	for i := range r.places[:min(len(r.places), maxParts)] {
		list = append(list, r.places[i].text(r.frame.machine, r.baseOf(&r.places[i])))
	}
	if len(list) == 0 {
		return "no S_DEFRANGE record covers the instruction"
	}
	return strings.Join(list, ", ")
}

func (r *rule) baseOf(p *place) string {
	if p.kind == atFramePointer {
		return r.frame.framePointer()
	}
	return r.frame.base(r.argument)
}

// Place implements variables.Rule.
func (r *rule) Place(e *variables.Eval) (variables.Place, error) {
	switch {
	case len(r.places) == 0:
		return variables.Place{}, variables.Gone("the debug information has no place for it at this instruction")
	case len(r.places) > maxParts:
		return variables.Place{}, variables.Damaged("the variable has more than %d parts", maxParts)
	case !r.places[0].part:
		piece, err := r.piece(e, &r.places[0])
		if err != nil {
			return variables.Place{}, err
		}
		return variables.Place{Pieces: []variables.Piece{piece}}, nil
	}
	return r.parts(e)
}

// parts joins a variable from the parts that have a location.
func (r *rule) parts(e *variables.Eval) (out variables.Place, err error) {
	size, ok := types.Size(r.size.Get())
	if !ok || size > maxObject {
		return out, variables.Damaged("the parts are of a variable whose size is not known")
	}
	list := slices.Clone(r.places)
	slices.SortStableFunc(list, func(a, b place) int { return int(a.parent) - int(b.parent) })
	at := uint64(0)
	for i := range list {
		p := &list[i]
		end := size
		if i+1 < len(list) {
			end = min(end, uint64(list[i+1].parent))
		}
		if uint64(p.parent) < at || uint64(p.parent) >= end {
			continue
		}
		out.Pieces = appendMissing(out.Pieces, uint64(p.parent)-at)
		at = end
		out.Pieces = r.part(out.Pieces, e, p, end-uint64(p.parent))
	}
	out.Pieces = appendMissing(out.Pieces, size-at)
	return out, nil
}

// maxObject bounds a variable that is put together.
const maxObject = 1 << 16

// part appends a part of so many bytes at most. A register may have fewer, and
// the records do not say how large a part is: only the member at its beginning
// is certain.
func (r *rule) part(out []variables.Piece, e *variables.Eval, p *place, bytes uint64) []variables.Piece {
	piece, err := r.piece(e, p)
	if err != nil {
		return append(out, variables.Piece{Kind: variables.Missing, Why: asError(err), Partial: true, Bits: 8 * bytes})
	}
	has := min(bytes, leafSize(r.size.Get(), uint64(p.parent), maxTypeDepth))
	if piece.Kind == variables.InRegister {
		has = min(has, piece.Bits/8)
	}
	piece.Partial, piece.Bits = true, 8*has
	return appendMissing(append(out, piece), bytes-has)
}

func asError(err error) *variables.Error {
	if e, ok := err.(*variables.Error); ok {
		return e
	}
	return variables.Damaged("%v", err)
}

func appendMissing(out []variables.Piece, bytes uint64) []variables.Piece {
	if bytes == 0 {
		return out
	}
	return append(out, variables.Piece{Kind: variables.Missing, Partial: true, Bits: 8 * bytes})
}

func (r *rule) piece(e *variables.Eval, p *place) (variables.Piece, error) {
	switch p.kind {
	case inRegister:
		return r.register(e, p)
	case constantValue:
		return variables.Piece{Kind: variables.Constant, Bytes: e.Frame.Bytes(uint64(p.off), 8)}, nil
	case inThread:
		return variables.Piece{}, variables.Damaged("variables in thread-local storage are not read")
	case atRegister, behindPointer, atFrame, atFramePointer, atAddress:
		addr, err := r.address(e, p)
		return variables.Piece{Kind: variables.InMemory, Addr: addr}, err
	}
	return variables.Piece{}, variables.Damaged("%s records are not read", ruleNames[p.rule])
}

func (r *rule) register(e *variables.Eval, p *place) (variables.Piece, error) {
	reg, ok := registerOf(r.frame.machine, p.reg)
	switch {
	case !ok:
		return variables.Piece{}, variables.Damaged("register %d is not known", p.reg)
	case p.maybe:
		return variables.Piece{}, variables.Damaged("on some paths to this instruction %s does not hold it", reg.name)
	}
	piece := variables.Piece{Kind: variables.InRegister, Reg: reg.name, BitsAt: reg.at, Bits: reg.bits}
	piece.Partial = reg.bits != 8*uint64(e.Frame.Arch.Word) && reg.bits != 128
	return piece, nil
}

func (r *rule) address(e *variables.Eval, p *place) (uint64, error) {
	if p.kind == atAddress {
		return r.static(e, p)
	}
	base := r.baseOf(p)
	if p.kind == atRegister || p.kind == behindPointer {
		base = registerName(r.frame.machine, p.reg)
		if _, ok := registerOf(r.frame.machine, p.reg); !ok && p.reg != cvVFRAME {
			return 0, variables.Damaged("%s is not known", base)
		}
	}
	from, err := r.frame.value(e, base)
	from += uint64(p.off)
	whole := r.argument && !p.part
	switch {
	case err != nil:
		return 0, err
	case whole && r.frame.pointers && r.wide(e):
		return 0, variables.Damaged("the arguments take less of the stack than their types, so that this one may be a pointer")
	case p.kind != behindPointer && !(whole && r.frame.isBase(e, base) && r.byReference(e, from)):
		return from, nil
	}
	pointer, err := e.Word(from, e.Frame.Arch.Word)
	return pointer + uint64(p.then), err
}

// byReference reports whether an argument that is at an address of the caller's
// frame, counted from this one's, is there as a pointer.
// On x64 a caller passes what has not 1, 2, 4 or 8 bytes so; LLVM before
// version 21 describes the pointer's place as that of the argument.
//
// Source: https://learn.microsoft.com/cpp/build/x64-calling-convention#parameter-passing
func (r *rule) byReference(e *variables.Eval, addr uint64) bool {
	if r.frame.machine != machineAMD64 {
		return false
	}
	switch size, ok := types.Size(r.size.Get()); {
	case !ok, size == 1, size == 2, size == 4, size == 8:
		return false
	}
	cfa, err := e.CFA()
	return err == nil && addr >= cfa
}

// wide reports whether a variable is a structure or an array of more bytes than
// a word.
func (r *rule) wide(e *variables.Eval) bool {
	t := types.Strip(r.size.Get())
	size, ok := types.Size(t)
	return ok && size > uint64(e.Frame.Arch.Word) && t.Kind >= types.Array && t.Kind <= types.Union
}

func (r *rule) static(e *variables.Eval, p *place) (uint64, error) {
	rva, ok := r.f.addr.rva(p.sect, uint32(p.off))
	if !ok {
		return 0, variables.Gone("the linker left it out")
	}
	pieces := r.f.addr.pieces(rva, endOf(rva, 1))
	if len(pieces) == 0 {
		return 0, variables.Gone("the code and data were rearranged without it")
	}
	return e.Frame.Base() + uint64(pieces[0].start), nil
}

// leafSize is the number of bytes from an offset on that belong to the member there that has no
// members of its own. Where members share bytes the smallest counts.
func leafSize(t *types.Type, off uint64, left int) uint64 {
	t = types.Strip(t)
	if t == nil || left == 0 {
		return 0
	}
	size, _ := types.Size(t)
	switch t.Kind {
	case types.Array:
		elem := t.Elem.Get()
		if n, ok := types.Size(elem); ok && n > 0 {
			return leafSize(elem, off%n, left-1)
		}
		return 0
	case types.Struct, types.Class, types.Union:
		return memberSize(t, off, left)
	}
	return size - min(off, size)
}

// memberSize is leafSize of a structure. Bits are certain up to the byte's end.
func memberSize(t *types.Type, off uint64, left int) uint64 {
	found := false
	least := uint64(maxObject)
	for i := range t.Members {
		m := &t.Members[i]
		if m.Static || m.Virtual {
			continue
		}
		at, n := m.Offset, uint64(0)
		if m.Bits > 0 {
			at, n = m.BitOffset/8, 1
		} else if size, ok := types.Size(m.Type.Get()); ok && at <= off && off-at < size {
			n = leafSize(m.Type.Get(), off-at, left-1)
		}
		if n > 0 && at <= off && (m.Bits == 0 || off-at < (m.Bits+7)/8) {
			found, least = true, min(least, n)
		}
	}
	if !found {
		return 0
	}
	return least
}
