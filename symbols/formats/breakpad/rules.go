package breakpad

import (
	"crashglass/core/base/ranges"
	"crashglass/core/stack/unwind"
)

// Function returns the FUNC or, failing that, the PUBLIC record at an address,
// as Locate does.
func (f *File) Function(rel uint64) (unwind.Function, bool) {
	return query(f, func() (unwind.Function, bool) { return f.function(rel) })
}

func (f *File) function(rel uint64) (unwind.Function, bool) {
	var s symbol
	at, ok := f.recordAt(byFunc, rel)
	if ok {
		s, ok = f.functionAt(at, rel)
	} else {
		s, ok = f.publicAt(rel)
	}
	if !ok {
		return unwind.Function{}, false
	}
	return unwind.Function{Name: s.name, Start: s.start, Size: s.size, ParamSize: s.params, Public: s.public, Stated: s.stated}, true
}

// WinFrame returns the STACK WIN record that covers an address, one of type 4 before one of type 0.
func (f *File) WinFrame(rel uint64) (unwind.WinFrame, bool) {
	return query(f, func() (unwind.WinFrame, bool) { return f.winFrame(rel) })
}

func (f *File) winFrame(rel uint64) (unwind.WinFrame, bool) {
	kind := uint64(winFrameData)
	at, ok := f.recordAt(byWin, rel)
	if !ok {
		var r ranges.Range
		kind = winFPO
		r, ok = f.x.fpo.Find(rel)
		at = r.Value
	}
	if !ok {
		return unwind.WinFrame{}, false
	}
	rec, err := f.winAt(at)
	if err != nil {
		f.failed(err)
		return unwind.WinFrame{}, false
	}
	f.doubt(!rec.bad && rec.kind == kind && rel-rec.Start < rec.Size)
	return rec.WinFrame, !rec.bad
}

func (f *File) winAt(at int64) (winRecord, error) {
	if rec, ok := f.cache.wins.Get(at); ok {
		return rec, nil
	}
	line, err := f.lineAt(at)
	if err != nil {
		return winRecord{}, err
	}
	k, rest := kindOf(line)
	r := fieldsOf(rest)
	rec := parseWin(&r)
	rec.bad = rec.bad || k != kindWin
	f.cache.wins.Put(at, rec, winCost+len(rec.Program))
	return rec, nil
}

// winCost is the approximate size of a record without its program.
const winCost = 128

// CallFrame returns the rules of the STACK CFI INIT record that covers an
// address, changed by its rows up to that address.
func (f *File) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	return query(f, func() (unwind.CallFrame, bool) { return f.callFrame(rel) })
}

func (f *File) callFrame(rel uint64) (unwind.CallFrame, bool) {
	at, ok := f.recordAt(byInit, rel)
	if !ok {
		return unwind.CallFrame{}, false
	}
	fr := f.framesAt(at)
	f.doubt(rel-fr.start < fr.size)
	rules := fr.at(rel)
	return unwind.CallFrame{Start: fr.start, Size: fr.size, Rules: rules}, len(rules) > 0
}

// Types of STACK WIN records: StackFrameTypeEnum of Microsoft's DIA.
const (
	winFPO       = 0
	winFrameData = 4
)

// Programs of Microsoft's compilers have less than 300, and each frame of a recursion runs its program.
const maxProgram = 16 << 10

// A winRecord is a STACK WIN record of any type.
type winRecord struct {
	unwind.WinFrame
	kind uint64
	bad  bool
}

// parseWin reads the fields after STACK WIN: type rva code_size prologue_size epilogue_size
// parameter_size saved_register_size local_size max_stack_size has_program_string, and a program or
// allocates_base_pointer.
//
// The flag decides the meaning of the last field for every type, as in Breakpad
// (WindowsFrameInfo::ParseFromString). rust-minidump drops records in which flag and type disagree.
func parseWin(f *fields) (r winRecord) {
	r.kind = f.hex()
	r.FrameData = r.kind == winFrameData
	r.Start, r.Size = f.hex(), f.hex()
	r.Prolog = f.hex32()
	f.hex32() // epilogue
	r.ParamSize, r.SavedRegs, r.Locals = f.hex32(), f.hex32(), f.hex32()
	f.hex32() // max stack
	program := f.hex() != 0
	if program {
		r.Program = string(f.rest())
	} else {
		r.AllocatesEBP = f.hex() != 0
	}
	r.bad = f.bad || len(r.Program) > maxProgram
	return r
}
