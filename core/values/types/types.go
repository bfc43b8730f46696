// Package types is the model of variables' types for all formats of debug information, because
// DWARF and PDB describe the same languages.
//
// A [Type] has the facts of one record. It refers to other types by [Ref]s, which read them on
// demand. So a reader makes only the types that a value needs, and a type may contain itself. Facts
// are copied unchecked: sizes and offsets may contradict each other. Package variables, which reads
// values, bounds depth, breadth and bytes.
//
// A reader fills in:
//
//	base types     Kind, Name, Size
//	pointers       Kind Pointer, Reference or RValueReference; Elem; Size
//	arrays         Kind Array; Elem; Counts, outermost dimension first
//	structures     Kind Struct, Class or Union; Members; Variants of a Rust enum
//	enumerations   Kind Enum; Elem, where it is known; Enumerators; Size
//	other names    Kind Typedef or Qualified; Elem
//	functions      Kind Function; Elem is the result; Params
//
// A type that is only declared has Incomplete set; Complete finds its
// definition, where the reader can.
package types

// A Ref refers to a type. A nil Ref is the type void.
type Ref func() *Type

// Get returns the type, or nil for a nil or dangling Ref.
func (r Ref) Get() *Type {
	if r == nil {
		return nil
	}
	return r()
}

// A Kind is the kind of a type.
type Kind uint8

// The kinds of types.
const (
	Unknown         Kind = iota // damaged, or of an unsupported kind
	Void                        // also Rust's () and nullptr_t's content
	Bool                        // of any size
	Signed                      // an integer, also of one byte: signed char, i8
	Unsigned                    // also unsigned char, u8, byte
	Char                        // text of one byte, with a sign where Minus is set: char, char8_t
	Wide                        // a character of UTF-16 or UTF-32, wchar_t, Rust's char
	Float                       // by its size: binary16, 32, 64, x87's 80 bits, 128
	Complex                     // two floats
	Decimal                     // an unsupported encoding: its bytes are shown
	Pointer                     //
	Reference                   //
	RValueReference             //
	Array                       //
	Struct                      //
	Class                       //
	Union                       //
	Enum                        //
	Typedef                     //
	Qualified                   // const, volatile, restrict, _Atomic; Name says which
	Function                    //
	MemberPointer               // of Elem, in Class
)

// A Language determines how values are written.
type Language uint8

// The languages that differ.
const (
	C Language = iota // and languages that are written like it
	CPlusPlus
	Rust
	Go
	Swift
	ObjectiveC
)

// A Type is one type.
type Type struct {
	Kind     Kind
	Language Language

	// Name is the full name, with namespaces and template arguments, as the debug information
	// spells it: "std::vector<int, std::allocator<int> >". It is "" for types without a name, such
	// as pointers and anonymous structures.
	Name string

	Size  uint64 // in bytes
	Sized bool   // Size is known
	Minus bool   // of Char and Wide: it has a sign

	Elem  Ref // the type that it points to, consists of, or renames
	Class Ref // of MemberPointer; for a Rust vtable, the type that it belongs to

	Counts []Count // of Array: elements of each dimension

	Members     []Member
	Variants    *Variants
	Enumerators []Enumerator
	Params      []Ref      // of Function
	Args        []Argument // of templates

	Incomplete bool // only declared
	Complete   Ref  // the definition of an incomplete type, elsewhere
}

// A Count is the number of elements of a dimension.
type Count struct {
	N     uint64
	Known bool  // false for int a[], and if it is known only at run time
	Low   int64 // the index of the first element
	Bound any   // how to find it at run time: a variables.Bound; nil if unknown
}

// A Member is a field, or a base class.
type Member struct {
	Name   string // "" for an anonymous structure or union; for a base class, see Base
	Type   Ref
	Offset uint64 // in bytes

	// For a bit field: bits count from the structure's first bit, in the order of the machine (from
	// the least significant on little-endian ones), and Offset is not used. Bits is 0 for other
	// members.
	Bits, BitOffset uint64

	Base       bool // a base class
	Virtual    bool // a virtual base, whose Offset depends on the object
	VBase      VBase
	Static     bool // not in the object
	Artificial bool // the compiler's: a pointer to a vtable
}

// A VBase locates a virtual base. Its offset is in the vtable at the object's beginning, at Slot
// bytes from the vtable pointer's target. Source: Itanium C++ ABI, section 2.5.2.
//
// In Microsoft's ABI the offset is in a table of four-byte numbers, which has a pointer of its own,
// and counts from that pointer. Source: lfVBClass of microsoft-pdb's include/cvinfo.h.
type VBase struct {
	Slot  int64
	Known bool

	Table bool   // Microsoft's
	At    uint64 // of Table: the offset of the pointer in the object; 0 also if that is unknown
}

// Variants are the alternatives of a type. An object holds one of them: a Rust enum.
type Variants struct {
	Discr *Member // the discriminant; nil if there is only one variant
	List  []Variant
}

// A Variant is one of them.
type Variant struct {
	Values []Range // of the discriminant; none for the default variant
	Member Member  // its content, with the name of the variant
}

// A Range is values from Low to High, both included.
type Range struct{ Low, High uint64 }

// An Enumerator is a named value of an enumeration.
type Enumerator struct {
	Name  string
	Value int64
}

// An Argument is a template argument: a type, or a value.
type Argument struct {
	Name  string
	Type  Ref
	Value *int64 // nil for a type
}
