package minidump

import "fmt"

// LinuxAuxvStream is the number of the stream that this file reads.
const LinuxAuxvStream StreamType = 0x4767_0008

// An AuxValue is one entry of the auxiliary vector that the kernel gives to a process.
type AuxValue struct {
	Type, Value uint64
}

// auxNames are the types of entries. Source: Linux, include/uapi/linux/auxvec.h
// and arch/*/include/uapi/asm/auxvec.h.
var auxNames = map[uint64]string{
	0: "AT_NULL", 1: "AT_IGNORE", 2: "AT_EXECFD", 3: "AT_PHDR", 4: "AT_PHENT", 5: "AT_PHNUM",
	6: "AT_PAGESZ", 7: "AT_BASE", 8: "AT_FLAGS", 9: "AT_ENTRY", 10: "AT_NOTELF",
	11: "AT_UID", 12: "AT_EUID", 13: "AT_GID", 14: "AT_EGID", 15: "AT_PLATFORM", 16: "AT_HWCAP",
	17: "AT_CLKTCK", 23: "AT_SECURE", 24: "AT_BASE_PLATFORM", 25: "AT_RANDOM", 26: "AT_HWCAP2",
	27: "AT_RSEQ_FEATURE_SIZE", 28: "AT_RSEQ_ALIGN", 29: "AT_HWCAP3", 30: "AT_HWCAP4",
	31: "AT_EXECFN", 32: "AT_SYSINFO", 33: "AT_SYSINFO_EHDR", 51: "AT_MINSIGSTKSZ",
}

// Name is the entry's type.
func (a AuxValue) Name() string {
	if name, ok := auxNames[a.Type]; ok {
		return name
	}
	return fmt.Sprintf("AT_%d", a.Type)
}

// Auxv reads stream 0x47670008, LinuxAuxv: pairs of words up to a zero.
func (f *File) Auxv() ([]AuxValue, error) {
	s, err := f.section(LinuxAuxvStream)
	if err != nil {
		return nil, err
	}
	word := f.wordSize()
	var all []AuxValue
	for s.Len() >= 2*word {
		s.Record("entry", "a_type a_val")
		a := AuxValue{s.word(word), s.word(word)}
		if a.Type == 0 {
			break
		}
		all = append(all, a)
	}
	return all, s.err()
}

// word reads a word of 4 or 8 bytes.
func (s *section) word(size int) uint64 {
	if size == 4 {
		return uint64(s.U32())
	}
	return s.U64()
}

// wordSize is the size of an address in the dumped process; 8 when the dump
// does not say.
func (f *File) wordSize() int {
	if sys, _ := f.SystemInfo(); sys != nil {
		if a := sys.Processor.Arch(); a != nil {
			return a.Word
		}
	}
	return 8
}
