package sanitize

import (
	"slices"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/symbolsource"
)

// A codeFile is the file of a library with only code, from its first address on.
type codeFile struct {
	symbolsource.Bare
	code []byte
}

// libraryOf is the file of any module.
func libraryOf(code []byte) codeFile { return codeFile{symbolsource.Bare{Source: armSymbols{}}, code} }

func (s codeFile) For(*module.Module) (analyze.Source, report.Symbols) {
	return s, report.Symbols{State: report.SymbolsMatched}
}

func (codeFile) HasCode() bool { return true }

func (s codeFile) ReadImage(rel uint64, p []byte) int {
	return copy(p, s.code[min(rel, uint64(len(s.code))):])
}

// A core has no code of libraries. What the report reads of their files goes with the sanitized dump,
// whose reader does not have them.
func TestCodeOfLibrary(t *testing.T) {
	ctx := dump.New().Context(t, dump.AMD64, map[string]uint64{"rip": appBase + 0x10, "rsp": stackBase + 0x80, "rbp": stackBase + 0x100, "rax": 8})
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	b.Thread(dump.Thread{ID: 1, StackBase: stackBase, Stack: stack(nil, nil), Context: ctx})
	b.Module(dump.Module{Base: appBase, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3)})
	b.Exception(dump.Exception{Thread: 1, Code: 11, Flags: 1, Address: 8, Context: ctx})
	code := make([]byte, 0x40)
	copy(code[0x10:], "\x48\x89\x08\xc3") // mov %rcx, (%rax); ret
	r, err := Clean(open(t, b.Build(t)), libraryOf(code), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Changed) > 0 {
		t.Errorf("changed: %q", r.Changed)
	}
	after, err := open(t, r.Data).Report(nil, analyze.Options{})
	if err != nil || after.Verdict.What != "Null pointer write" {
		t.Errorf("without the library: %q, %v", after.Verdict.What, err)
	}
}

// What a report reads of a library's file and is no code, as the text of a panic of Go, stays without texts.
func TestConstantsOfLibrary(t *testing.T) {
	const data = "\x90\x90\x48\x89\x08\xc3ordinary secret\x00\x01\x02\x03"
	for protection, want := range map[string][]string{"r--p": {data[:6], data[len(data)-3:]}, "r-xp": {data}} {
		b := crash(t, stack(nil, nil))
		b.Stream(0x47670009, asm.At(0).Text("400000-401000 "+protection+" 0 00:00 0 /opt/app\n500000-501000 r-xp 0 00:00 0 /opt/x\n"))
		s := open(t, b.Build(t))
		c := &cleaner{s: s, f: streams(t, s), need: newNeeds(s), library: func(addr uint64, p []byte) int { return copy(p, data[addr-appBase-0x800:]) }}
		c.need.code[appBase+0x800] = len(data)
		mem, _ := c.f.Memory()
		var got []string
		for _, p := range (&mapped{Memory: mem, cleaner: c, word: 8, modules: c.need.modules}).libraryCode() {
			got = append(got, string(p.data))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", protection, got, want)
		}
	}
}
