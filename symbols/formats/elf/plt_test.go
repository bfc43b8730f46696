package elf

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
)

// namedStub is how disassemblers write the beginning of a stub.
var namedStub = regexp.MustCompile(`(?m)^([0-9a-f]+) <([^*>]+@plt)>:$`)

// disassembled are the stubs that a disassembler names, by their addresses.
func disassembled(t *testing.T, tool, path string) map[uint64]string {
	t.Helper()
	out, err := exec.Command(tool, "-d", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[uint64]string{}
	for _, m := range namedStub.FindAllStringSubmatch(string(out), -1) {
		addr, err := strconv.ParseUint(m[1], 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		all[addr] = m[2]
	}
	return all
}

// stubNames are those that we name.
func stubNames(f *File) map[uint64]string {
	t, all := f.stubs(), map[uint64]string{}
	for _, s := range t.list {
		for rel := s.addr; rel < s.addr+s.size; rel++ {
			loc, _ := f.Locate(rel)
			if name, start, ok := t.at(rel); ok && start == s.addr && loc.Public && loc.Function == name && loc.Start == start {
				all[f.base+start] = name
			}
		}
	}
	return all
}

func compareStubs(t *testing.T, tool, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := openBytes(t, data)
	got, want := stubNames(f), disassembled(t, tool, path)
	if !maps.Equal(got, want) || len(want) == 0 {
		t.Errorf("%s by %s:\n got %v\nwant %v", filepath.Base(path), tool, got, want)
	}
	if notes := f.Notes(); len(notes) > 0 {
		t.Errorf("notes %q", notes)
	}
}

// TestStubsOfCorpus compares names with disassemblers. For ARM64, LLVM's knows
// more than GNU's of this machine does.
func TestStubsOfCorpus(t *testing.T) {
	const corpus = "../../../../shared/corpus/"
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no ../shared/corpus beside the project")
	}
	for path, tool := range map[string]string{
		"real/native/threads_o2": "objdump", "real/native/vcall_o2": "objdump", "public/native/symbolic/linux/crash": "objdump",
		"real/native/threads32": "objdump", "real/native/x86_q_leaf": "objdump",
		"real/native/arm_arm":     "arm-linux-gnueabihf-objdump",
		"real/native/arm64_abort": "llvm-objdump", "public/native/symbolic/linux/arm64/cfi_test": "llvm-objdump",
	} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Log("there is no " + tool)
			continue
		}
		compareStubs(t, tool, corpus+path)
	}
}

// TestStubsOfLinkers links a library for each CPU in the ways that there are.
func TestStubsOfLinkers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	source := filepath.Join(dir, "calls.c")
	err := os.WriteFile(source, []byte(`
int one(int), two(int), three(int); extern int value;
int (*taken(void))(int) { return three; }
int calls(int a) { return one(a) + two(a) + one(three(a)) + value; }
`), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		tool string
		how  string
	}{
		{"objdump", "gcc -shared -fPIC -nostdlib"},
		{"objdump", "gcc -shared -fPIC -nostdlib -fcf-protection=full -Wl,-z,ibtplt"},
		{"objdump", "gcc -shared -fPIC -nostdlib -Wl,-z,now"},
		{"objdump", "gcc -m32 -shared -fPIC -nostdlib"},
		{"objdump", "gcc -m32 -shared -fPIC -nostdlib -fcf-protection=full -Wl,-z,ibtplt"},
		{"objdump", "clang -shared -fPIC -nostdlib -fuse-ld=lld"},
		{"llvm-objdump", "clang --target=i686-linux-gnu -shared -fPIC -nostdlib -fuse-ld=lld"},
		{"llvm-objdump", "clang --target=aarch64-linux-gnu -shared -fPIC -nostdlib -fuse-ld=lld"},
		{"llvm-objdump", "clang --target=aarch64-linux-gnu -shared -fPIC -nostdlib -fuse-ld=lld -mbranch-protection=standard -Wl,-z,force-bti"},
		{"arm-linux-gnueabihf-objdump", "arm-linux-gnueabihf-gcc -shared -fPIC -nostdlib"},
		{"arm-linux-gnueabihf-objdump", "arm-linux-gnueabihf-gcc -shared -fPIC -nostdlib -marm"},
	}
	for _, tt := range tests {
		t.Run(strings.ReplaceAll(tt.how, " ", "_"), func(t *testing.T) {
			words := append(strings.Fields(tt.how), "-w", "-O1", "-o", filepath.Join(dir, "calls.so"), source)
			for _, tool := range []string{tt.tool, words[0]} {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skip("there is no " + tool)
				}
			}
			if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
				t.Skipf("%v\n%s", err, out)
			}
			compareStubs(t, tt.tool, filepath.Join(dir, "calls.so"))
		})
	}
}

// calls is a library with a table of three stubs: of one, of nothing that has a
// symbol, and of two.
func calls(t testing.TB) recipe {
	r := recipe{machine: machineAMD64}
	table, names := r.symbols(t, madeSymbol{"one", symbolFunction, 0, 0, 0}, madeSymbol{"two", symbolFunction, 0, 0, 0})
	jump := func(s *asm.Section, slot uint64) { // jmp *slot(%rip); push; jmp
		s.U8(0xff, 0x25).U32(uint32(slot-s.Here()-4)).U8(0x68, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0)
	}
	plt := asm.At(0x1000).U8(0xff, 0x35, 0, 0, 0, 0, 0xff, 0x25, 0, 0, 0, 0, 0x0f, 0x1f, 0x40, 0)
	jump(plt, 0x3018)
	jump(plt, 0x3020)
	jump(plt, 0x3028)
	plt.Zeros(16)
	fills := asm.At(0).U64(0x3018, 1<<32|7, 0, 0x3020, 37, 0x1234, 0x3028, 2<<32|7, 0, 0x3030, 1<<32|1, 0)
	r.sections = []made{
		{".plt", 1, secExecutable | 2, 0x1000, 0, plt.Build(t)},
		{".dynsym", secDynSymbols, 2, 0, 3, table},
		{".dynstr", 3, 2, 0, 0, names},
		{".rela.plt", secRela, 2, 0, 2, fills.Build(t)},
	}
	r.segments = func(s *asm.Section, off map[string]uint64) int {
		load(s, 5, off[".plt"], 0x1000, 0x50)
		return 1
	}
	return r
}

// TestStubs asks at every address of a table. Code that is no stub, and a stub
// of what has no symbol, are of the section; no stub is told as a symbol.
func TestStubs(t *testing.T) {
	f := calls(t).open(t)
	const section = "<.plt ELF section in made>"
	for rel := range uint64(0x50) {
		want := []string{section, "one@plt", section, "two@plt", section}[rel/16]
		if loc, ok := f.Locate(rel); !ok || loc.Function != want {
			t.Errorf("%#x is in %+v, %v, want %s", rel, loc, ok, want)
		}
		if fn, ok := f.Function(rel); !ok || fn.Name != want {
			t.Errorf("%#x is in %+v, %v, want %s", rel, fn, ok, want)
		}
	}
	var listed []string
	err := f.EachPublic(func(p symbolize.Public) error {
		listed = append(listed, p.Name)
		return nil
	})
	if err != nil || !slices.Equal(listed, []string{section}) {
		t.Errorf("listed %q, %v", listed, err)
	}
}

// TestDamagedStubs has relocations that lead nowhere: what they are of has no name.
func TestDamagedStubs(t *testing.T) {
	tests := []struct {
		name   string
		change func(r *recipe)
		want   string // of the first stub
		note   string
	}{
		{"a symbol that is none", func(r *recipe) { r.sections[3].data[12] = 9 }, "", "elf: section .rela.plt at 0xe8: symbol 9, there are 3"},
		{"a name that is none", func(r *recipe) { r.sections[1].data[24] = 0xff }, "", ""},
		{"no strings", func(r *recipe) { r.sections[1].link = 77 }, "", ".dynsym at 0x90: strings in section 77, there are 6"},
		{"no symbols", func(r *recipe) { r.sections[3].link = 77 }, "", ""},
		{"half of a relocation", func(r *recipe) { r.sections[3].data = r.sections[3].data[:25] }, "one@plt", ""},
		{"half of a stub", func(r *recipe) { r.sections[0].data = r.sections[0].data[:21] }, "", ""},
		{"another order of bytes", func(r *recipe) { r.sections[0].data[16] = 0x25 }, "", ""},
	}
	for _, tt := range tests {
		r := calls(t)
		tt.change(&r)
		f := r.open(t)
		loc, _ := f.Locate(0x10)
		if name, ok := strings.CutSuffix(loc.Function, "@plt"); ok != (tt.want != "") || ok && name+"@plt" != tt.want {
			t.Errorf("%s: %+v, want %s", tt.name, loc, tt.want)
		}
		if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
			t.Errorf("%s: notes %q, want %q", tt.name, notes, tt.note)
		}
	}
}
