package pe

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/stack/unwind"
)

// images are those of the corpus.
var images = []string{
	"breakpad/dump_syms_regtest64.exe", "breakpad/pe_only_symbol_test.dll", "dump_syms/windows/basic32-min.dll",
	"dump_syms/windows/basic64-dwarf.dll", "dump_syms/windows/basic64.dll", "dump_syms/windows/dump_syms_regtest64.exe",
	"dump_syms/windows/mozwer.dll", "symbolic/windows/CrashWithException.exe", "symbolic/windows/arm64/test.exe",
}

// TestCorpusIdentity compares with the first lines of .sym files.
func TestCorpusIdentity(t *testing.T) {
	for _, name := range pairs {
		ext := ".dll"
		if strings.Contains(name, "regtest") {
			ext = ".exe"
		}
		m := open(t, corpusFile(t, name+ext)).Module()
		sym := strings.SplitN(string(corpusFile(t, name+".sym")), "\n", 3)
		module := strings.Fields(sym[0])
		info := strings.Fields(sym[1])
		wantID, wantFile := module[3], module[4]
		if strings.Trim(wantID, "0") == "" { // a .sym without a PDB is named by its image
			wantID, wantFile = "", ""
		}
		if m.DebugID != wantID || m.DebugFile != wantFile || !strings.EqualFold(m.CodeID, info[2]) || m.CodeFile != "" && m.CodeFile != info[3] {
			t.Errorf("%s: %+v, want %q, %q", name, m, sym[0], sym[1])
		}
	}
}

// TestCorpusReturns looks at functions that end in ret: there the return
// address is on top of the stack, and the listing has to say so as well.
func TestCorpusReturns(t *testing.T) {
	all := 0
	for _, name := range images {
		f := open(t, corpusFile(t, name))
		for _, table := range tables(t, f) {
			ret, want := []byte{0xc3}, ".cfa: $rsp 8 + .ra: .cfa -8 + ^"
			if f.h.machine == machineARM64 {
				ret, want = []byte{0xc0, 0x03, 0x5f, 0xd6}, ".cfa: sp 0 + .ra: x30"
			}
			last := table.Start + table.Size - uint64(len(ret))
			code := make([]byte, len(ret))
			before := make([]byte, 1)
			f.ReadImage(last-1, before)
			if n := f.ReadImage(last, code); n != len(ret) || !slices.Equal(code, ret) || before[0] == 0xeb { // jmp rel8
				continue
			}
			all++
			cf, _ := f.CallFrame(last)
			if got := unwind.RuleText(cf.Rules); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %#x: %s", name, last, got)
			}
			if got := unwind.RuleText(rulesIn(table, last)); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %#x: listed %s", name, last, got)
			}
		}
		if notes := f.Notes(); len(notes) > 0 {
			t.Errorf("%s: %q", name, notes)
		}
	}
	if all < 1000 {
		t.Errorf("only %d functions end in a return", all)
	}
}

// TestCorpusLoop has an unwind record that is chained to itself, in a section
// that is not even code.
func TestCorpusLoop(t *testing.T) {
	f := open(t, corpusFile(t, "symbolic/windows/cfi_chained_loop.exe"))
	if got := tables(t, f); len(got) > 0 || len(f.Notes()) != 1 {
		t.Errorf("%v %q", got, f.Notes())
	}
	if _, err := f.procedure(entry{0x1000, 0x2000, 0x300}); err == nil || !strings.Contains(err.Error(), "more than 32 records are chained") {
		t.Error(err)
	}
}
