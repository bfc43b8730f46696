package breakpad

import "bytes"

// Each function here reads one kind of record during the scan. The forms are
// those of symbol_files.md, in the sections of the same names.

// function reads FUNC [m] address size parameter_size name.
func (s *scanner) function(f *fields, at int64) {
	r := parseFunc(f)
	if s.fn = -1; r.bad {
		s.note("FUNC is malformed", at)
		return
	}
	s.fn, s.body = at, kindFunc
	if s.covers(&funcFlaws, r.start, r.size, at) {
		s.funcs.Add(r.start, r.size, at)
	}
}

// flaws are the notes on a record without a valid range.
type flaws struct{ empty, beyond string }

var (
	funcFlaws = flaws{"FUNC has size 0 and covers nothing", "FUNC reaches beyond the address space"}
	initFlaws = flaws{"STACK CFI INIT has size 0 and covers nothing", "STACK CFI INIT reaches beyond the address space"}
	winFlaws  = flaws{"STACK WIN has size 0 and covers nothing", "STACK WIN reaches beyond the address space"}
)

// covers reports whether a range is one that a table can hold.
func (s *scanner) covers(n *flaws, start, size uint64, at int64) bool {
	switch {
	case size == 0:
		// Breakpad and rust-minidump leave these out, too.
		s.note(n.empty, at)
	case wraps(start, size):
		s.note(n.beyond, at)
	default:
		return true
	}
	return false
}

// wraps reports whether a range that has a size reaches beyond the address space.
func wraps(start, size uint64) bool { return start+(size-1) < start }

// public reads PUBLIC [m] address parameter_size name.
func (s *scanner) public(f *fields, at int64) {
	s.fn = -1 // it has no lines, so lines after it belong to no function
	r := parsePublic(f)
	switch {
	case r.bad:
		s.note("PUBLIC is malformed", at)
	case r.start == 0:
		// dump_syms wrote such records for symbols of ntdll.pdb without an address (_CIlog,
		// RtlDescribeChunkLZNT1), and writes them for __mh_execute_header. The start of a module is
		// no code.
		s.note(notePublicZero, at)
	default:
		s.publics.add(r.start, at)
	}
}

// init reads STACK CFI INIT address size rules.
func (s *scanner) init(f *fields, at int64) {
	start, size := f.hex(), f.hex()
	if s.cfi = -1; f.bad || !f.more() {
		s.note("STACK CFI INIT is malformed", at)
		return
	}
	s.cfi, s.body = at, kindInit
	if s.covers(&initFlaws, start, size, at) {
		s.inits.Add(start, size, at)
	}
}

// win reads STACK WIN type rva code_size and the required other fields.
func (s *scanner) win(f *fields, at int64) {
	r := parseWin(f)
	switch {
	case r.bad:
		s.note("STACK WIN is malformed", at)
	case r.kind == winFrameData || r.kind == winFPO:
		t := &s.fpo
		if r.kind == winFrameData {
			t = &s.frames
		}
		if s.covers(&winFlaws, r.Start, r.Size, at) {
			t.Add(r.Start, r.Size, at)
		}
	}
	// The format has other types, but no writer uses them.
}

// number reads FILE number name, or INLINE_ORIGIN number name.
func (s *scanner) number(f *fields, t *pairs, k kind, at int64) {
	id := f.dec()
	switch {
	case !f.bad && f.more():
		t.add(uint64(id), at)
	case k == kindFile:
		s.note("FILE is malformed", at)
	default:
		s.note("INLINE_ORIGIN is malformed", at)
	}
}

// about notes where MODULE and INFO CODE_ID are.
func (s *scanner) about(k kind, rest []byte, at int64) {
	switch {
	case k == kindModule && s.module < 0:
		s.module = at
		s.lost = s.continued
	case k == kindModule:
		s.note("MODULE is there twice: the first counts", at)
	case s.codeID < 0 && bytes.HasPrefix(rest, []byte("CODE_ID ")):
		s.codeID = at
	}
}
