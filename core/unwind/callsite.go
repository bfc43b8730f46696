package unwind

// An answer about code that may not be captured.
type answer uint8

const (
	unknown answer = iota
	yes
	no
)

// afterCall reports whether the instruction before addr, on x86 and amd64, is
// a call. The bytes are read from memory, where dumps rarely have them.
func (w *walk) afterCall(addr uint64) answer {
	code, ok := w.bytesBefore(addr)
	if !ok {
		return unknown
	}
	if endsInCall(code) {
		return yes
	}
	return no
}

// uncalled reports whether the code before addr is captured and is no call, so
// that nothing returns there. A signal's trampoline is returned to all the same:
// the kernel has put its address where calls put theirs.
func (w *walk) uncalled(addr uint64) bool {
	called := unknown
	switch w.Name {
	case "x86", "amd64":
		called = w.afterCall(addr)
	case "arm64":
		called = w.afterBranch(addr)
	}
	return called == no && w.trampolineAt(addr) == nil
}

// afterBranch reports whether the instruction before addr, on arm64, is BL or
// BLR, the latter also with authentication. Arm Architecture Reference Manual,
// C4.1, "Branches, Exception Generating and System instructions".
func (w *walk) afterBranch(addr uint64) answer {
	insn, ok := w.code(addr - 4)
	switch {
	case !ok:
		return unknown
	case insn&0xfc00_0000 == 0x9400_0000, insn&0xfeff_f000 == 0xd63f_0000:
		return yes
	}
	return no
}

// bytesBefore reads the 8 bytes before addr.
func (w *walk) bytesBefore(addr uint64) ([]byte, bool) {
	var b [8]byte
	for at := 0; at < 8; at += 4 {
		v, ok := w.code(addr - 8 + uint64(at))
		if !ok {
			return nil, false
		}
		for i := range 4 {
			b[at+i] = byte(v >> (8 * i))
		}
	}
	return b[:], true
}

// code reads four bytes of code. All CPUs that ask for their value are little-endian.
func (w *walk) code(addr uint64) (uint32, bool) {
	if w.in.Memory == nil {
		return 0, false
	}
	v, ok := w.in.Memory.Word(addr, 4)
	return uint32(v), ok
}

// endsInCall reports whether code ends in one of the encodings of call:
//
//	e8 rel32                  call near
//	ff /2 with its operand    call through a register or memory
//	9a ptr16:32               call far (x86)
//
// Intel SDM, volume 2, CALL. Prefixes do not matter, as only the end is looked at.
func endsInCall(code []byte) bool {
	n := len(code)
	if n >= 5 && code[n-5] == 0xe8 {
		return true
	}
	if n >= 7 && code[n-7] == 0x9a {
		return true
	}
	for size := 2; size <= 7 && size <= n; size++ {
		insn := code[n-size:]
		if insn[0] == 0xff && insn[1]>>3&7 == 2 && indirectCallSize(insn) == size {
			return true
		}
	}
	return false
}

// indirectCallSize is the length of an ff /2 instruction, from its ModRM and SIB bytes.
func indirectCallSize(insn []byte) int {
	mod, rm := insn[1]>>6, insn[1]&7
	size := 2
	if mod == 3 {
		return size
	}
	if rm == 4 { // a SIB byte follows
		size++
		if len(insn) > 2 && mod == 0 && insn[2]&7 == 5 {
			return size + 4
		}
	}
	switch {
	case mod == 0 && rm == 5, mod == 2:
		size += 4
	case mod == 1:
		size++
	}
	return size
}
