package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

// Cases in which a coincidence looks like a cause.
func TestCoincidences(t *testing.T) {
	data := func(code string) *scene { // the program counter is in memory that cannot be executed
		s := crashAt(t, code).raise("linux", sigSEGV, segvAccErr).fault(codeAddr)
		s.Regions[0].Access = "rw-"
		return s
	}
	const ret, load, far = "c3", "8b 00", "8b 87 a0 86 01 00" // ret; mov eax, [rax]; mov eax, [rdi + 100000]
	handler := func(way report.Way) *scene {
		s := crashAt(t, load).raise("linux", sigABRT, siTkill).stack("!abort", "handler", "work").reg(cpu.RSP, appBase+0xf000)
		s.Regions[0].Last = appBase + 0xefff
		s.Regions = append(s.Regions[:1:1], append([]process.Region{{Start: appBase + 0xf000, Last: appBase + 0xffff, Access: "rw-"}}, s.Regions[1:]...)...)
		s.Frames[2].FoundBy = way
		return s
	}
	for _, tt := range []struct {
		name, text, says string
		s                *scene
	}{
		{"zeros that cannot be executed", "Execution of data", "cannot be executed", data("00 00 00 00").reg(cpu.RAX, codeAddr)},
		{"zeros that can be", "Execution of zeros", "zeros", crashAt(t, "00 00 00 00").reg(cpu.RAX, 0x1234_5678).fault(0x1234_5678)},
		{"a far field of null", "Null pointer + 0x186a0", "rdi is 0x0", crashAt(t, far).reg(cpu.RDI, 0).fault(100000)},
		{"a far field of a small number", "Unmapped address", "", crashAt(t, far).reg(cpu.RDI, 8).fault(100008)},
		{"beyond any object", "Unmapped address", "", crashAt(t, "8b 87 a0 86 01 02").reg(cpu.RDI, 0).fault(0x0201_86a0)},
		{"a return to text", "Return address overwritten", "AAAAAAAA", crashAt(t, ret).put(stackLow+0x1000, 0x4141_4141_4141_4141).gpf()},
		{"a return to a wrong address", "Return address overwritten", "A return instruction went there",
			crashAt(t, "").reg(cpu.RIP, 0x1234_5678).fault(0x1234_5678).put(stackLow+0xff8, 0x1234_5678).stackUnknown(0x1234_5678)},
		{"a call of a wrong address", "Jump to a bad address", "", crashAt(t, "").reg(cpu.RIP, 0x1234_5678).fault(0x1234_5678).put(stackLow+0xff8, 0).stackUnknown(0x1234_5678)},
		{"a call of data that looks like a return", "Jump to a bad address", "", func() *scene {
			s := crashAt(t, ret).fault(codeAddr).stackUnknown(codeAddr)
			s.Regions, s.Modules = nil, module.NewMap(nil)
			return s
		}()},
		{"text that was called", "Text used as a pointer", "",
			crashAt(t, "").reg(cpu.RIP, 0x6172_7473_2074_6f6e).fault(0x6172_7473_2074_6f6e).stackUnknown(0x6172_7473_2074_6f6e)},
		{"poison of a library that is not loaded", "Use of freed memory", "of which no library is loaded", crashAt(t, load).reg(cpu.RAX, 0x5a5a_5a5a_5a5a_5a5a).gpf()},
	} {
		f := Analyze(tt.s.Input).Findings[0]
		if e := strings.Join(f.Evidence, " "); f.Text != tt.text || !strings.Contains(e, tt.says) {
			t.Errorf("%s: %s: %s", tt.name, f.Text, e)
		}
	}
	for way, want := range map[report.Way]bool{report.BySignal: false, report.ByCFI: true} {
		found := false
		for _, f := range Analyze(handler(way).Input).Findings {
			found = found || f.Kind == BadStackPointer
		}
		if found != want {
			t.Errorf("a stack in a variable, found by %s: %t", way, found)
		}
	}
}

// The caller of kill is to blame, and not what is behind main.
func TestBlameForKill(t *testing.T) {
	for _, kill := range []string{"!__kill", "!kill", "!syscall", "!"} {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack(kill, "main", "!__libc_start_call_main", "!__libc_start_main_impl", "_start")
		if v := Verdict(s.Input, Analyze(s.Input)); v.Where != "main" {
			t.Errorf("%s: in %s", kill, v.Where)
		}
	}
}
