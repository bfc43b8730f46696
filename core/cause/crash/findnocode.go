package crash

import (
	"fmt"
)

// findNoCode recognizes execution of bytes that are no code, in executable memory. The instruction
// there is then a coincidence.
func (s *facts) findNoCode() []candidate {
	pc, ok := s.pc()
	if !ok || !s.decoded || !s.fault.memory || s.fault.access == execute || s.in.Memory == nil {
		return nil
	}
	f := Finding{Kind: BadJump, Confidence: 0.9}
	var why string
	switch {
	case s.inHeader(pc):
		m := s.in.Modules.At(pc)
		f.Text = "Execution of a header"
		why = fmt.Sprintf("The program counter is in the header of %s, %#x bytes behind its beginning, which has no code.", m.Name(), pc-m.Base)
	case s.zerosAt(pc):
		f.Text = "Execution of zeros"
		why = "The bytes at the program counter are zeros, which x86 executes as this instruction: execution had already gone to a wrong place, or the code was overwritten."
	default:
		return nil
	}
	f.Evidence = s.evidence(why)
	if s.fault.known && s.fault.addr < nullZone {
		f.Evidence = append(f.Evidence, "The null pointer is a coincidence.")
	}
	return explanation(f)
}

// zerosAt reports whether the bytes at the program counter are zeros. On x86 they are a legal
// instruction, and they fill padding and fresh memory.
func (s *facts) zerosAt(pc uint64) bool {
	v, ok := s.in.Memory.Word(pc, 4)
	return ok && v == 0 && s.in.Arch.IsX86()
}

// inHeader reports whether an address is in the header of its module's file.
func (s *facts) inHeader(pc uint64) bool {
	m := s.in.Modules.At(pc)
	if m == nil {
		return false
	}
	magic, _ := s.in.Memory.Word(m.Base, 4)
	if magic&0xffff == 'M'|'Z'<<8 {
		magic &= 0xffff
	}
	return pc-m.Base < headers[uint32(magic)]
}

// headers are the first bytes of files, and the minimum size of the headers before code: ELF's
// header with one program header, the headers of DOS and PE up to the sections, and Mach-O's with
// one segment. Sources: the ELF specification (Elf32_Ehdr, Elf32_Phdr), the PE format,
// mach-o/loader.h.
var headers = map[uint32]uint64{
	0x464c_457f: 0x34 + 0x20,
	0x5a4d:      0x40 + 0xf8,
	0xfeed_face: 0x1c + 0x38,
	0xfeed_facf: 0x20 + 0x48,
}
