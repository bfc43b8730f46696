package symbols

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/lzxpack"
	"crashglass/symbols/archives/archive"
	"crashglass/symbols/formats/sniff"
)

// items are what Add returned, in lines.
func items(list []Item) string {
	var out []string
	for _, i := range list {
		use := [...]string{"", " dump", " symbols"}[i.Use]
		line := fmt.Sprintf("%s is %s%s", i.Name, i.Kind, use)
		if len(i.Archive) > 0 {
			line += " in " + strings.Join(i.Archive, ">")
		}
		if i.Message != "" {
			line += ": " + i.Message
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// cabOf is a cabinet with one file, app.sym, stored as it is. Its folder has
// four reserved bytes, "data".
func cabOf(t *testing.T, data string) string {
	return string(asm.At(0).Text("MSCF").U32(0, 0, 0).Ref32("files").U32(0).U8(3, 1).U16(1, 1, 4, 0, 0).
		U16(0).U8(4, 0).
		Ref32("block").U16(1, 0).Text("data").
		Mark("files").U32(uint32(len(data)), 0).U16(0, 0, 0, 0).Text("app.sym\x00").
		Mark("block").U32(0).U16(uint16(len(data)), uint16(len(data))).Text(data).Build(t))
}

func TestAdd(t *testing.T) {
	dump := "MDMP\x93\xa7 and so on"
	plain := sym(idA, "app")
	damaged := gzipped("MDMP" + strings.Repeat("not much", 1000))
	tests := []struct {
		name, data string
		want       string
	}{
		{"a.dmp", dump, "a.dmp is minidump dump"},
		{"a.txt", dump, "a.txt is minidump dump"},
		{"a.log", "x\n-----BEGIN BREAKPAD MICRODUMP-----\n", "a.log is microdump dump"},
		{"a.sym", plain, "a.sym is Breakpad symbols symbols"},
		{"a.sym", "FUNC 10 10 0 f\n", "a.sym is Breakpad symbols symbols: this is a Breakpad symbol file that does not say which build it is of"},
		{"a.sym", "", "a.sym is empty: this is an empty file"},
		{"core", elfFile(4), "core is ELF core dump"},
		{"core.gz", gzipped(elfFile(4)), "core.gz/core is ELF core dump in core.gz"},
		{"a.so", elfFile(3), "a.so is ELF symbols: this is an ELF program or library that does not say which build it is of"},
		{"a.pdb", "Microsoft C/C++ MSF 7.00\r\n\x1aDS", "a.pdb is PDB: this is a PDB file that cannot be read: pdb: file at 0x0: not a PDB: the first bytes are not those of an MSF file"},
		{"a.txt", "hello\n", "a.txt is text: this is a text file, not a dump"},
		{"a.bin", "\x00\x01\x02", "a.bin is unknown: this is neither a dump nor a symbol file"},
		{"a.cab", "MSCF\x00\x00\x00\x00", "a.cab is CAB: this cannot be opened: archive: cabinet: header at 0x0: need 16 bytes, have 8"},

		{"a.zip", zipped("a.dmp", dump, "readme", "hello\n", "s/a.sym", plain), "a.zip/a.dmp is minidump dump in a.zip\na.zip/s/a.sym is Breakpad symbols symbols in a.zip"},
		{"a.dmp.gz", gzipped(dump), "a.dmp.gz/a.dmp is minidump dump in a.dmp.gz"},
		{"a.zip", zipped("b.gz", gzipped(dump)), "a.zip/b.gz/b is minidump dump in a.zip>b.gz"},
		{"a.tar.gz", gzipped(tarred("x/a.dmp", dump)), "a.tar.gz/x/a.dmp is minidump dump in a.tar.gz"},
		{"a.zip", zipped("b.tgz", gzipped(tarred("x/a.dmp", dump))), "a.zip/b.tgz/x/a.dmp is minidump dump in a.zip>b.tgz"},
		{"a.zip", zipped("b.zip", zipped("c.gz", gzipped(dump))), "a.zip/b.zip/c.gz is gzip in a.zip>b.zip: this is an archive in an archive in an archive: unpack it first"},
		{"a.zip", zipped("a.txt", "hello\n", "b", ""), "a.zip is zip: this is a zip archive of 2 files, none of which is a dump or a symbol file"},
		{"a.zip", zipped(), "a.zip is zip: this is a zip archive of 0 files, none of which is a dump or a symbol file"},
		{"a.zip", zipped("a.dmp", dump)[:40], "a.zip is zip: this cannot be opened: archive: zip: no central directory: the file is cut short, or one part of several"},
		{"cut.dmp.gz", damaged[:len(damaged)-12], "cut.dmp.gz/cut.dmp is minidump dump in cut.dmp.gz: the archive is damaged, and this is the part before the damage: unexpected EOF"},
		{"app.sy_", cabOf(t, "MODULE Linux x86_64 0 app\n"), "app.sy_/app.sym is Breakpad symbols symbols in app.sy_: this is a Breakpad symbol file that does not say which build it is of"},
		{"a.cab", cabOf(t, dump), "a.cab/app.sym is minidump dump in a.cab"},
		{"quantum.cab", strings.Replace(cabOf(t, dump), "\x01\x00\x00\x00data", "\x01\x00\x02\x15data", 1), "quantum.cab is CAB: this cannot be opened: archive: cabinet: it is compressed with Quantum, which is not read here: unpack it with expand or cabextract"},
		{"lzx.cab", string(lzxpack.Cabinet("app.dmp", []byte(dump), lzxpack.Options{Bits: 15, Kinds: []int{lzxpack.Verbatim}, Sizes: []int{1000}})), "lzx.cab/app.dmp is minidump dump in lzx.cab"},
		{"damaged.cab", strings.Replace(cabOf(t, dump), "\x01\x00\x00\x00data", "\x01\x00\x03\x15data", 1), "damaged.cab is CAB: this is a Microsoft cabinet file of 1 files, none of which is a dump or a symbol file; damaged.cab/app.sym cannot be read: archive: app.sym in CAB: lzx: output at 0x0: a block of type 4, known are 1 to 3"},
		{"a.zip", zipped("a.txt", "hello\n", "x/a.jfr", "FLR\x00\x00\x02"), "a.zip is zip: this is a zip archive of 2 files, none of which is a dump or a symbol file; a.zip/x/a.jfr is a recording of Java Flight Recorder, not a dump: open it with JDK Mission Control"},
		{"a.jfr.gz", gzipped("FLR\x00\x00\x02"), "a.jfr.gz is gzip: this is a gzip file of a recording of Java Flight Recorder, not a dump: open it with JDK Mission Control"},
		{"a.7z", "7z\xbc\xaf\x27\x1c", "a.7z is 7z: this is a 7z archive, which is not read here: unpack it with 7z x"},

		{"body", upload(dump), "body/crash.dmp is minidump dump in body"},
		{"body.gz", gzipped(upload(dump)), "body.gz/crash.dmp is minidump dump in body.gz"},
		{"body.gz", gzipped(upload(gzipped(dump))), "body.gz/crash.dmp/crash.dmp is minidump dump in body.gz>crash.dmp"},
		{"a.zip", zipped("body.gz", gzipped(upload(dump))), "a.zip/body.gz/crash.dmp is minidump dump in a.zip>body.gz"},
		{"body", upload("hello"), "body is upload: this is the body of an upload of 1 files, none of which is a dump or a symbol file"},
		{"a.uecrash", deflated(unreal(t, dump)), "a.uecrash/UEMinidump.dmp is minidump dump in a.uecrash"},
		{"a.uecrash", unreal(t, dump), "a.uecrash/UEMinidump.dmp is minidump dump in a.uecrash"},
		{"a.zip", zipped("a.uecrash", deflated(unreal(t, dump))), "a.zip/a.uecrash/UEMinidump.dmp is minidump dump in a.zip>a.uecrash"},
		{"a.uecrash", deflated(unreal(t, "hello\n")), "a.uecrash is Unreal Engine crash report: this is a crash report of Unreal Engine of 1 files, none of which is a dump or a symbol file"},
		{"a.uecrash", deflated(unreal(t, "Incident Identifier: 1\n")), "a.uecrash is Unreal Engine crash report: this is a crash report of Unreal Engine of 1 files, none of which is a dump or a symbol file; a.uecrash/UEMinidump.dmp is a macOS crash report, which is text and holds its stacks already: open it with a text editor or Console"},
		{"a.uecrash", "\x8c\x06\x00\x00\x00\x00", "a.uecrash is Oodle: this is probably compressed with Oodle, as games do, which is not read here: ask for the dump itself, or for a report that is compressed with zlib"},
		{"a.bin", deflated("hello\n"), "a.bin is zlib: this is a file compressed with zlib of a text file, not a dump"},
		{"a.envelope", "{}\n{\"type\":\"attachment\",\"length\":16,\"filename\":\"a.dmp\"}\n" + dump, "a.envelope/a.dmp is minidump dump in a.envelope"},
		{"a.log", "01-02 F DEBUG : *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\npid: 1, tid: 1\n-----BEGIN BREAKPAD MICRODUMP-----\n", "a.log is microdump dump"},
		{"a.gz", gzipped("hello\n"), "a.gz is gzip: this is a gzip file of a text file, not a dump"},
		{"a.xz", "\xfd7zXZ\x00....", "a.xz is xz: this cannot be read: archive: a in xz: xz files cannot be opened here: decompress it with xz -d"},
	}
	for _, tt := range tests {
		got := NewStore(Options{}).Add(tt.name, source(tt.data))
		if s := items(got); s != tt.want {
			t.Errorf("%s %.20q:\ngot  %s\nwant %s", tt.name, tt.data, s, tt.want)
		}
		for _, i := range got {
			if i.Use != IsDump {
				continue
			}
			if head, err := i.Source.Read("dump", 0, 4); err != nil || string(head) != "MDMP" && i.Kind == sniff.Minidump {
				t.Errorf("%s begins with %q, %v", i.Name, head, err)
			}
		}
	}
}

// TestAddMoreFormats hands in a format that is not linked here.
func TestAddMoreFormats(t *testing.T) {
	s := NewStore(Options{Limits: archive.Limits{Decompressors: map[string]func(io.Reader) (io.Reader, error){
		"xz": func(io.Reader) (io.Reader, error) { return strings.NewReader(sym(idA, "app")), nil },
	}}})
	if got, want := items(s.Add("app.sym.xz", source("\xfd7zXZ\x00...."))), "app.sym.xz/app.sym is Breakpad symbols symbols in app.sym.xz"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := summary(s.For(app(idA))), "matched | app.sym.xz/app.sym | "+idA+" | - | app_function"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// elfFile is the header of a file of 64 bits, little-endian, of a type.
func elfFile(typ byte) string {
	return "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 9) + string(typ) + strings.Repeat("\x00", 47)
}

// upload is the body that a crash reporter sends a file in.
func upload(data string) string {
	const head = "--b\r\nContent-Disposition: form-data; name=\"upload_file_minidump\"; filename=\"crash.dmp\"\r\n\r\n"
	return head + data + "\r\n--b--\r\n"
}

// unreal is the crash report that Unreal Engine makes of a file, before it is compressed.
func unreal(t testing.TB, data string) string {
	s := asm.At(0).Text("CR1").U32(260).Text("UECC-1").Zeros(254).U32(260).Text("UECC-1.uecrash").Zeros(246).U32(0, 1)
	return string(s.U32(0, 260).Text("UEMinidump.dmp").Zeros(246).U32(uint32(len(data))).Text(data).Build(t))
}

func deflated(data string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(data))
	w.Close()
	return b.String()
}

// TestManagedFiles has a module of .NET say why it has no symbols.
func TestManagedFiles(t *testing.T) {
	pdb := "BSJB\x01\x00\x01\x00\x00\x00\x00\x00\x0c\x00\x00\x00PDB v1.0\x00\x00\x00\x00\x00\x00\x06\x00\x7c\x00\x00\x00\x50\x01\x00\x00#Pdb\x00"
	m := module.Module{CodeFile: `C:\app\App.dll`, DebugFile: "App.pdb", DebugID: idA}
	given, folder := NewStore(Options{}), NewStore(Options{})
	given.Add("App.pdb", source(pdb))
	folder.AddFS("", fstest.MapFS{"App.pdb": {Data: []byte(pdb)}})
	for name, s := range map[string]*Store{"given": given, "in a folder": folder} {
		_, state := s.For(&m)
		if state.State != report.SymbolsDamaged || state.Why == nil || *state.Why != "App.pdb is no symbol file but a portable PDB" {
			t.Errorf("%s: %+v", name, state)
		}
	}
}

// Of an archive with too many members, those up to the limit are read.
func TestTooManyMembers(t *testing.T) {
	var files []string
	for i := range 12 {
		files = append(files, fmt.Sprintf("%d.dmp", i), "MDMP\x93\xa7\x00\x00")
	}
	got := NewStore(Options{Limits: archive.Limits{Entries: 10}}).Add("a.zip", source(zipped(files...)))
	last := got[len(got)-1]
	const want = "2 of the 12 files in this were not read: a.zip: archive: zip: more than 10 members"
	if len(got) != 11 || got[9].Use != IsDump || last.Left != 2 || last.Message != want {
		t.Errorf("%d items, the last one for %d files: %s", len(got), last.Left, last.Message)
	}
}

// The members that a limit leaves out are counted: those that were looked at and those that were not are
// all.
func TestLeftOut(t *testing.T) {
	const members = 12
	large := "\x7fELF" + strings.Repeat("\x00", 2<<20-4)
	var files []string
	for i := range members {
		files = append(files, fmt.Sprintf("%d.so", i), large)
	}
	got := NewStore(Options{Limits: archive.Limits{Total: 3 << 20}}).Add("a.zip", source(zipped(files...)))
	last := got[len(got)-1]
	if last.Left == 0 || len(got)-1+last.Left != members || !strings.HasPrefix(last.Message, fmt.Sprintf("%d of the %d files in this were not looked at: ", last.Left, members)) {
		t.Errorf("%d items, the last one for %d files: %s", len(got), last.Left, last.Message)
	}
	const dump = "MDMP\x93\xa7\x00\x00"
	for _, test := range []struct {
		name, data string
		left       int
	}{
		{"a.gz", gzipped(dump), 0},
		{"a.zip", zipped("a.dmp", dump, "readme", "text"), 0},
		{"a.zip", zipped("a.dmp", dump, "b.gz", gzipped(dump)[:5], "c.gz", gzipped(dump)[:5]), 2},
		{"a.zip", zipped("a.dmp", dump, "b.zip", zipped("c.zip", zipped("d.gz", gzipped(dump)))), 1},
		{"a.zip", zipped("b.gz", gzipped(dump)[:5]), 1},
	} {
		if left := leftOf(NewStore(Options{}).Add(test.name, source(test.data))); left != test.left {
			t.Errorf("%s of %d bytes: %d files are left out, want %d", test.name, len(test.data), left, test.left)
		}
	}
}
