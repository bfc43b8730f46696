package breakpad

import "crashglass/core/stack/unwind"

// Types of STACK WIN records: StackFrameTypeEnum of Microsoft's DIA.
const (
	winFPO       = 0
	winFrameData = 4
)

// maxProgram bounds a program, in bytes. Programs of Microsoft's compilers have less than 300, and each
// frame of a recursion runs its program.
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
