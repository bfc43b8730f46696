package sniff

import (
	"bytes"
	"encoding/binary"

	"crashglass/core/dump/text/android"
)

// A row is one kind of file. A file is of that kind when it begins with magic and
// shape, if there is one, finds nothing wrong.
type row struct {
	kind  Kind
	magic string
	shape func(head []byte) bool
	says  string // the kind and the next step, to follow "this is"
}

// kindOf is the kind of the first row that a file fits, or "".
func kindOf(rows []row, head []byte) Kind {
	for _, r := range rows {
		if bytes.HasPrefix(head, []byte(r.magic)) && (r.shape == nil || r.shape(head)) {
			return r.kind
		}
	}
	return ""
}

func sniffBinary(head []byte) Kind { return kindOf(binaries, head) }

// binaries are files that are no text.
var binaries = []row{
	// 7-Zip's DOC/7zFormat.txt, "SignatureHeader".
	{"7z", "7z\xbc\xaf\x27\x1c", nil, "a 7z archive, which is not read here: unpack it with 7z x"},
	// RARLAB's technote.txt of RAR 5.0, "RAR 5.0 signature"; 4.x ends with 00.
	{"RAR", "Rar!\x1a\x07", nil, "a RAR archive, which is not read here: unpack it with unrar x"},
	// bzip2's compress.c, BZ2_compressBlock: "BZh", the level, then the magic of a block or of the end.
	{"bzip2", "BZh", isBzip2, "a bzip2 file, which is not read here: decompress it with bzip2 -d"},
	// lz4's doc/lz4_Frame_format.md, "Legacy frame".
	{"LZ4", "\x02\x21\x4c\x18", nil, lz4Says},
	// libevtx, documentation/Windows XML Event Log (EVTX).asciidoc, "File header".
	{"EVTX", "ElfFile\x00", nil, "a Windows event log, not a dump: open it with Event Viewer, whose Application Error entries say what crashed"},
	{"ETL", "", isETL, "a Windows event trace (ETL), not a dump: open it with Windows Performance Analyzer"},
	// OpenJDK's src/hotspot/share/services/heapDumper.cpp, "HPROF binary format".
	{"HPROF", "JAVA PROFILE 1.0.", nil, "a Java heap dump (HPROF), not a minidump: open it with Eclipse Memory Analyzer or VisualVM"},
	// OpenJDK's jdk.jfr.internal.consumer.ChunkHeader, FILE_MAGIC.
	{"JFR", "FLR\x00", nil, "a recording of Java Flight Recorder, not a dump: open it with JDK Mission Control"},
	// WebAssembly Core Specification, 5.5.16, "Modules".
	{"wasm", "\x00asm", nil, "a WebAssembly module, whose code is in no minidump: debug it with the developer tools of a browser"},
	// ECMA-335, II.24.2.1, "Metadata root", and dotnet/runtime's PortablePdb-Metadata.md, "#Pdb stream".
	{PortablePDB, "BSJB", isPortablePDB, "a portable PDB, debug information of a .NET program, which names no native code: open the dump with Visual Studio or dotnet-dump"},
	{ProtoTombstone, "", android.IsProto, "an Android tombstone"},
}

const lz4Says = "an LZ4 file of the old format, which is not read here: decompress it with lz4 -d"

// weak have such short signatures that all other tests come first.
var weak = []row{
	{"Oodle", "", isOodle, "probably compressed with Oodle, as games do, which is not read here: ask for the dump itself, or for a report that is compressed with zlib"},
}

// isBzip2 looks for the first block, or the end of an empty file.
func isBzip2(head []byte) bool {
	const block, end = "\x31\x41\x59\x26\x53\x59", "\x17\x72\x45\x38\x50\x90"
	return len(head) >= 10 && head[3] >= '1' && head[3] <= '9' && (string(head[4:10]) == block || string(head[4:10]) == end)
}

// isETL checks the header of the first buffer, WMI_BUFFER_HEADER, and of the
// first event, SYSTEM_TRACE_HEADER, which is of type 0 in group 0. They are in
// Geoff Chappell's study of ETW and in airbus-cert/etl-parser, wmi.py and system.py.
func isETL(head []byte) bool {
	const event = 0x48 // size of WMI_BUFFER_HEADER
	if len(head) < event+8 {
		return false
	}
	size, saved := binary.LittleEndian.Uint32(head), binary.LittleEndian.Uint32(head[4:])
	marker, flags := head[event+2], head[event+3]
	return size >= event && saved >= event && saved <= size &&
		marker >= 1 && marker <= 4 && flags == 0xc0 && binary.LittleEndian.Uint16(head[event+6:]) == 0
}

// isPortablePDB looks for the stream #Pdb among the headers behind the version. The metadata of an
// assembly lacks it.
func isPortablePDB(head []byte) bool {
	return bytes.Contains(head[:min(len(head), 512)], []byte("#Pdb\x00"))
}

// isOodle checks the header of a block: ooz's kraken.cpp, Kraken_ParseHeader. A
// stream begins with a block that restarts the decoder.
func isOodle(head []byte) bool {
	if len(head) < 3 || head[0] != 0x8c && head[0] != 0xcc {
		return false
	}
	switch head[1] & 0x7f {
	case 5, 6, 10, 11, 12: // LZNA, Kraken, Mermaid, BitKnit, Leviathan
		return true
	}
	return false
}

// texts are files of text; one of UTF-16 is converted before.
var texts = []row{
	// LLVM's tools/dsymutil/SymbolMap.cpp, SymbolMapLoader::Load.
	{"bcsymbolmap", "BCSymbolMap Version: ", nil, "a bcsymbolmap, the names that Apple hid when it compiled bitcode: name it by its UUID, and open it together with the dSYM"},
	// AOSP's debuggerd/libdebuggerd/tombstone_proto_to_text.cpp, tombstone_proto_to_text.
	{Tombstone, "", isTombstone, "an Android tombstone, which is text and holds its stacks already: name its functions with ndk-stack -sym"},
	// apport's problem_report.py, ProblemReport.write: the type goes first.
	{Apport, "ProblemType: ", nil, "a report of apport: unpack it with apport-unpack, and open the CoreDump in it"},
	// Erlang's erts/emulator/beam/break.c, erl_crash_dump_v.
	{"erl_crash.dump", "=erl_crash_dump:", nil, "a crash dump of Erlang, which is text: open it with crashdump_viewer"},
	// Reports of Windows 7 to 11; Microsoft says nothing of their form.
	{WER, "Version=1", isWER, "a summary of Windows Error Reporting, which is text: open the .dmp or .mdmp file in its folder, if there is one"},
}

// isTombstone looks for the first line of a tombstone, at the start of the file or behind the
// prefix of a log line, and for the thread that crashed.
func isTombstone(text []byte) bool {
	_, after, ok := bytes.Cut(text, []byte("*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***"))
	return ok && bytes.Contains(after, []byte("pid: ")) && bytes.Contains(after, []byte(", tid: "))
}

func isWER(text []byte) bool {
	return bytes.Contains(text, []byte("\nEventType=")) && bytes.Contains(text, []byte("\nEventTime="))
}
