package sniff

import (
	"archive/tar"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

func machO(t testing.TB, magic, filetype uint32) string {
	return string(asm.At(0).U32(magic, 0x01000007, 3, filetype).Zeros(16).Build(t))
}

func elfFile(class, order byte, typ ...byte) string {
	return "\x7fELF" + string([]byte{class, order, 1}) + strings.Repeat("\x00", 9) + string(typ) + strings.Repeat("\x00", 46)
}

func wide(t testing.TB, text string) string { return string(asm.At(0).UTF16(text).Build(t)) }

func tarred(t testing.TB) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := errors.Join(w.WriteHeader(&tar.Header{Name: "a", Size: 1}), w.Close()); b.Len() == 0 {
		t.Fatal(err)
	}
	return b.String()
}

func TestOf(t *testing.T) {
	pe := "MZ" + strings.Repeat("\x00", 58) + "\x40\x00\x00\x00PE\x00\x00"
	tests := []struct {
		name, head string
		want       Kind
	}{
		{"nothing", "", Empty},
		{"minidump", "MDMP\x93\xa7", Minidump},
		{"big-endian minidump", "PMDM\xa7\x93", Minidump},
		{"kernel dump of 64 bits", "PAGEDU64\x0f", KernelDump},
		{"kernel dump of 32 bits", "PAGEDUMP\x0f", KernelDump},
		{"microdump in a log", "06-12 I/google-breakpad( 123): -----BEGIN BREAKPAD MICRODUMP-----\n", Microdump},
		{"symbols", "MODULE Linux x86_64 0 a\n", Breakpad},
		{"symbols with CRLF and a byte order mark", "\xef\xbb\xbfMODULE windows x86 0 a\r\nFILE 0 b\r\n", Breakpad},
		{"symbols in UTF-16", "\xff\xfe" + wide(t, "MODULE windows x86 0 a\r\nFILE 0 b\r\n"), Breakpad},
		{"symbols in UTF-16 without a mark", wide(t, "MODULE windows x86 0 a\r\n"), Breakpad},
		{"symbols in big-endian UTF-16", "\xfe\xff\x00M\x00O\x00D\x00U\x00L\x00E\x00 \x00a", Breakpad},
		{"symbols and then noise", "MODULE Linux x86 0 a\n" + strings.Repeat("\x00\x01\x02", 100), Breakpad},
		{"symbols without their beginning", "FUNC 10 10 0 f\n10 10 1 1\n", Breakpad},
		{"symbols that begin with files", "FILE 0 a.c\nFILE 1 b.c\nFUNC 10 10 0 f\n", Breakpad},
		{"a cue sheet", "FILE \"a.wav\" WAVE\n  TRACK 01 AUDIO\n", Text},
		{"a log", "INFO server started\nINFO listening\n", Text},
		{"text", "Dear all,\n", Text},
		{"text of Latin-1", "Gr\xfc\xdfe aus M\xfcnchen, wo alles in Ordnung ist und der Zug p\xfcnktlich\n", Text},
		{"text with an escape", strings.Repeat("a long line of text in colour\n", 10) + "\x1b[0m\n", Text},
		{"PDB", "Microsoft C/C++ MSF 7.00\r\n\x1aDS\x00\x00\x00", PDB},
		{"old PDB", "Microsoft C/C++ program database 2.00\r\n\x1aJG\x00\x00", PDB},
		{"PE", pe, PE},
		{"PE with a long stub", pe[:60] + "\x00\x10\x00\x00" + strings.Repeat("\x00", 10), PE},
		{"DOS program", pe[:64] + "NE\x00\x00", Unknown},
		{"ELF", elfFile(2, 1, 3, 0), ELF},
		{"ELF core", elfFile(2, 1, 4, 0), ELFCore},
		{"big-endian ELF core", elfFile(1, 2, 0, 4), ELFCore},
		{"big-endian ELF", elfFile(1, 2, 0, 2), ELF},
		{"Mach-O", machO(t, 0xfeedfacf, 2), MachO},
		{"Mach-O of 32 bits", machO(t, 0xfeedface, 6), MachO},
		{"Mach-O core", machO(t, 0xfeedfacf, 4), MachOCore},
		{"Mach-O for several CPUs", "\xca\xfe\xba\xbe\x00\x00\x00\x02" + strings.Repeat("\x00", 20), MachO},
		{"a Java class", "\xca\xfe\xba\xbe\x00\x00\x00\x34" + strings.Repeat("\x00", 20), Unknown},
		{"zip", "PK\x03\x04", Zip},
		{"zip without files", "PK\x05\x06", Zip},
		{"gzip", "\x1f\x8b\x08", Gzip},
		{"tar", tarred(t), Tar},
		{"xz", "\xfd7zXZ\x00\x00\x04", Xz},
		{"zstd", "\x28\xb5\x2f\xfd\x04", Zstd},
		{"lz4", "\x04\x22\x4d\x18\x64", Lz4},
		{"cabinet", "MSCF\x00\x00\x00\x00\x10", CAB},
		{"macOS report", `{"app_name":"x","bug_type":"309","os_version":"macOS 14.1"}` + "\n{\n}", IPS},
		{"old macOS report", "Process:               Preview [1234]\nPath: /System\n", IPS},
		{"JSON", `{"a": 1}`, Text},
		{"noise", "\x00\x01\x02\x03\x04\x05\xff\xfe", Unknown},
		{"half a magic", "MDM", Text},
	}
	for _, tt := range tests {
		if got := Of([]byte(tt.head)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		for n := range min(len(tt.head), 80) {
			Of([]byte(tt.head[:n])) // must not panic
		}
	}
}

// TestSentences has something else to say of each kind.
func TestSentences(t *testing.T) {
	kinds := map[Kind]string{}
	for _, r := range slices.Concat(ours, binaries, weak, texts, documents) {
		if before, ok := kinds[r.kind]; ok && before != r.says {
			t.Errorf("%s is %q and %q", r.kind, before, r.says)
		}
		kinds[r.kind] = r.says
	}
	seen := map[string]Kind{}
	for k, s := range kinds {
		if k.Sentence() != s || s == "" || k.Noun() == "" || seen[s] != "" {
			t.Errorf("%s: sentence %q, as %s", k, k.Sentence(), seen[s])
		}
		seen[s] = k
	}
	if len(kinds) < 45 {
		t.Errorf("there are only %d kinds", len(kinds))
	}
}

const corpus = "../../../../shared/corpus"

// TestCorpusKinds sniffs real files, by what their names promise.
func TestCorpusKinds(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no corpus: ", err)
	}
	want := map[string]Kind{".dmp": Minidump, ".sym": Breakpad, ".pdb": PDB, ".dll": PE, ".exe": PE, ".so": ELF}
	seen := map[Kind]int{}
	err := filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		kind, ok := want[filepath.Ext(path)]
		if err != nil || !ok || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if got := Of(data[:min(len(data), Size)]); got != kind {
			t.Logf("%s: %s", path, got)
			if kind != ELF && kind != Minidump { // a few are damaged on purpose
				t.Errorf("%s: %s, want %s", path, got, kind)
			}
		}
		seen[kind]++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen[Minidump] < 100 || seen[Breakpad] < 100 {
		t.Errorf("saw only %v", seen)
	}
}

func FuzzOf(f *testing.F) {
	f.Add([]byte("MODULE a b c d\n"))
	f.Add([]byte(tarred(f)))
	f.Add([]byte(machO(f, 0xfeedfacf, 2)))
	f.Fuzz(func(t *testing.T, head []byte) {
		if k := Of(head); k.Sentence() == "" {
			t.Errorf("%q has no sentence", k)
		}
	})
}
