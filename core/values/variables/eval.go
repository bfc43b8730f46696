package variables

// An Eval applies rules to a frame, and records what they read.
type Eval struct {
	Frame    *Context
	Evidence *Evidence
	depth    int
}

// Evidence is the registers and memory behind a value.
type Evidence struct {
	Rule      string
	From      string
	Registers []Register
	Reads     []Word
	More      int // reads that are not listed
}

// A Register is a used register.
type Register struct {
	Name  string
	Value uint64
}

// A Word is used memory.
type Word struct {
	Addr, Value uint64
	Size        int
}

// maxReads bounds the evidence of one variable.
const maxReads = 16

// maxEntries bounds the callers in which a value is searched.
const maxEntries = 8

// Reg returns a register that the walk proved.
func (e *Eval) Reg(name string) (uint64, error) {
	reg, ok := e.Frame.Arch.Reg(name)
	if !ok {
		return 0, Damaged("register %s is not followed by the walk", name)
	}
	v, ok := e.Frame.get(reg)
	if !ok {
		return 0, e.lost(name)
	}
	e.use(name, v)
	return v, nil
}

// lost returns the error for a register whose value is unknown in this frame.
func (e *Eval) lost(name string) *Error {
	if e.Frame.Interrupted {
		return &Error{NotCaptured, "register " + name + " is not in the dump"}
	}
	return Gone("it was in register %s, which the functions that were called may have overwritten", name)
}

// use records a register as evidence, once.
func (e *Eval) use(name string, v uint64) {
	if e.Evidence == nil {
		return
	}
	for _, r := range e.Evidence.Registers {
		if r.Name == name {
			return
		}
	}
	if len(e.Evidence.Registers) < maxReads {
		e.Evidence.Registers = append(e.Evidence.Registers, Register{name, v})
	}
}

// Bytes returns a register as the target stores it, also a floating point or vector register.
func (e *Eval) Bytes(name string) ([]byte, error) {
	if _, ok := e.Frame.Arch.Reg(name); !ok {
		if e.Frame.Vector != nil && e.Frame.preserves() {
			if b, ok := e.Frame.Vector(name); ok {
				return b, nil
			}
		}
		return nil, e.lost(name)
	}
	v, err := e.Reg(name)
	if err != nil {
		return nil, err
	}
	return e.Frame.Bytes(v, e.Frame.Arch.Word), nil
}

// Read reads a number of at most 8 bytes from a place of one piece.
func (e *Eval) Read(p Place, size int) (uint64, error) {
	if len(p.Pieces) != 1 || p.Pieces[0].Partial {
		return 0, Gone("it is in pieces")
	}
	var b []byte
	var err error
	switch piece := &p.Pieces[0]; piece.Kind {
	case InMemory:
		return e.Word(piece.Addr, size)
	case InRegister:
		b, err = e.Bytes(piece.Reg)
	case Constant:
		b = piece.Bytes
	default:
		return 0, Gone("it was not kept")
	}
	if err != nil {
		return 0, err
	}
	if len(b) < size || size > 8 {
		return 0, Damaged("a number of %d bytes in %d", size, len(b))
	}
	if e.Frame.BigEndian { // the low bytes of a register come last
		return e.Frame.Number(b[len(b)-size:]), nil
	}
	return e.Frame.Number(b[:size]), nil
}

// Word reads a number of 1 to 8 bytes.
func (e *Eval) Word(addr uint64, size int) (uint64, error) {
	addr &= e.Frame.Arch.Mask()
	if size < 1 || size > 8 {
		return 0, Damaged("a number of %d bytes", size)
	}
	var b [8]byte
	if e.Frame.Memory == nil || e.Frame.Memory.Read(addr, b[:size]) < size {
		return 0, uncaptured(addr)
	}
	v := e.Frame.Number(b[:size])
	e.note(Word{addr, v, size})
	return v, nil
}

// note records a read of memory as evidence, or counts it if there are many.
func (e *Eval) note(w Word) {
	switch {
	case e.Evidence == nil:
	case len(e.Evidence.Reads) < maxReads:
		e.Evidence.Reads = append(e.Evidence.Reads, w)
	default:
		e.Evidence.More++
	}
}

// CFA returns the canonical frame address.
func (e *Eval) CFA() (uint64, error) {
	if e.Frame.CFA != nil {
		if v, ok := e.Frame.CFA(); ok {
			e.use("CFA", v)
			return v, nil
		}
	}
	return 0, Damaged("the canonical frame address is not known: no call frame rules cover this instruction")
}

// VFrame returns the virtual frame.
func (e *Eval) VFrame() (uint64, error) {
	if e.Frame.VFrame != nil {
		if v, ok := e.Frame.VFrame(); ok {
			e.use("$T0", v)
			return v, nil
		}
	}
	return 0, Damaged("the virtual frame is not known: no STACK WIN program gives it at this instruction")
}

// Entry returns the value of a register at the entry of the frame's function.
func (e *Eval) Entry(reg string) (uint64, error) {
	f := e.Frame
	switch {
	case f.Caller == nil || f.Caller.Guess:
		return 0, Gone("it is what the caller passed in %s, and the caller is not proved", reg)
	case e.depth == maxEntries:
		return 0, Damaged("values of callers are nested more than %d deep", maxEntries)
	}
	sites := f.Caller.Symbols.CallSites
	if sites == nil {
		return 0, Gone("it is what the caller passed in %s, which nothing is known of", reg)
	}
	return sites.Passed(&Eval{Frame: f.Caller, Evidence: e.Evidence, depth: e.depth + 1}, f, reg)
}

// Number returns the number in at most 8 bytes.
func (f *Context) Number(b []byte) (v uint64) {
	for i, c := range b {
		if f.BigEndian {
			v = v<<8 | uint64(c)
		} else {
			v |= uint64(c) << (8 * i)
		}
	}
	return v
}

// Bytes returns a number as the target stores it in size bytes.
func (f *Context) Bytes(v uint64, size int) []byte {
	b := make([]byte, min(max(size, 0), 8))
	for i := range b {
		at := i
		if f.BigEndian {
			at = len(b) - 1 - i
		}
		b[at] = byte(v >> (8 * i))
	}
	return b
}
