package minidump

import "crashglass/core/process"

// LinuxAuxvStream is the number of the stream that this file reads.
const LinuxAuxvStream StreamType = 0x4767_0008

// An AuxValue is one entry of the auxiliary vector.
type AuxValue = process.AuxValue

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
		a := AuxValue{Type: s.word(word), Value: s.word(word)}
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
