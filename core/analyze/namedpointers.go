package analyze

import "crashglass/core/report"

// MostPointers bounds the addresses that one call of NamedPointers names. A page shows fewer words
// of a stack.
const MostPointers = 512

// A Pointer names an address that a word of memory holds, as WinDbg's dps does. Function, File and
// Line are nil if symbols do not have them.
type Pointer struct {
	Address   report.Address   `json:"address"`
	Function  *string          `json:"function"`
	Certainty report.Certainty `json:"name_certainty"`
	Offset    *report.Address  `json:"offset"` // into the function
	File      *string          `json:"file"`
	Line      *int             `json:"line"`
}

// NamedPointers names addresses, in their order. It leaves out addresses outside of modules, and
// code that no symbol covers.
func (s *Session) NamedPointers(syms Symbols, addresses []uint64) []Pointer {
	a, out := s.analysis(syms, Options{}), []Pointer{}
	for _, addr := range addresses[:min(len(addresses), MostPointers)] {
		mod := s.moduleAt(addr)
		if mod == nil {
			continue
		}
		var f report.Frame
		a.name(&f, mod, addr)
		if f.Function == nil {
			continue
		}
		p := Pointer{Address: a.addr(addr), Function: f.Function, Certainty: f.Certainty, Offset: f.FunctionOffset, File: f.File}
		if f.Line != nil {
			p.Line = ptr(int(*f.Line))
		}
		out = append(out, p)
	}
	return out
}
