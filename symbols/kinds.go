package symbols

import "crashglass/symbols/sniff"

// Kind is what a file is, by its content.
type Kind = sniff.Kind

// The kinds that a Store has to do with.
const (
	Empty     = sniff.Empty
	Minidump  = sniff.Minidump
	Microdump = sniff.Microdump
	Breakpad  = sniff.Breakpad
	PDB       = sniff.PDB
	PE        = sniff.PE
	ELF       = sniff.ELF
	MachO     = sniff.MachO
	Text      = sniff.Text
	Unknown   = sniff.Unknown
)

// isNative reports whether a file of a kind answers for a module and is not
// text: it has to be opened to know for which.
func isNative(k Kind) bool { return k != Breakpad && formats[k].open != nil }
