package sanitize

import (
	"bytes"
	"crashglass/core/testkit/symbolsource"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// functionSymbols know one function, from 0x1700 to 0x1900 of the module.
type functionSymbols struct{ armSymbols }

func (s functionSymbols) For(*module.Module) (analyze.Source, report.Symbols) {
	return symbolsource.Bare{Source: s}, report.Symbols{State: report.SymbolsMatched}
}

func (functionSymbols) Locate(rel uint64) (symbolize.Location, bool) {
	return symbolize.Location{Function: "work", Start: 0x1700, Size: 0x200}, rel >= 0x1700 && rel < 0x1900
}

// jumped is a crash in a page of 4 KiB with a text before the program counter and one behind it. The
// instruction there writes to null; ran says that this is why the program crashed.
func jumped(t testing.TB, protection string, inModule, ran bool) []byte {
	return jumpedNear(t, secretText, protection, inModule, ran)
}

// jumpedNear is jumped with another text.
func jumpedNear(t testing.TB, text, protection string, inModule, ran bool) []byte {
	const page, pc = appBase + 0x1000, appBase + 0x1800
	memory := bytes.Repeat([]byte{0x90}, 0x1000)
	copy(memory[0x800-500:], text)
	copy(memory[0x7fe-len(text):], text+"\x01")
	copy(memory[0x800:], "\x48\x89\x08"+text) // mov %rcx, (%rax)
	regs := map[string]uint64{"rip": pc, "rsp": stackBase + 0x80, "rbp": stackBase + 0x100, "rax": 0x10}
	ctx := dump.New().Context(t, dump.AMD64, regs)
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	b.Thread(dump.Thread{ID: 1, StackBase: stackBase, Stack: stack(nil, nil), Context: ctx})
	if inModule {
		b.Module(dump.Module{Base: appBase, Size: 0x2000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3)})
	}
	b.Memory(page, memory)
	if protection != "" { // with another executable page, so that the list of protections is usable
		b.Stream(0x47670009, asm.At(0).Text(fmt.Sprintf("%x-%x %s 0 00:00 0 /opt/app\n", page, page+0xc00, protection)+
			fmt.Sprintf("%x-%x r-xp 0 00:00 0 /opt/app\n", page+0xc00, page+0x1000)))
	}
	fault := uint64(0x10)
	if !ran {
		fault = pc
	}
	b.Exception(dump.Exception{Thread: 1, Code: 11, Flags: 1, Address: fault, Context: ctx})
	return b.Build(t)
}

// A program may jump into its data. Only what is proved to be code stays: memory that can be executed
// and not be written, the bytes of a function of the symbols, and the instruction that ran.
func TestCodeIsProved(t *testing.T) {
	for _, tt := range []struct {
		what       string
		protection string
		inModule   bool
		ran        bool
		syms       analyze.Symbols
		before     int // bytes that stay before the program counter
		texts      bool
		said       bool // that the dump does not say whether it is code
	}{
		{what: "code of a library", protection: "r-xp", inModule: true, before: 1024, texts: true},
		{what: "the data of a library", protection: "rw-p", inModule: true, before: 0},
		{what: "the constants of a library", protection: "r--p", inModule: true, before: 0},
		{what: "the data of a library, although symbols name a function", protection: "rw-p", inModule: true, syms: functionSymbols{}, before: 0},
		{what: "writable code", protection: "rwxp", inModule: true, before: 0, said: true},
		{what: "writable code that ran", protection: "rwxp", inModule: true, ran: true, before: 0},
		{what: "a library, of which no protection is known", protection: "", inModule: true, before: 0, said: true},
		{what: "the same, and it ran", protection: "", inModule: true, ran: true, before: 0, said: true},
		{what: "the same, with a function of the symbols", protection: "", inModule: true, syms: functionSymbols{}, before: 0x100, texts: true},
		{what: "code of no library", protection: "r-xp", before: 0},
		{what: "data of no library", protection: "rw-p", before: 0},
		{what: "memory of no library that ran", protection: "", ran: true, before: 0},
		{what: "memory of no library", protection: "", before: 0, said: true},
	} {
		data := jumped(t, tt.protection, tt.inModule, tt.ran)
		r, err := Clean(open(t, data), tt.syms, Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, _ := streams(t, open(t, r.Data)).Memory()
		before := 0
		for at := uint64(appBase + 0x1800 - 1); before < 0x800; at-- {
			if v, ok := m.Word(at, 1); !ok || v == 0 {
				break
			}
			before++
		}
		if before != tt.before && !(tt.ran && before < longestInstruction) { // walks look at the code there
			t.Errorf("%s: %d bytes stay before the program counter, want %d", tt.what, before, tt.before)
		}
		left := len(survivors(r.Data, pointings[0]))
		if left > 0 != tt.texts {
			t.Errorf("%s: %d pieces of the text are still there", tt.what, left)
		}
		said := slices.ContainsFunc(r.Removed, func(x Removal) bool { return strings.Contains(x.What, "whether it is code") })
		if said != tt.said {
			t.Errorf("%s: removed %+v", tt.what, r.Removed)
		}
		if v, ok := m.Word(appBase+0x1800, 1); (ok && v == 0x48) != (tt.texts || tt.ran || tt.protection == "r-xp") {
			t.Errorf("%s: the instruction begins with %#x, %t", tt.what, v, ok)
		}
		if same := slices.Equal(places(t, data, tt.syms), places(t, r.Data, tt.syms)); same != (len(r.Changed) == 0) && same {
			t.Logf("%s: changed %q", tt.what, r.Changed) // a verdict may need the instruction
		}
	}
}

// Code in a file that only exists in memory is the program's, although a module has its name: only the instruction stays.
func TestMemoryFiles(t *testing.T) {
	data := jumped(t, "r-xp", true, false)
	for _, encode := range []func(string) string{func(s string) string { return s }, wide} {
		data = bytes.ReplaceAll(data, []byte(encode("/opt/app")), []byte(encode("/memfd:j")))
	}
	r, f := clean(t, data, Options{})
	m, _ := f.Memory()
	if left := len(survivors(r.Data, pointings[0])); left > 0 {
		t.Errorf("%d pieces of the text are still there", left)
	}
	if v, ok := m.Word(appBase+0x1800, 1); !ok || v != 0x48 {
		t.Errorf("the instruction begins with %#x, %t", v, ok)
	}
}
