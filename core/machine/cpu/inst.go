package cpu

// An Inst is one decoded instruction, with the facts that explain a failure: the memory that it
// reads and writes, and where it continues. Package disasm decodes it; package crash uses it.
type Inst struct {
	Addr     uint64
	Len      int    // bytes; 0 for the zero Inst
	Mnemonic string // lower case, without prefixes: "mov"
	Text     string // "mov dword [rax], 0x5"
	Flow     Flow

	// Target is where a direct branch or call goes.
	Target    uint64
	HasTarget bool

	Operands []Operand // in the order in which Text has them

	// Implicit are accesses without an operand: those of push, call and ret to the stack, or the
	// second half of a pair.
	Implicit []MemOp

	Division   bool // an integer division, which fails for a divisor of zero
	Privileged bool // fails outside the kernel
	Aligned    bool // fails for an address that is not a multiple of the size
}

// Flow says where execution continues after an instruction.
type Flow uint8

// The ways of execution.
const (
	Next     Flow = iota // with the next instruction
	Jump                 // at the target, always
	CondJump             // at the target or the next instruction
	Call                 // at the target, and returns
	Ret                  // at an address that the caller left
	Trap                 // in the kernel or a debugger: breakpoint, system call, undefined instruction
)

// Access says how an instruction uses an operand.
type Access uint8

// The kinds of access; a sum of Read and Write.
const (
	NoAccess Access = 0 // only its address is used
	Read     Access = 1
	Write    Access = 2
)

// String returns the access as rust-minidump names it: "read", "write", "readwrite", or "".
func (a Access) String() string {
	return [...]string{"", "read", "write", "readwrite"}[a&3]
}

// An Operand is one of an instruction's operands. Exactly one of Reg, Mem and
// Imm counts, by Kind.
type Operand struct {
	Kind OperandKind
	Reg  Reg    // None for a register that no context has (xmm0)
	Name string // of the register as written: "eax"
	Mem  MemOp
	Imm  int64
}

// OperandKind says what an operand is.
type OperandKind uint8

// The kinds of operand.
const (
	Register OperandKind = iota + 1
	Memory
	Immediate
	Branch // Imm is the target's address
)

// A MemOp is an operand in memory: Base + Index*Scale + Disp.
type MemOp struct {
	Base, Index Reg   // None when there is none
	Scale       uint8 // what Index is multiplied by; 0 counts as 1
	Extend      int8  // only 32 bits of Index count: 4 means zero-extended, -4 sign-extended
	Minus       bool  // Index is subtracted
	Disp        int64
	Size        int    // bytes; 0 when it depends on more than the instruction
	Segment     string // "fs" or "gs", whose base is not among the registers
	Access      Access
	Width       int  // bytes of the address, when less than the CPU's
	PCRel       bool // Base is the PC, and Disp counts from Next
	Next        uint64
	Unknown     bool // the address depends on something else, like a vector of indexes
}

// Address returns m's address, if the registers that it needs are known. segment is the base of m's
// segment, if it has one.
func (m *MemOp) Address(arch *Arch, regs *Regs, segment func(name string) (uint64, bool)) (uint64, bool) {
	if m.Unknown {
		return 0, false
	}
	addr := uint64(m.Disp)
	switch {
	case m.PCRel:
		addr += m.Next
	case m.Base != None:
		v, ok := regs.Get(m.Base)
		if !ok {
			return 0, false
		}
		addr += v
	}
	if m.Index != None {
		v, ok := regs.Get(m.Index)
		if !ok {
			return 0, false
		}
		addr += m.index(v)
	}
	if m.Width == 4 {
		addr &= 0xffff_ffff
	}
	if m.Segment != "" {
		if segment == nil {
			return 0, false
		}
		base, ok := segment(m.Segment)
		if !ok {
			return 0, false
		}
		addr += base
	}
	return addr & arch.Mask(), true
}

// index returns the summand for a value of the index register.
func (m *MemOp) index(v uint64) uint64 {
	switch m.Extend {
	case 4:
		v = uint64(uint32(v))
	case -4:
		v = uint64(int64(int32(v)))
	}
	v *= uint64(max(m.Scale, 1))
	if m.Minus {
		return -v
	}
	return v
}
