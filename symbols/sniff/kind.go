package sniff

import (
	"slices"
	"strings"
)

// A Kind is what a file is, by its content.
type Kind string

// What [Of] tells apart and other packages ask for. The tables of this package
// have more.
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
	Zlib       Kind = "zlib"
	Xz         Kind = "xz"
	Zstd       Kind = "zstd"
	Tar        Kind = "tar"
	CAB        Kind = "CAB"
	Unreal     Kind = "Unreal Engine crash report"
	Multipart  Kind = "upload"
	Envelope   Kind = "Sentry envelope"
	IPS        Kind = "macOS crash report"
	KernelDump Kind = "Windows kernel dump"

	// Assembly and PortablePDB are of modules of .NET, which have no symbols
	// that name native code.
	Assembly    Kind = ".NET assembly"
	PortablePDB Kind = "portable PDB"

	// Tombstone is text that Android's debuggerd writes, also into logs.
	Tombstone Kind = "Android tombstone"

	Text    Kind = "text"
	Unknown Kind = "unknown"
)

// sentences say what a file is that is opened here, or at least comes near it,
// and what to do with it otherwise.
var sentences = map[Kind]string{
	Empty:      "an empty file",
	Minidump:   "a minidump",
	Microdump:  "a log with a Breakpad microdump in it",
	Breakpad:   "a Breakpad symbol file",
	PDB:        "a PDB file: debug information of a Windows program",
	PE:         "a Windows program or library",
	ELF:        "an ELF program or library",
	ELFCore:    "an ELF core file, not a minidump: open it with gdb or lldb",
	MachO:      "a Mach-O program or library",
	MachOCore:  "a Mach-O core file, not a minidump: open it with lldb",
	Zip:        "a zip archive",
	Gzip:       "a gzip file",
	Zlib:       "a file compressed with zlib",
	Unreal:     "a crash report of Unreal Engine",
	Multipart:  "the body of an upload",
	Envelope:   "a Sentry envelope",
	Xz:         "an xz file",
	Zstd:       "a zstd file",
	Tar:        "a tar archive",
	CAB:        "a Microsoft cabinet file",
	IPS:        "a macOS crash report, which is text and holds its stacks already: open it with a text editor or Console",
	KernelDump: "a Windows kernel or full memory dump, not a minidump: open it with WinDbg",
	Assembly:   "a .NET assembly, whose code is compiled when it runs: open the dump with Visual Studio or dotnet-dump",
	Text:       "a text file, not a dump",
	Unknown:    "neither a dump nor a symbol file",
}

// Sentence says what a file of that kind is, to follow "this is".
func (k Kind) Sentence() string {
	if s, ok := sentences[k]; ok {
		return s
	}
	for _, rows := range [][]row{binaries, weak, texts, documents} {
		if i := slices.IndexFunc(rows, func(r row) bool { return r.kind == k }); i >= 0 {
			return rows[i].says
		}
	}
	return ""
}

// Instead says what a file is that should be a symbol file, to follow its name.
func (k Kind) Instead() string {
	switch k {
	case Empty:
		return "is empty"
	case Unknown:
		return "is no symbol file, nor anything else that we know"
	}
	return "is no symbol file but " + k.Noun()
}

// Noun is a sentence without what explains it.
func (k Kind) Noun() string {
	noun, _, _ := strings.Cut(k.Sentence(), ",")
	noun, _, _ = strings.Cut(noun, ":")
	return noun
}

// Archive reports whether other files may be in it.
func (k Kind) Archive() bool {
	switch k {
	case Zip, Tar, CAB, Unreal, Multipart, Envelope:
		return true
	}
	return k.Compressed()
}

// Compressed reports whether one other file is in it.
func (k Kind) Compressed() bool { return k == Gzip || k == Zlib || k == Xz || k == Zstd }

// Wrapped reports whether it is one archive with the compression around it, as a
// .tar.gz is: nobody packs such a thing twice to hide something.
func (k Kind) Wrapped() bool { return k == Tar || k == Unreal || k == Multipart || k == Envelope }

// Managed reports whether it is of a module of .NET.
func (k Kind) Managed() bool { return k == Assembly || k == PortablePDB }
