package symbols

import "strings"

// A Kind is what a file is, by its content.
type Kind string

// What Sniff tells apart.
const (
	Empty      Kind = "empty"
	Minidump   Kind = "minidump"
	Microdump  Kind = "microdump"
	Breakpad   Kind = "Breakpad symbols"
	PDB        Kind = "PDB"
	PE         Kind = "PE"
	ELF        Kind = "ELF"
	ELFCore    Kind = "ELF core"
	MachO      Kind = "Mach-O"
	MachOCore  Kind = "Mach-O core"
	Zip        Kind = "zip"
	Gzip       Kind = "gzip"
	Xz         Kind = "xz"
	Zstd       Kind = "zstd"
	Lz4        Kind = "lz4"
	Tar        Kind = "tar"
	CAB        Kind = "CAB"
	IPS        Kind = "macOS crash report"
	KernelDump Kind = "Windows kernel dump"
	Text       Kind = "text"
	Unknown    Kind = "unknown"
)

// sentences say what a file is that is neither a dump nor symbols, and what to
// do with it.
var sentences = map[Kind]string{
	Empty:      "an empty file",
	Minidump:   "a minidump",
	Microdump:  "a log with a Breakpad microdump in it",
	Breakpad:   "a Breakpad symbol file",
	PDB:        "a PDB file: debug information of a Windows program",
	PE:         "a Windows program or library",
	ELF:        "an ELF program or library",
	ELFCore:    "an ELF core file",
	MachO:      "a Mach-O program or library",
	MachOCore:  "a Mach-O core file, not a minidump: open it with lldb",
	Zip:        "a zip archive",
	Gzip:       "a gzip file",
	Xz:         "an xz file",
	Zstd:       "a zstd file",
	Lz4:        "an lz4 file",
	Tar:        "a tar archive",
	CAB:        "a Microsoft cabinet file",
	IPS:        "a macOS crash report, which is text and holds its stacks already: open it with a text editor or Console",
	KernelDump: "a Windows kernel or full memory dump, not a minidump: open it with WinDbg",
	Text:       "a text file, not a dump",
	Unknown:    "neither a dump nor a symbol file",
}

// Sentence says what a file of that kind is, to follow "this is".
func (k Kind) Sentence() string { return sentences[k] }

// instead says what a file is that should be a symbol file, to follow its name.
func (k Kind) instead() string {
	switch k {
	case Empty:
		return "is empty"
	case Unknown:
		return "is no symbol file, nor anything else that we know"
	}
	return "is no symbol file but " + k.noun()
}

// noun is a sentence without what explains it.
func (k Kind) noun() string {
	noun, _, _ := strings.Cut(sentences[k], ",")
	noun, _, _ = strings.Cut(noun, ":")
	return noun
}

// native reports whether a file of that kind answers for a module and is not
// text: it has to be opened to know for which.
func (k Kind) native() bool { return k != Breakpad && formats[k].open != nil }

// dump reports whether a file of that kind is one of a crash.
func (k Kind) dump() bool { return k == Minidump || k == Microdump || k == ELFCore }

// Archive reports whether other files may be in it.
func (k Kind) Archive() bool {
	switch k {
	case Zip, Gzip, Xz, Zstd, Lz4, Tar, CAB:
		return true
	}
	return false
}
