package analyze

import "crashglass/core/report"

// MostPointers is the most addresses that NamedPointers names at once: more than the
// words of a stack that anyone looks at.
const MostPointers = 512

// A Pointer is what symbols know of an address that a word of memory holds, as
// WinDbg's dps prints it. Function, File and Line are nil where they do not.
type Pointer struct {
	Address  report.Address  `json:"address"`
	Function *string         `json:"function"`
	Offset   *report.Address `json:"offset"` // into the function
	File     *string         `json:"file"`
	Line     *int            `json:"line"`
}

// NamedPointers names addresses, in their order; those outside of modules are left
// out, and so are names that are too far away to say anything.
func (s *Session) NamedPointers(syms Symbols, addresses []uint64) []Pointer {
	a, out := s.analysis(syms, Options{}), []Pointer{}
	for _, addr := range addresses[:min(len(addresses), MostPointers)] {
		mod := s.moduleAt(addr)
		if mod == nil {
			continue
		}
		var f report.Frame
		a.name(&f, mod, addr)
		if f.Function == nil || f.Far {
			continue
		}
		p := Pointer{Address: a.addr(addr), Function: f.Function, Offset: f.FunctionOffset, File: f.File}
		if f.Line != nil {
			p.Line = ptr(int(*f.Line))
		}
		out = append(out, p)
	}
	return out
}
