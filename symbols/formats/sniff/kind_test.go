package sniff

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// What is done with a file depends on its kind alone.
func TestKinds(t *testing.T) {
	type is struct{ dump, archive, compressed, wrapped, managed bool }
	for kind, want := range map[Kind]is{
		Minidump:    {dump: true},
		Microdump:   {dump: true},
		ELFCore:     {dump: true},
		MachOCore:   {},
		KernelDump:  {dump: true},
		IPS:         {},
		Breakpad:    {},
		PDB:         {},
		PE:          {},
		ELF:         {},
		MachO:       {},
		Zip:         {archive: true},
		CAB:         {archive: true},
		Tar:         {archive: true, wrapped: true},
		Unreal:      {archive: true, wrapped: true},
		Multipart:   {archive: true, wrapped: true},
		Envelope:    {archive: true, wrapped: true},
		Gzip:        {archive: true, compressed: true},
		Zlib:        {archive: true, compressed: true},
		Xz:          {archive: true, compressed: true},
		Zstd:        {archive: true, compressed: true},
		Lz4:         {archive: true, compressed: true},
		Assembly:    {managed: true},
		PortablePDB: {managed: true},
		Tombstone:   {},
		Text:        {},
		Empty:       {},
		Unknown:     {},
		"7z":        {}, // which is not read
	} {
		if got := (is{kind.Dump(), kind.Archive(), kind.Compressed(), kind.Wrapped(), kind.Managed()}); got != want {
			t.Errorf("%s: %+v, want %+v", kind, got, want)
		}
	}
}

// A file that should be a symbol file is called by its name and a noun, without
// what to do with it.
func TestInstead(t *testing.T) {
	for kind, want := range map[Kind]string{
		Empty:       "is empty",
		Unknown:     "is no symbol file, nor anything else that we know",
		Minidump:    "is no symbol file but a minidump",
		Text:        "is no symbol file but a text file",
		PDB:         "is no symbol file but a PDB file",
		IPS:         "is no symbol file but a macOS crash report",
		KernelDump:  "is no symbol file but a dump of the Windows kernel",
		"7z":        "is no symbol file but a 7z archive",
		PortablePDB: "is no symbol file but a portable PDB",
	} {
		if got := kind.Instead(); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
	if got := Kind("nothing").Sentence(); got != "" {
		t.Errorf("a kind that is none is %q", got)
	}
}

// The type of an ELF file is read in the order of its bytes (e_ident[EI_DATA]).
func TestELF(t *testing.T) {
	const none, rel, exec, dyn, core = 0, 1, 2, 3, 4
	for _, order := range []byte{1, 2} {
		for typ, want := range map[uint16]Kind{none: ELF, rel: ELF, exec: ELF, dyn: ELF, core: ELFCore, 0x0400: ELF, 0xfe00: ELF} {
			s := asm.At(0)
			if order == 2 {
				s.BigEndian()
			}
			head := s.Text("\x7fELF").U8(2, order, 1).Zeros(9).U16(typ).Build(t)
			if got := Of(head); got != want {
				t.Errorf("order %d, type %#x: %s, want %s", order, typ, got, want)
			}
			if got := Of(head[:17]); got == ELF || got == ELFCore {
				t.Errorf("order %d, type %#x: %s without all of its type", order, typ, got)
			}
		}
	}
}

// A file of several CPUs has as many as its header says; Java's classes begin
// with the same bytes and have a version there, from 45 on.
func TestMachO(t *testing.T) {
	big := func(words ...uint32) []byte { return asm.At(0).BigEndian().U32(words...).Build(t) }
	little := func(words ...uint32) []byte { return asm.At(0).U32(words...).Build(t) }
	const execute, core, dsym = 2, 4, 10
	for _, tt := range []struct {
		name string
		head []byte
		want Kind
	}{
		{"32 bits", little(0xfeedface, 7, 3, execute), MachO},
		{"64 bits", little(0xfeedfacf, 0x1000007, 3, execute), MachO},
		{"a dSYM", little(0xfeedfacf, 0x1000007, 3, dsym), MachO},
		{"a core", little(0xfeedfacf, 0x1000007, 3, core), MachOCore},
		{"a core of 32 bits", little(0xfeedface, 7, 3, core), MachOCore},
		{"PowerPC", big(0xfeedface, 18, 0, execute), MachO},
		{"a core of PowerPC", big(0xfeedface, 18, 0, core), MachOCore},
		{"64 bits of PowerPC", big(0xfeedfacf, 0x1000012, 0, execute), MachO},
		{"two CPUs", big(0xcafebabe, 2, 7, 3), MachO},
		{"two CPUs in large files", big(0xcafebabf, 2, 7, 3), MachO},
		{"39 CPUs", big(0xcafebabe, 39, 7, 3), MachO},
		{"a class of Java 1.1", big(0xcafebabe, 3<<16|45, 7, 3), Unknown},
		{"a class of Java 17", big(0xcafebabe, 61, 7, 3), Unknown},
		{"without its type", little(0xfeedfacf, 0x1000007, 3), Unknown},
	} {
		if got := Of(tt.head); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A program of DOS begins with MZ, too: the signature PE is where offset 60 says.
func TestPE(t *testing.T) {
	mz := func(at uint32, rest string) string {
		return string(asm.At(0).Text("MZ").Zeros(58).U32(at).Text(rest).Build(t))
	}
	for _, tt := range []struct {
		name, head string
		want       Kind
	}{
		{"at once", mz(64, "PE\x00\x00"), PE},
		{"behind a stub", mz(72, "\x0e\x1f\xba\x0e\x00\xb4\x09\xcdPE\x00\x00"), PE},
		{"beyond what is seen", mz(0x10000, "\x0e\x1f\xba"), PE},
		{"at the edge of it", mz(64, "PE\x00"), PE},
		{"of DOS", mz(64, "\x0e\x1f\xba\x0e\x00\xb4\x09\xcd"), Unknown},
		{"of OS/2", mz(64, "NE\x05\x01\x00\x00\x00\x00"), Unknown},
		{"in itself", mz(0, "\x01\x02"), Unknown},
		{"an offset that lies", mz(0xffff_ffff, "\x01\x02"), PE},
	} {
		if got := Of([]byte(tt.head)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A symbol file begins with a record; INFO and FILE begin other texts, too.
func TestBreakpadFiles(t *testing.T) {
	for text, want := range map[string]Kind{
		"MODULE Linux x86_64 0 app\n":                  Breakpad,
		"\n\r\nMODULE Linux x86_64 0 app\n":            Breakpad,
		"FUNC 10 10 0 f\n":                             Breakpad,
		"PUBLIC 10 0 f\n":                              Breakpad,
		"STACK CFI INIT 10 10 .cfa: $rsp 8 +\n":        Breakpad,
		"STACK WIN 4 10 10 0 0 0 0 0 0 1 $eip\n":       Breakpad,
		"INLINE_ORIGIN 0 f\n":                          Breakpad,
		"FILE 0 a.c\nFUNC 10 10 0 f\n":                 Breakpad,
		"INFO CODE_ID AB\nPUBLIC 10 0 f\n":             Breakpad,
		"MODULE Linux x86_64 0 app\n\x00\x01\x02\x03":  Breakpad, // damaged behind
		"FILE 0 a.c\n":                                 Text,
		"INFO all is well\n":                           Text,
		"INFO the FUNC is\nnot here\n":                 Text,
		"MODULES of Linux\n":                           Text,
		"module Linux x86_64 0 app\n":                  Text,
		" MODULE Linux x86_64 0 app\n":                 Text,
		"STACK of cards\n":                             Text,
		"FUNCTION 10\n":                                Text,
		"\ufeffMODULE Linux x86_64 0 app\n":            Breakpad, // a byte order mark
		wide(t, "\ufeffMODULE Linux x86_64 0 app\r\n"): Breakpad,
	} {
		if got := Of([]byte(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// UTF-16 is known by its mark, or by zeros in every second byte.
func TestEncodings(t *testing.T) {
	const words = "Some words of a text.\r\n"
	big := func(text string) string { return string(asm.At(0).BigEndian().UTF16(text).Build(t)) }
	for _, tt := range []struct {
		name, head string
		want       Kind
	}{
		{"ASCII", words, Text},
		{"UTF-8", "Grüße aus Köln\n", Text},
		{"UTF-8 with a mark", "\xef\xbb\xbf" + words, Text},
		{"Latin-1", "Gr\xfc\xdfe aus K\xf6ln\n", Text},
		{"UTF-16", wide(t, words), Text},
		{"UTF-16 with a mark", "\xff\xfe" + wide(t, words), Text},
		{"big-endian UTF-16", big(words), Text},
		{"big-endian UTF-16 with a mark", "\xfe\xff" + big(words), Text},
		{"UTF-16 of no ASCII", "\xff\xfe" + wide(t, "他们为什么"), Unknown}, // nothing that is looked at
		{"a mark and noise", "\xff\xfe" + strings.Repeat("\x01\x00", 20), Unknown},
		{"zeros", strings.Repeat("\x00", 64), Unknown},
		{"control characters", strings.Repeat("\x01\x02ab", 16), Unknown},
		{"one in a hundred", strings.Repeat("x", 100) + "\x1b", Text},
		{"colours of a terminal", strings.Repeat("\x1b[1mab\x1b[0m", 16), Text},
		{"more than one in a hundred", strings.Repeat("x", 98) + "\x1b\x1b", Unknown},
		{"a delete", strings.Repeat("x", 40) + "\x7f", Unknown},
		{"tabs and form feeds", "\t\f\r\n", Text},
	} {
		if got := Of([]byte(tt.head)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// The report of macOS has its own first line, or has lost it.
func TestIPS(t *testing.T) {
	for text, want := range map[string]Kind{
		"{\"bug_type\":\"309\"}\n{}\n":                    IPS,
		"{\"name\":\"x\",\"bug_type\":\"298\"}":           IPS,
		"{\"procName\":\"x\",\"bundleInfo\":{}}":          IPS,
		"{\"procName\":\"x\"}":                            Text,
		"{\"bundleInfo\":{}}":                             Text,
		"{}\n{\"bug_type\":\"309\"}\n":                    Text, // not in the first line
		"bug_type\n":                                      Text,
		"Process:  App [1]\n":                             IPS,
		"Process: App\n":                                  Text,
		"Incident Identifier: 01234567\n":                 IPS,
		"x\nProcess:  App [1]\n":                          Text,
		wide(t, "\ufeffProcess:               App [1]\n"): Text, // Apple's are UTF-8
	} {
		if got := Of([]byte(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Keys are those of the outermost object alone (RFC 8259).
func TestOuterKeys(t *testing.T) {
	for _, tt := range []struct {
		text string
		list bool
		want string
	}{
		{text: `{"a":1,"b":2}`, want: "a b"},
		{text: `{"a":{"b":2},"c":3}`, want: "a c"},
		{text: `{"a":["b",{"c":1}],"d":4}`, want: "a d"},
		{text: `{"a":"b","c":"d"}`, want: "a c"},
		{text: `{"a\"b":1}`, want: `a\"b`},
		{text: "{\n \"a\" : 1 , \"b\" : \"}\" , \"c\":1}", want: "a b c"},
		{text: `{}`, want: ""},
		{text: `{"a`, want: ""},
		{text: `[{"a":1},{"b":{"c":1}}]`, list: true, want: "a b"},
		{text: `["a",{"b":1}]`, list: true, want: "b"},
		{text: `[[{"a":1}]]`, list: true, want: ""},
	} {
		if got := strings.Join(outerKeys([]byte(tt.text), tt.list), " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// Every report that package container opens is searched for, whatever it begins with.
func TestReportsAreText(t *testing.T) {
	paths, _ := filepath.Glob("../../../core/dump/container/testdata/reports/*")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if k := Of(data[:min(len(data), Size)]); err != nil || !k.Text() {
			t.Errorf("%s: %s, %v", path, k, err)
		}
	}
	if k := Of([]byte("Version=1\nEventType=APPCRASH\nEventTime=131666691375272319\n")); len(paths) < 20 || !k.Text() {
		t.Errorf("%d files, %s", len(paths), k)
	}
}
