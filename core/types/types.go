// Package types is the model of the types of variables, one for all formats of
// debug information: DWARF and PDB describe the same languages.
//
// A [Type] is what one record says. It leads to others by [Ref]s, which read
// them when they are asked for, so that a reader makes only what a value needs,
// and a type may hold itself. What the records say is kept as it is: sizes and
// offsets are not checked against each other here. Package variables, which
// reads values, bounds depth, breadth and bytes.
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

// A Ref leads to a type. A nil Ref is the type void.
type Ref func() *Type

// Get returns the type; of a nil Ref, and of one that leads nowhere, nil.
func (r Ref) Get() *Type {
	if r == nil {
		return nil
	}
	return r()
}

// A Kind says what a type is.
type Kind uint8

// The kinds of types.
const (
	Unknown         Kind = iota // damaged, or of a kind that is not read
	Void                        // also Rust's () and nullptr_t's content
	Bool                        // of any size
	Signed                      // an integer
	Unsigned                    //
	Char                        // of one byte, with a sign where Minus is set
	Wide                        // a character of UTF-16 or UTF-32, wchar_t, Rust's char
	Float                       // of the size that it has: binary16, 32, 64, x87's 80 bits, 128
	Complex                     // two floats
	Decimal                     // any encoding that is not read: its bytes are shown
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

// A Language decides how values are written.
type Language uint8

// The languages that differ.
const (
	C Language = iota // and all that are written like it
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

	// Name is the full name, with namespaces and template arguments, as the
	// debug information spells it: "std::vector<int, std::allocator<int> >".
	// "" for what has none, such as pointers and anonymous structures.
	Name string

	Size  uint64 // in bytes
	Sized bool   // Size is known
	Minus bool   // of Char: it has a sign

	Elem  Ref // what it points to, is made of, or is another name of
	Class Ref // of MemberPointer; of the type of a vtable of Rust, the type that it is of

	Counts []Count // of Array: elements of each dimension

	Members     []Member
	Variants    *Variants
	Enumerators []Enumerator
	Params      []Ref      // of Function
	Args        []Argument // of templates

	Incomplete bool // only declared
	Complete   Ref  // the definition of an incomplete type, elsewhere
}

// A Count is how many elements a dimension has.
type Count struct {
	N     uint64
	Known bool // false for int a[], and where it is known at run time only
	Bound any  // what tells at run time: a variables.Bound; nil for nothing
}

// A Member is a field, or a base class.
type Member struct {
	Name   string // "" for an anonymous structure or union; for a base class, see Base
	Type   Ref
	Offset uint64 // in bytes

	// Of a bit field: its bits count from the structure's first, in the order
	// of the machine (from the least significant on little-endian ones), and
	// Offset does not count. Bits of 0 is no bit field.
	Bits, BitOffset uint64

	Base       bool // a base class
	Virtual    bool // a virtual base, whose Offset is not known before the object is
	VBase      VBase
	Static     bool // not in the object
	Artificial bool // the compiler's: a pointer to a vtable
}

// A VBase finds a virtual base: an offset lies in the vtable that the object
// begins with, at Slot bytes from where its pointer leads to.
// Source: Itanium C++ ABI, section 2.5.2.
//
// In Microsoft's ABI it lies in a table of numbers of four bytes, to which a
// pointer of its own leads, and counts from that pointer.
// Source: lfVBClass of microsoft-pdb's include/cvinfo.h.
type VBase struct {
	Slot  int64
	Known bool

	Table bool   // Microsoft's
	At    uint64 // of Table: where in the object the pointer is; 0 also where that is not known
}

// Variants are the alternatives of a type, of which an object holds one: a
// Rust enum.
type Variants struct {
	Discr *Member // what tells them apart; nil where there is only one
	List  []Variant
}

// A Variant is one of them.
type Variant struct {
	Values []Range // of the discriminant; none for all that no other variant has
	Member Member  // its content, whose name is the variant's
}

// A Range is values from Low to High, both included.
type Range struct{ Low, High uint64 }

// An Enumerator is a named value of an enumeration.
type Enumerator struct {
	Name  string
	Value int64
}

// An Argument is what a template was instantiated with: a type, or a value.
type Argument struct {
	Name  string
	Type  Ref
	Value *int64 // nil for a type
}
