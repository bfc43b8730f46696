// Package sniff identifies a file by its content, and says what to do with a file that cannot be
// opened here.
//
//	kind := sniff.Of(head)      // the first sniff.Size bytes
//	"this is " + kind.Sentence() // "a JFR recording, not a dump: open it with JDK Mission Control"
//
// File names do not matter, because people and browsers rename files. Truncated or damaged input
// never fails: a file that matches no signature is of an unknown kind. Read kind.go first, then
// this file, which has the order of the tests; foreign.go and json.go are tables of
// files that other programs write, each row with its source.
package sniff

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"crashglass/symbols/archives/archive"
)

// microdumpBegin is the first line of a microdump.
const microdumpBegin = "-----BEGIN BREAKPAD MICRODUMP-----"

// Size is the number of bytes of a file that Of needs. A microdump may begin far inside a log.
const Size = 64 << 10

// magics are signatures that need no further test.
var magics = []struct {
	magic string
	kind  Kind
}{
	{"MDMP", Minidump},
	{"PMDM", Minidump}, // of a big-endian machine
	{"PAGEDU64", KernelDump},
	{"PAGEDUMP", KernelDump},
	{"Microsoft C/C++ MSF 7.00\r\n\x1aDS", PDB},
	{"Microsoft C/C++ program database 2.00\r\n\x1aJG", PDB},
	{"MSCF\x00\x00\x00\x00", CAB},
}

// archives are the formats of package archive, except for zlib: its signature is too short to be
// tested before text.
var archives = []struct {
	format archive.Format
	kind   Kind
}{
	{archive.Zip, Zip}, {archive.Gzip, Gzip}, {archive.Tar, Tar}, {archive.Zstd, Zstd}, {archive.Xz, Xz}, {archive.Lz4, Lz4}, {archive.Cab, CAB},
	{archive.Unreal, Unreal}, {archive.Multipart, Multipart}, {archive.Envelope, Envelope}, {archive.Ar, StaticLibrary},
}

// Of identifies a file by its first Size bytes, or by all of a shorter one.
func Of(head []byte) Kind {
	if len(head) == 0 {
		return Empty
	}
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return m.kind
		}
	}
	for _, look := range []func([]byte) Kind{sniffELF, sniffMachO, sniffPE, sniffBinary, sniffArchive, sniffText, sniffLast} {
		if k := look(head); k != "" {
			return k
		}
	}
	return Unknown
}

func sniffArchive(head []byte) Kind {
	format := archive.Sniff(head)
	for _, a := range archives {
		if a.format == format {
			return a.kind
		}
	}
	return ""
}

// sniffLast tests for kinds with a signature of two bytes, after all others.
func sniffLast(head []byte) Kind {
	if archive.Sniff(head) == archive.Zlib {
		return Zlib
	}
	return kindOf(weak, head)
}

// sniffELF reads e_type, which is 4 (ET_CORE) for a core file. System V ABI,
// "ELF Header".
func sniffELF(head []byte) Kind {
	if len(head) < 18 || string(head[:4]) != "\x7fELF" {
		return ""
	}
	typ := binary.LittleEndian.Uint16(head[16:])
	if head[5] == 2 {
		typ = binary.BigEndian.Uint16(head[16:])
	}
	if typ == 4 {
		return ELFCore
	}
	return ELF
}

// sniffMachO reads filetype, which is 4 (MH_CORE) for a core file, of a
// mach_header; or the magic of a file for several CPUs, which it shares with
// Java's classes: these have a version of 45 or more where it has the number
// of CPUs. <mach-o/loader.h>, <mach-o/fat.h>.
func sniffMachO(head []byte) Kind {
	if len(head) < 16 {
		return ""
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch binary.BigEndian.Uint32(head) {
	case 0xcafebabe, 0xcafebabf:
		if binary.BigEndian.Uint32(head[4:]) < 40 {
			return MachO
		}
		return ""
	case 0xfeedface, 0xfeedfacf:
		order = binary.BigEndian
	case 0xcefaedfe, 0xcffaedfe:
	default:
		return ""
	}
	if order.Uint32(head[12:]) == 4 {
		return MachOCore
	}
	return MachO
}

// sniffPE follows e_lfanew to the signature, where the head reaches so far.
func sniffPE(head []byte) Kind {
	if len(head) < 64 || string(head[:2]) != "MZ" {
		return ""
	}
	at := int64(binary.LittleEndian.Uint32(head[60:]))
	switch {
	case at+4 > int64(len(head)):
		return PE
	case string(head[at:at+4]) != "PE\x00\x00":
		return ""
	case isAssembly(head, at+4):
		return Assembly
	}
	return PE
}

func sniffText(head []byte) Kind {
	if isBreakpad(head) { // even if the rest is noise
		return Breakpad
	}
	text, utf16 := asText(head)
	if text == nil {
		return ""
	}
	switch {
	case isBreakpad(text):
		return Breakpad
	case bytes.Contains(text, []byte(microdumpBegin)):
		return Microdump
	case !utf16 && isIPS(text):
		return IPS
	}
	return cmp.Or(kindOf(texts, text), sniffJSON(text), Text)
}

// isIPS knows both forms of macOS crash reports: a line of JSON with a
// bug_type before the report, or the report alone, and the older text.
func isIPS(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if bytes.HasPrefix(first, []byte("{")) && bytes.Contains(first, []byte(`"bug_type"`)) {
		return true
	}
	if bytes.HasPrefix(text, []byte("{")) && bytes.Contains(text, []byte(`"procName"`)) && bytes.Contains(text, []byte(`"bundleInfo"`)) {
		return true
	}
	return bytes.HasPrefix(first, []byte("Process:  ")) || bytes.HasPrefix(first, []byte("Incident Identifier: "))
}

// recordTags begin the lines of a symbol file.
var recordTags = []string{"MODULE ", "INFO ", "FILE ", "INLINE_ORIGIN ", "FUNC ", "PUBLIC ", "STACK CFI ", "STACK WIN "}

// isBreakpad looks at the first line that is not empty. MODULE is usually
// there, but a file that lost its beginning is still one.
func isBreakpad(text []byte) bool {
	text = bytes.TrimLeft(text, "\r\n")
	for _, tag := range recordTags {
		if bytes.HasPrefix(text, []byte(tag)) {
			// INFO and FILE begin lines of other texts, too.
			return tag != "INFO " && tag != "FILE " || bytes.Contains(text, []byte("\nFUNC ")) || bytes.Contains(text, []byte("\nPUBLIC "))
		}
	}
	return false
}

// asText returns the beginning of a text as bytes, or nil for other files. Of UTF-16 it keeps the
// ASCII characters.
func asText(head []byte) (text []byte, utf16 bool) {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	low, high := 0, 1 // where each byte of a unit is
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), len(head) >= 8 && head[1] == 0 && head[3] == 0 && head[5] == 0:
	case bytes.HasPrefix(head, []byte("\xfe\xff")), len(head) >= 8 && head[0] == 0 && head[2] == 0 && head[4] == 0:
		low, high = 1, 0
	default:
		if !plainText(head) {
			return nil, false
		}
		return head, false
	}
	for i := 0; i+1 < len(head); i += 2 {
		if head[i+high] == 0 {
			text = append(text, head[i+low])
		}
	}
	if !plainText(text) {
		return nil, false
	}
	return text, true
}

// plainText reports whether bytes are text in an encoding that keeps ASCII: they have few control
// characters besides line breaks, tabs and the colours of a terminal. A few may be damage.
func plainText(b []byte) bool {
	odd := 0
	for i, c := range b {
		colour := c == 0x1b && i+1 < len(b) && b[i+1] == '['
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && !colour || c == 0x7f {
			odd++
		}
	}
	if !utf8.Valid(b[:max(0, len(b)-utf8.UTFMax)]) {
		odd += len(b) / 200 // of what is not UTF-8, less
	}
	return odd*100 <= len(b)
}

// logMarks stand near the beginning of logs of Android: of what logcat prints,
// and of a bug report. A text with one of them is searched as a whole.
var logMarks = []string{"google-breakpad", "--------- beginning of ", "== dumpstate: "}

// reports are the kinds of text that may have a report for package container.
var reports = []Kind{Text, Tombstone, IPS, Apport, WER}

// Text reports whether a file of that kind is text in which a report may be.
func (k Kind) Text() bool { return slices.Contains(reports, k) }

// InText returns the kind of a text with a dump or a report of a kind of package container in it, or k if
// there is none.
func InText(found string, k Kind) Kind {
	switch {
	case found == "":
		return k
	case Kind(found) == Microdump:
		return Microdump
	}
	return Report
}

// LikeLog reports whether the beginning of a text is like that of a log.
func LikeLog(head []byte) bool {
	for _, mark := range logMarks {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	return false
}
