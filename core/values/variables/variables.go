// Package variables reads the arguments and local variables of a frame. It uses only registers that
// the walk proved and memory that was captured.
//
// Readers of debug information implement [Source]. It gives the scopes at an address, and for each
// variable its name, its type and a [Rule] for its location. A rule that is applied to a [Context]
// gives a [Place]: memory, registers, constants, or pieces of all three. The type determines how a
// value is read from the place, as a tree.
//
//	for _, scope := range variables.Read(&frame, variables.Limits{}) {
//		for _, v := range scope.Values {
//			fmt.Println(v.Name, v.State, v.Text)
//		}
//	}
//
// A value is never guessed. A register that the walk did not prove, a value that the compiler did
// not keep, and memory that was not captured are states of their own. Each member has a state of
// its own.
//
// The package knows no format of debug information. [Limits] bounds depth, breadth, bytes and the
// number of values for any types and memory.
//
// Read this file first, then eval.go, which finds a value by a rule, and read.go, which reads one
// frame: value.go, number.go, pointer.go, array.go, structure.go, text.go and dynamic.go are kinds
// of values. known.go knows types of libraries, by shapes.go, linked.go and a file for each library
// (libstdcxx.go, libcxx.go, msvc.go, rust.go, golang.go, qt.go and others). views.go reads by a
// NatVis file, evaluate.go and evaluator.go read expressions, statics.go reads global variables, lock.go names locks, preserved.go decides which registers callees
// preserved.
package variables

import (
	"cmp"

	"crashglass/core/base/sorting"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/values/natvis"
	"crashglass/core/values/types"
)

// A Source knows the variables of one module. Addresses are relative to the
// module's base.
type Source interface {
	// Scopes returns the scopes at an address: the calls inlined there, innermost first, and last
	// the function itself. It reads no values.
	Scopes(rel uint64) []Scope
}

// Symbols are what the symbols of a module say of variables. A field is nil if they lack it.
type Symbols struct {
	Scopes       Source
	CallSites    CallSites
	Statics      Statics
	RuntimeTypes RuntimeTypes
	Languages    Languages
	Classes      Classes
	Names        Names
}

// Names names data without debug information.
type Names interface {
	// NameAt returns the name and the start of the variable that contains an address of the module, "" for none.
	NameAt(rel uint64) (name string, start uint64)

	// EachData calls each for the variables whose linkage names begin with prefix, in any order.
	EachData(prefix string, each func(name string, rel uint64))
}

// A Scope is a function, or an inlined call.
type Scope struct {
	Function  string // the linkage name, if there is one
	Inlined   bool
	Variables []Variable // arguments first, then locals, those of outer blocks first
}

// A Variable is the debug information about a variable.
type Variable struct {
	Name     string
	Type     types.Ref
	Argument bool
	Block    Block
	Rule     Rule   // nil for a variable without a location: it was optimized out
	From     string // the source of the rule, for the evidence: ".debug_info at 0x1234"
}

// A Rule locates a variable.
type Rule interface {
	// Place applies the rule to a frame. It fails with an *Error.
	Place(e *Eval) (Place, error)

	// String returns the rule in the format's own words: "DW_OP_fbreg -40".
	String() string
}

// A CallSites is a Source that knows the arguments at call sites.
type CallSites interface {
	// Passed returns the value of a register at the entry of the function that e's frame called. It
	// fails with an *Error if that is not proved.
	Passed(e *Eval, callee *Context, reg string) (uint64, error)

	// Entered returns the start of the function at an address, and its linkage name, "" for a local
	// one. It fails with an *Error if the function may have been entered by a jump from itself.
	Entered(rel uint64) (start uint64, name string, err error)
}

// A Place is the location of a value: one piece or, in the order of the value's bits, several.
type Place struct{ Pieces []Piece }

// A Piece is the location of a part of a value.
type Piece struct {
	Kind PieceKind

	Addr  uint64 // InMemory
	Reg   string // InRegister
	Bytes []byte // Constant, in the target's byte order

	Points *Variable // ImplicitPointer: the variable that it would point to, if that were in memory
	Offset int64     // and the offset in it

	Why *Error // Missing

	Bits    uint64 // number of bits; 0 for the whole value
	BitsAt  uint64 // offset of these bits in the register, memory or constant
	Partial bool   // Bits counts
}

// A PieceKind is the kind of a piece.
type PieceKind uint8

// The kinds of pieces.
const (
	Missing         PieceKind = iota // the compiler did not keep it: an empty piece of DWARF
	InMemory                         // at Addr
	InRegister                       // in Reg, whose value the walk has to have proved
	Constant                         // Bytes: DW_OP_implicit_value, DW_OP_stack_value, a constant of a PDB
	ImplicitPointer                  // DW_OP_implicit_pointer: a pointer that was optimized away
)

// Const returns the place of a constant value.
func Const(bytes []byte) Place { return Place{[]Piece{{Kind: Constant, Bytes: bytes}}} }

// A Context is a physical frame, with everything that reading its values needs.
type Context struct {
	*process.Frame
	Arch      *cpu.Arch
	BigEndian bool
	Windows   bool // types have the sizes of Windows
	Memory    process.ByteReader

	// Vector returns a floating point or vector register. For a caller it returns the bytes that
	// calls preserve.
	Vector func(name string) ([]byte, bool)

	// CFA returns the canonical frame address, by the call frame rules.
	CFA func() (uint64, bool)

	// CFABase names the register of the CFA's rule, "" if the rule uses no single register. It is
	// nil if there are no rules.
	CFABase func() string

	// VFrame returns the virtual frame of x86 code for Windows: $T0 of the unwind program. It is
	// nil if there is none.
	VFrame func() (uint64, bool)

	Symbols Symbols  // of the module
	Caller  *Context // nil when there is none that is proved
	Callee  *Context // nil for the innermost

	preserved tri // whether its callees preserved its registers

	Views *natvis.Set // the user's views of types; nil for none
	Lists Lists       // CustomLists, or nil if the views have no CustomListItems

	// Other returns a frame of no function in another module, for the variables outside of functions there;
	// nil for none.
	Other func(module string) *Context

	// Describe names the function or module at an address; "" for nothing.
	Describe func(addr uint64) string

	// Mapped reports whether memory may be mapped from an address to another; nil says nothing.
	Mapped func(first, last uint64) bool
}

// A Block is the lexical block of its scope that a variable is in. The zero
// value is the body of the function.
type Block struct {
	Depth int    // the nesting depth of the block
	Line  uint32 // the block's first line; 0 when it is unknown
}

// Arrange sorts the variables of a scope for display: arguments first, then by depth of block,
// otherwise stable.
func Arrange(list []Variable) {
	sorting.Stable(list, func(a, b Variable) int {
		if a.Argument != b.Argument {
			return map[bool]int{true: -1, false: 1}[a.Argument]
		}
		return cmp.Compare(a.Block.Depth, b.Block.Depth)
	})
}

// hidden returns the variables that one with the same name in an inner block hides.
func hidden(list []Variable) []bool {
	deepest := make(map[string]int, len(list))
	for i := range list {
		deepest[list[i].Name] = max(deepest[list[i].Name], list[i].Block.Depth)
	}
	out := make([]bool, len(list))
	for i := range list {
		out[i] = list[i].Block.Depth < deepest[list[i].Name]
	}
	return out
}
