package report

// A Trail is where the bad pointer of a crash came from, the innermost link first: each link leads to the
// next one.
type Trail []OriginLink

// An OriginLink says where the value of a register, or of a word of the stack, came from.
type OriginLink struct {
	Kind        OriginKind `json:"kind"`
	Frame       int        `json:"frame"`                 // of the thread, in which that happened
	Register    string     `json:"register,omitempty"`    // that held the value; "" for one that an instruction stored or called without a register
	Value       *Address   `json:"value"`                 // null when unknown
	Variable    string     `json:"variable,omitempty"`    // the variable that the register was
	Source      string     `json:"source,omitempty"`      // of "load": the variable, member or element in memory
	Rule        string     `json:"rule,omitempty"`        // where the debug information says that Variable, or else Source, was
	Memory      *Address   `json:"memory,omitempty"`      // of "load": the address in memory
	Instruction string     `json:"instruction,omitempty"` // that set the register
	At          *Address   `json:"at,omitempty"`          // its address
	Function    string     `json:"function,omitempty"`    // of "result": that was called
	Guess       bool       `json:"guess"`                 // there may be other ways to this place than the ones in the code that was read
	Text        string     `json:"text"`                  // the same in words, which package render writes
}

// An OriginKind is where a value came from.
type OriginKind string

// The kinds.
const (
	OriginLoad     OriginKind = "load"     // from memory
	OriginCopy     OriginKind = "copy"     // from another register
	OriginSum      OriginKind = "sum"      // another register and a number
	OriginConstant OriginKind = "constant" // a number of the program
	OriginResult   OriginKind = "result"   // Function returned it
	OriginArgument OriginKind = "argument" // the caller passed it
	OriginUnknown  OriginKind = "unknown"  // the dump does not prove it
)
