package sniff

import (
	"slices"
	"strings"

	"crashglass/core/dump/text/android"
)

// A Kind is what a file is, by its content.
type Kind string

// The kinds of [Of] that other packages use. The tables of this package have more.
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
	Lz4        Kind = "lz4"
	Tar        Kind = "tar"
	CAB        Kind = "CAB"
	Unreal     Kind = "Unreal Engine crash report"
	Multipart  Kind = "upload"
	Envelope   Kind = "Sentry envelope"
	IPS        Kind = "macOS crash report"
	KernelDump Kind = "Windows kernel dump"

	// StaticLibrary has object files, in which debug maps of macOS have their DWARF.
	StaticLibrary Kind = "static library"

	// Assembly and PortablePDB belong to modules of .NET, whose symbols do not name native code.
	Assembly    Kind = ".NET assembly"
	PortablePDB Kind = "portable PDB"

	// Tombstone is text that Android's debuggerd writes, also into logs.
	Tombstone Kind = "Android tombstone"

	// Apport and WER are reports of Ubuntu's Apport and of Windows Error Reporting.
	Apport Kind = "apport"
	WER    Kind = "WER report"

	// ProtoTombstone is a tombstone as a protocol buffer.
	ProtoTombstone Kind = android.ProtoKind

	// Report is text with a crash report in it that package container opens. The beginning of a text does
	// not show whether it has one.
	Report Kind = "crash report"

	Text    Kind = "text"
	Unknown Kind = "unknown"
)

// ours are kinds that are opened here, or similar ones. sniff.go identifies most of them by more
// than the first bytes.
var ours = []row{
	{kind: Empty, says: "an empty file"},
	{kind: Minidump, says: "a minidump"},
	{kind: Microdump, says: "a log with a Breakpad microdump in it"},
	{kind: Report, says: "a crash report"},
	{kind: Breakpad, says: "a Breakpad symbol file"},
	{kind: PDB, says: "a PDB file: debug information of a Windows program"},
	{kind: PE, says: "a Windows program or library"},
	{kind: ELF, says: "an ELF program or library"},
	{kind: ELFCore, says: "an ELF core file"},
	{kind: MachO, says: "a Mach-O program or library"},
	{kind: MachOCore, says: "a Mach-O core file, not a minidump: open it with lldb"},
	{kind: Zip, says: "a zip archive"},
	{kind: Gzip, says: "a gzip file"},
	{kind: Zlib, says: "a file compressed with zlib"},
	{kind: Unreal, says: "a crash report of Unreal Engine"},
	{kind: Multipart, says: "the body of an upload"},
	{kind: Envelope, says: "a Sentry envelope"},
	{kind: Xz, says: "an xz file"},
	{kind: Zstd, says: "a zstd file"},
	{kind: Lz4, says: "an lz4 file"},
	{kind: Tar, says: "a tar archive"},
	{kind: CAB, says: "a Microsoft cabinet file"},
	{kind: StaticLibrary, says: "a static library"},
	{kind: IPS, says: "a macOS crash report, which is text and holds its stacks already: open it with a text editor or Console"},
	{kind: KernelDump, says: "a dump of the Windows kernel"},
	{kind: Assembly, says: "a .NET assembly, whose code is compiled when it runs: open the dump with Visual Studio or dotnet-dump"},
	{kind: Text, says: "a text file, not a dump"},
	{kind: Unknown, says: "neither a dump nor a symbol file"},
}

// Sentence describes a file of that kind, to follow "this is".
func (k Kind) Sentence() string {
	for _, rows := range [][]row{ours, binaries, weak, texts, documents} {
		if i := slices.IndexFunc(rows, func(r row) bool { return r.kind == k }); i >= 0 {
			return rows[i].says
		}
	}
	return ""
}

// Instead describes a file that should be a symbol file, to follow its name.
func (k Kind) Instead() string {
	switch k {
	case Empty:
		return "is empty"
	case Unknown:
		return "is no symbol file, nor anything else that we know"
	}
	return "is no symbol file but " + k.Noun()
}

// Noun is the sentence without its explanation.
func (k Kind) Noun() string {
	noun, _, _ := strings.Cut(k.Sentence(), ",")
	noun, _, _ = strings.Cut(noun, ":")
	return noun
}

// dumps are the kinds of files that package container opens.
var dumps = []Kind{Minidump, Microdump, ELFCore, KernelDump, ProtoTombstone, Report}

// Dump reports whether a file of that kind is a readable dump.
func (k Kind) Dump() bool { return slices.Contains(dumps, k) }

// Archive reports whether other files may be in it.
func (k Kind) Archive() bool {
	switch k {
	case Zip, Tar, CAB, Unreal, Multipart, Envelope, StaticLibrary:
		return true
	}
	return k.Compressed()
}

// Compressed reports whether one other file is in it.
func (k Kind) Compressed() bool { return k == Gzip || k == Zlib || k == Xz || k == Zstd || k == Lz4 }

// Wrapped reports whether it is a compressed archive, such as a .tar.gz, which does not count as
// nesting.
func (k Kind) Wrapped() bool { return k == Tar || k == Unreal || k == Multipart || k == Envelope }

// Managed reports whether it is of a module of .NET.
func (k Kind) Managed() bool { return k == Assembly || k == PortablePDB }
