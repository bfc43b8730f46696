package report

// A Variable is an argument or a local variable of a frame, a member of one, or
// an element.
type Variable struct {
	Name  string        `json:"name"`  // "" for an anonymous member; "[0]" for an element
	Type  string        `json:"type"`  // in the program's language
	Kind  VariableKind  `json:"kind"`  // "" for a member or an element
	State VariableState `json:"state"` // whether the value is known; "inconsistent" for a container that contradicts itself, of which a part is shown
	Value *string       `json:"value"` // the value as text, or a summary of the children; null for a value with only children, and for an unknown one
	Why   *string       `json:"why"`   // why the value is unknown or inconsistent

	Content VariableContent `json:"content,omitempty"` // "empty", "no_value" of an optional, or "byte", a number that may be a character of a text

	Block  *Block `json:"block,omitempty"`  // of a local variable: its block, unless that is the function's body
	Hidden bool   `json:"hidden,omitempty"` // a variable of an inner block has the same name

	Children []Variable `json:"children,omitempty"`
	More     uint64     `json:"more,omitempty"` // the number of omitted elements
	Raw      bool       `json:"raw,omitempty"`  // a private member of a library's type

	Object  *Object  `json:"object,omitempty"`  // in memory, whose members are Children
	Address *Address `json:"address,omitempty"` // of a member of such an object, or of a variable in memory where the query is about frames
	Size    uint64   `json:"size,omitempty"`    // of the same in bytes

	Location *string           `json:"location"` // its location: an address, a register, pieces; null for a member
	Evidence *VariableEvidence `json:"evidence,omitempty"`
}

// An Object is a structure in memory.
type Object struct {
	Address Address `json:"address"`
	Size    uint64  `json:"size"` // in bytes
}

// A Block is a lexical block of a function.
type Block struct {
	Depth int    `json:"depth"` // 1 is a block of the function's body, 2 a block in that
	Line  uint32 `json:"line,omitempty"`
}

// A VariableContent says what a known value consists of, where its text and its children do not.
type VariableContent string

// The contents.
const (
	EmptyContent VariableContent = "empty"    // no elements or members
	NoContent    VariableContent = "no_value" // an optional without a value
	ByteContent  VariableContent = "byte"     // a number of one byte or of a wide character, which may be a character of a text
)

// A VariableKind is the kind of a variable.
type VariableKind string

// The kinds of variables.
const (
	Argument VariableKind = "argument"
	Local    VariableKind = "local"
	Global   VariableKind = "global" // outside of functions

	Expression VariableKind = "expression" // which was evaluated
)

// Evaluated are the values of expressions in a frame.
type Evaluated struct {
	Thread int        `json:"thread"`
	Frame  int        `json:"frame"` // counts inlined calls, as a stack that is text does
	Values []Variable `json:"values"`
}

// Globals are variables of a module that are outside of functions.
type Globals struct {
	Module    string     `json:"module"`
	Variables []Variable `json:"variables"`
}

// A VariableState says whether a value is known.
type VariableState string

// A VariableEvidence is the evidence of a value.
type VariableEvidence struct {
	Rule      string    `json:"rule"` // its location by the debug information
	From      string    `json:"from"` // the part of the debug information
	Registers Registers `json:"registers,omitempty"`
	Reads     []Read    `json:"reads,omitempty"`
	More      int       `json:"more,omitempty"` // the number of omitted reads
}
