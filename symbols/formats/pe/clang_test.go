package pe

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestClangsCodes compiles testdata/shapes.c for both CPUs, assembles what C
// compilers rarely need, and compares what is decoded of every unwind record with
// what LLVM's llvm-readobj says of it.
func TestClangsCodes(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"clang", "lld-link", "llvm-readobj"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("there is no " + tool)
		}
	}
	for target, read := range map[string]func(*testing.T, *File, string){"x86_64": compareAMD64, "aarch64": compareARM64} {
		for _, how := range []string{"shapes.c -O0", "shapes.c -O1", "shapes.c -O2", "shapes.c -Os", "shapes.c -O2 -fno-omit-frame-pointer", target + ".s"} {
			t.Run(target+" "+how, func(t *testing.T) {
				words := strings.Fields(how)
				path := compile(t, target, words[0], words[1:]...)
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				f := open(t, data)
				read(t, f, run(t, "llvm-readobj", "--unwind", path))
				everywhere(t, f)
			})
		}
	}
}

// TestOthersCodes compares what other compilers and linkers have written.
func TestOthersCodes(t *testing.T) {
	const native = "../../../../shared/corpus/public/native/"
	if _, err := os.Stat(native); err != nil {
		t.Skip("no ../shared/corpus beside the project")
	}
	if _, err := exec.LookPath("llvm-readobj"); err != nil {
		t.Skip("there is no llvm-readobj")
	}
	for path, read := range map[string]func(*testing.T, *File, string){
		"symbolic/windows/arm64/test.exe": compareARM64, "breakpad/dump_syms_regtest64.exe": compareAMD64, "dump_syms/windows/basic64-dwarf.dll": compareAMD64,
	} {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(native + path)
			if err != nil {
				t.Fatal(err)
			}
			read(t, open(t, data), addressesOnly.ReplaceAllString(run(t, "llvm-readobj", "--unwind", native+path), "$1($2)"))
		})
	}
}

// addressesOnly finds addresses that have a symbol's name in front.
var addressesOnly = regexp.MustCompile(`((?:Start|End)Address: ).* \((0x[0-9A-F]+)\)`)

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

// compile makes a program of a file in testdata.
func compile(t *testing.T, target, source string, how ...string) string {
	t.Helper()
	dir := t.TempDir()
	object, program := filepath.Join(dir, "program.obj"), filepath.Join(dir, "program.exe")
	run(t, "clang", append(how, "--target="+target+"-pc-windows-msvc", "-fno-builtin", "-w", "-c", "testdata/"+source, "-o", object)...)
	run(t, "lld-link", "/nodefaultlib", "/entry:entry", "/subsystem:console", "/out:"+program, object)
	return program
}

// everywhere asks for the rules at every address of every function.
func everywhere(t *testing.T, f *File) {
	t.Helper()
	for _, e := range f.functions().entries {
		for rel := e.begin; rel < e.end; rel++ {
			if _, ok := f.CallFrame(uint64(rel)); !ok {
				t.Fatalf("no rules at %#x: %q", rel, f.Notes())
			}
		}
	}
	if notes := f.Notes(); len(notes) > 0 {
		t.Errorf("notes %q", notes)
	}
}

// wanted are the lines of llvm-readobj that say something that is decoded.
func wanted(out string, says func(line string) (string, bool)) string {
	var lines []string
	for line := range strings.Lines(out) {
		if text, ok := says(strings.TrimSpace(line)); ok {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

func compareAMD64(t *testing.T, f *File, out string) {
	want := wanted(out, func(line string) (string, bool) {
		name, value, ok := strings.Cut(line, ": ")
		if strings.HasPrefix(value, "SAVE_XMM128") { // not followed
			value = strings.Fields(value)[0]
			return name + ": " + value, true
		}
		return line, ok && (strings.HasPrefix(name, "0x") || name == "StartAddress" || name == "EndAddress" || name == "Version" ||
			name == "PrologSize" || name == "FrameRegister" || name == "FrameOffset")
	})
	var got []string
	for _, e := range f.functions().entries {
		p, err := f.procedure(e)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.spelled(f.h.imageBase)...)
	}
	sameLines(t, strings.Join(got, "\n"), want)
}

// spelled is a procedure of one record in llvm-readobj's words.
func (p *procedure) spelled(base uint64) []string {
	u := p.chain[0]
	out := []string{
		fmt.Sprintf("StartAddress: (0x%X)", base+uint64(p.begin)), fmt.Sprintf("EndAddress: (0x%X)", base+uint64(p.end)),
		fmt.Sprintf("Version: %d", u.version), fmt.Sprintf("PrologSize: %d", u.prolog),
	}
	register, offset := "-", "-"
	if u.frameReg != 0 {
		register = fmt.Sprintf("%s (0x%X)", register64(u.frameReg), u.frameReg)
		offset = fmt.Sprintf("0x%X", u.frameOff/16)
	}
	out = append(out, "FrameRegister: "+register, "FrameOffset: "+offset)
	for _, c := range u.codes {
		out = append(out, fmt.Sprintf("0x%02X: %s", c.at, c.spelled(u)))
	}
	return out
}

func register64(n uint8) string { return strings.ToUpper(amd64Regs[n][1:]) }

func (c unwindCode) spelled(u *unwindInfo) string {
	switch c.op {
	case opPushNonvol:
		return "PUSH_NONVOL reg=" + register64(c.info)
	case opAllocLarge:
		return fmt.Sprintf("ALLOC_LARGE size=%d", c.arg)
	case opAllocSmall:
		return fmt.Sprintf("ALLOC_SMALL size=%d", c.arg)
	case opSetFPReg:
		return fmt.Sprintf("SET_FPREG reg=%s, offset=0x%X", register64(u.frameReg), u.frameOff)
	case opSaveNonvol:
		return fmt.Sprintf("SAVE_NONVOL reg=%s, offset=0x%X", register64(c.info), c.arg)
	case opSaveNonvolFar:
		return fmt.Sprintf("SAVE_NONVOL_FAR reg=%s, offset=0x%X", register64(c.info), c.arg)
	case opPushMachframe:
		return "PUSH_MACHFRAME errcode=" + map[uint8]string{0: "no", 1: "yes"}[c.info]
	case opSaveXMM:
		return "SAVE_XMM128"
	case opSaveXMMFar:
		return "SAVE_XMM128_FAR"
	}
	return fmt.Sprint("operation ", c.op)
}

func sameLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("line %d:\n%s\nwant\n%s", i, strings.Join(g[max(0, i-12):min(len(g), i+4)], "\n"), strings.Join(w[max(0, i-12):min(len(w), i+4)], "\n"))
		}
	}
	if len(g) < 20 {
		t.Errorf("only %d lines", len(g))
	}
}
