package container

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/process"
	"crashglass/core/testkit/corefile"
	"crashglass/core/testkit/dump"
)

func source(data []byte) bin.Source { return bin.NewSource(bytes.NewReader(data), int64(len(data))) }

func open(t *testing.T, data []byte) []Dump {
	t.Helper()
	all, err := OpenAll(source(data))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const linux = 0x8201 // MD_OS_LINUX

// A minidump has everything in its streams: its origin has only the size.
func TestMinidump(t *testing.T) {
	data := dump.New().System(dump.AMD64, linux, "6.1").Build(t)
	all := open(t, data)
	if len(all) != 1 {
		t.Fatalf("%d dumps", len(all))
	}
	if want := (process.Origin{Kind: "minidump", Size: int64(len(data))}); !reflect.DeepEqual(all[0].Process.Origin, want) {
		t.Errorf("%+v, want %+v", all[0].Process.Origin, want)
	}
	if sys, err := all[0].File.SystemInfo(); err != nil || sys.CSDVersion != "6.1" {
		t.Errorf("%+v, %v", sys, err)
	}
}

// A core is a snapshot whose parts are program headers.
func TestCore(t *testing.T) {
	data := corefile.AMD64(t)
	all := open(t, data)
	if len(all) != 1 || all[0].Process.Origin.Kind != "ELF core" || all[0].Process.Origin.Table != "program headers" || all[0].Process.Origin.Size != int64(len(data)) {
		t.Fatalf("%d dumps, %+v", len(all), all[0].Process.Origin)
	}
	if threads := all[0].Process.Threads; len(threads) != 2 || threads[0].ID != 0x1234 || all[0].File != nil {
		t.Errorf("%+v, %v", threads, all[0].File)
	}
	if hash, err := process.Digest(source(data)); err != nil || all[0].Process.Hash != hash {
		t.Errorf("hash %s, %v; want that of the file, %s", all[0].Process.Hash, err, hash)
	}
	f, err := all[0].Streams()
	if err != nil {
		t.Fatal(err)
	}
	if threads, err := f.Threads(); err != nil || len(threads) != 2 || threads[1].ID != 0x1235 {
		t.Errorf("%+v, %v", threads, err)
	}
}

// The table names the kinds that its readers open.
func TestKinds(t *testing.T) {
	for _, data := range [][]byte{corefile.AMD64(t), dump.New().System(dump.AMD64, linux, "6.1").Build(t), []byte(logOf("V x"))} {
		if kind := open(t, data)[0].Process.Origin.Kind; !slices.Contains(Kinds(), kind) {
			t.Errorf("%s is none of %q", kind, Kinds())
		}
	}
}

// Another file is refused by the reader that its first bytes select.
func TestNoDump(t *testing.T) {
	core := corefile.AMD64(t)
	program := append([]byte{}, core...)
	program[16] = 2 // ET_EXEC
	for name, data := range map[string][]byte{
		"nothing": nil, "text": []byte("hello"), "a program": program,
		"a core's first bytes": core[:20], "a minidump's": []byte("MDMP"),
	} {
		if all, err := OpenAll(source(data)); err == nil || all != nil {
			t.Errorf("%s is %d dumps", name, len(all))
		}
	}
}

// A core states its size in its first bytes, so a core of zeros is no bomb.
func TestStatedSize(t *testing.T) {
	head, size := corefile.Large(t, 1<<30)
	for _, tt := range []struct {
		name string
		head []byte
		want int64
	}{
		{"a core", head, size},
		{"a minidump", dump.New().Build(t), 0},
		{"nothing", nil, 0},
	} {
		if got := StatedSize(tt.head); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// logOf is a log with one microdump, as Breakpad's microdump_writer.cc writes it.
func logOf(lines ...string) string {
	return "-----BEGIN BREAKPAD MICRODUMP-----\n" + strings.Join(lines, "\n") + "\n-----END BREAKPAD MICRODUMP-----\n"
}

// A log may have several microdumps. Each lacks the facts that do not fit into Android's log.
func TestMicrodumps(t *testing.T) {
	const system = "O A arm 08 armv8l brand/device:7.1.1/user/release-keys"
	all := open(t, []byte("before\n"+logOf("V Chrome:Beta:1.2.3", system, "P browser", "R 0000000B SIGSEGV 00000123", "G OpenGL ES 3.0|Qualcomm|Adreno (TM) 330", "H 12C00000 FFF73000 00D9 31E89000 975F4000 0C:18")+logOf(system)))
	if len(all) != 2 {
		t.Fatalf("%d dumps", len(all))
	}
	first, second := all[0].Process, all[1].Process
	lacks := process.CPUModel | process.SystemVersion | process.SignalCode | process.CodeIDs | process.Places | process.Copy
	if first.Origin.Kind != "microdump" || first.Writer != "Breakpad" || first.System.Version != "brand/device:7.1.1/user/release-keys" || first.Lacks != lacks {
		t.Errorf("%+v", first)
	}
	if first.Hash == "" || first.Hash == second.Hash {
		t.Errorf("hashes %s and %s", first.Hash, second.Hash)
	}
	if want := (process.GPU{Version: "OpenGL ES 3.0", Vendor: "Qualcomm", Renderer: "Adreno (TM) 330"}); first.Origin.GPU != want {
		t.Errorf("%+v", first.Origin.GPU)
	}
	facts := []process.Annotation{
		{Name: "product", Value: "Chrome:Beta", Source: "microdump"}, // the version is behind the last colon
		{Name: "version", Value: "1.2.3", Source: "microdump"},
		{Name: "process_type", Value: "browser", Source: "microdump"},
		{Name: "machine", Value: "armv8l", Source: "microdump"},
		{Name: "free address space", Value: "2539601920 bytes in 217 holes, the largest of 837324800", Source: "microdump"},
	}
	if !reflect.DeepEqual(first.Annotations, facts) {
		t.Errorf("%+v\nwant %+v", first.Annotations, facts)
	}
	if second.Lacks != lacks|process.SignalNumber || !reflect.DeepEqual(second.Annotations, facts[3:4]) {
		t.Errorf("one of an old client: %s, %+v", second.Lacks, second.Annotations)
	}
}

// A product without a colon has no version.
func TestProductWithoutVersion(t *testing.T) {
	facts := open(t, []byte("08-17 F/x: "+begin+"\n08-17 F/x: V WebView\n08-17 F/x: "+end+"\n"))[0].Process.Annotations
	want := []process.Annotation{{Name: "product", Value: "WebView", Source: "microdump"}, {Name: "logged", Value: "08-17 F/x", Source: "microdump"}}
	if !reflect.DeepEqual(facts, want) {
		t.Errorf("%+v, want %+v", facts, want)
	}
}

const (
	begin = "-----BEGIN BREAKPAD MICRODUMP-----"
	end   = "-----END BREAKPAD MICRODUMP-----"
	log   = begin + "\nV Product:1\n" + end + "\n"
)

// A file that is no dump gets the error of a minidump.
func TestErrors(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"empty", "", "minidump: header at 0x0: need 4 bytes, have 0"},
		{"short", "ab", "minidump: header at 0x0: need 4 bytes, have 2"},
		{"text", "some text", "minidump: header at 0x0: signature 0x656d6f73 is not MDMP"},
		{"binary", "PK\x03\x04\x00\x00" + log, "minidump: header at 0x0: signature 0x04034b50 is not MDMP"},
		{"the end only", "08-17 F/google-breakpad(1): " + end, "minidump: header at 0x0: signature 0x312d3830 is not MDMP"},
		{"damaged minidump", "MDMP" + "\n" + log, "minidump: directory at 0x204e4947: lies beyond the end of the file at 0x55"},
		{"damaged minidump of a big-endian machine", "PMDM" + "\n" + log, "minidump: directory at 0x47494e20: lies beyond the end of the file at 0x55"},
	}
	for _, tt := range tests {
		opened, err := OpenAll(source([]byte(tt.data)))
		if len(opened) > 0 || err == nil || err.Error() != tt.want {
			t.Errorf("%s: %d dumps, error %v, want %s", tt.name, len(opened), err, tt.want)
		}
	}
}
