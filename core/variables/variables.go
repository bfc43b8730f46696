// Package variables reads the arguments and local variables of a frame: through
// the registers that the walk proved and the memory that was captured, and
// through nothing else.
//
// A [Source], which readers of debug information implement, says which scopes
// an address is in, and for each variable its name, its type and a [Rule] for
// where it is. The rule is applied to a [Frame] and gives a [Place]: memory,
// registers, constants, or pieces of all three. A value is read from the place
// by its type, as a tree.
//
//	for _, scope := range variables.Read(&frame, variables.Limits{}) {
//		for _, v := range scope.Values {
//			fmt.Println(v.Name, v.State, v.Text)
//		}
//	}
//
// A value is never guessed. What a register held that the walk did not prove,
// what the compiler did not keep, and what the dump did not capture are states
// of their own, and one member's state is not its neighbours'.
//
// The package knows no format of debug information. Depth, breadth, bytes and
// the number of values are bounded by [Limits], whatever types and memory say.
//
// Read this file first, then eval.go, which finds a value by a rule, and
// read.go, which reads one frame: value.go, number.go, pointer.go, array.go,
// structure.go, text.go and dynamic.go are kinds of values. known.go knows
// types of libraries, by shapes.go and a file for each library (libstdcxx.go,
// libcxx.go, msvc.go, rust.go, golang.go, qt.go and others). views.go reads by
// a NatVis file, statics.go reads global variables, kept.go takes over
// registers of callers.
package variables

import (
	"crashglass/core/cpu"
	"crashglass/core/natvis"
	"crashglass/core/types"
)

// A Source knows the variables of one module. Addresses are relative to the
// module's base.
type Source interface {
	// Scopes returns the scopes that an address is in: the calls inlined there,
	// innermost first, and last the function itself. It reads no values.
	Scopes(rel uint64) []Scope
}

// A Scope is a function, or a call that was inlined.
type Scope struct {
	Function  string // the linker's name where there is one
	Inlined   bool
	Variables []Variable // arguments first, then locals, those of outer blocks first
}

// A Variable is what debug information says of a variable.
type Variable struct {
	Name     string
	Type     types.Ref
	Argument bool
	Block    Block
	Rule     Rule   // nil where it says nothing: the variable was optimized out
	From     string // what says so, for the evidence: ".debug_info at 0x1234"
}

// A Rule says where a variable is.
type Rule interface {
	// Place applies the rule to a frame. It fails with an *Error.
	Place(e *Eval) (Place, error)

	// String is the rule in the format's own words: "DW_OP_fbreg -40".
	String() string
}

// A CallSites is a Source that knows what calls passed to the functions that
// they called.
type CallSites interface {
	// Passed returns what a register held when the function that e's callee is
	// in was entered by the call that returns to e's frame. It fails with an
	// *Error where that is not proved.
	Passed(e *Eval, callee *Frame, reg string) (uint64, error)

	// Entered returns where the function at an address begins, and the name
	// that linkers have for it, "" for a local one. It fails with an *Error
	// where the function may have been entered by a jump from itself.
	Entered(rel uint64) (start uint64, name string, err error)
}

// A Place is where a value is: one piece or, in the order of the value's bits, several.
type Place struct{ Pieces []Piece }

// A Piece is where a part of a value is.
type Piece struct {
	Kind PieceKind

	Addr  uint64 // InMemory
	Reg   string // InRegister
	Bytes []byte // Constant, in the target's byte order

	Points *Variable // ImplicitPointer: what it would point to, if that were in memory
	Offset int64     // and how far into it

	Why *Error // Missing

	Bits    uint64 // how many; 0 for all that the value has
	BitsAt  uint64 // where they begin in the register, memory or constant
	Partial bool   // Bits counts
}

// A PieceKind says what a piece is in.
type PieceKind uint8

// The kinds of pieces.
const (
	Missing PieceKind = iota
	InMemory
	InRegister
	Constant
	ImplicitPointer
)

// Const is the place of a value that is known as such.
func Const(bytes []byte) Place { return Place{[]Piece{{Kind: Constant, Bytes: bytes}}} }

// Memory is the target's memory, as far as it was captured.
type Memory interface {
	// Read copies memory from addr on, and returns how many bytes of it there
	// are without a gap.
	Read(addr uint64, p []byte) int
}

// A Frame is a physical frame, with all that values may be read through.
type Frame struct {
	Arch      *cpu.Arch
	BigEndian bool
	Windows   bool      // types have the sizes of Windows
	Regs      *cpu.Regs // those that the walk proved, as they were in this frame
	Memory    Memory

	// Vector returns a register that is none of Arch: of floating point or
	// vectors. Of a caller it returns the bytes that calls leave alone.
	Vector func(name string) ([]byte, bool)

	// CFA returns the canonical frame address, by the call frame rules.
	CFA func() (uint64, bool)

	// CFABase names the register that those rules count the CFA from, "" where
	// that is not one register. It is nil where there are no rules.
	CFABase func() string

	// VFrame returns the virtual frame of x86 code for Windows: $T0 of the
	// program that unwinds it. It is nil where there is none.
	VFrame func() (uint64, bool)

	Base   uint64 // of the module
	Rel    uint64 // address inside the instruction that is executing, relative to Base
	Return uint64 // where execution goes on, relative to Base

	Interrupted bool // it did not make a call: Rel is exact
	Doubt       bool // it, or one before it, was scanned for

	Source any    // what is known of the module: a Source, or nil
	Caller *Frame // nil when there is none, or none that is proved
	Callee *Frame // nil for the innermost

	kept tri // whether its registers were kept by what it called

	Views *natvis.Set // how types are shown, by the user's files; nil for none

	// Describe says what is at an address: a function, a module. "" for nothing.
	Describe func(addr uint64) string
}
