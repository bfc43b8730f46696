package stackwalk

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

func example(t testing.TB) string {
	data, err := os.ReadFile("../../container/testdata/reports/stackwalk.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// frames lists the frames of a thread as "module+0xoffset function file:line @address".
func frames(p *process.Process, thread int) string {
	var out []string
	for _, f := range p.Threads[thread].Frames {
		name := f.Stated.Function
		for _, in := range f.Stated.Inlines {
			name += " < " + in.Function
		}
		out = append(out, fmt.Sprintf("%s %s %s:%d @%#x %t", f.Stated.Module, name, f.Stated.File, f.Stated.Line, f.Instruction, f.Interrupted))
	}
	return strings.Join(out, "\n")
}

func TestPeople(t *testing.T) {
	all := textreport.Open(Family, "$ minidump_stackwalk a.dmp\n"+example(t)+"$ exit\n")
	if len(all) != 1 {
		t.Fatalf("%d reports", len(all))
	}
	p := all[0]
	if p.Event == nil || p.Event.Code != 11 || p.Event.Flags != 1 || p.Event.Address != 0x194 || p.Subject != 0 || p.Arch != &cpu.AMD64 || !p.OS().IsLinux() {
		t.Errorf("%+v, %+v", p.Event, p)
	}
	const crashed = "dock  :0 @0x401386 true\ndock Dock::slot(int) < Dock::find(int, char const*) dock.cc:12 @0x4014a6 false\nlibc.so.6  :0 @0x7f3ad7045249 false"
	if got := frames(p, 0); got != crashed {
		t.Errorf("%s\nwant\n%s", got, crashed)
	}
	if got := frames(p, 1); got != "libc.so.6 poll :0 @0x7f3ad70f1000 true" || p.Threads[0].Name != "worker" {
		t.Errorf("%s, %+v", got, p.Threads)
	}
	if v, known := p.Threads[0].Registers.Regs.Get(cpu.RAX); !known || v != 0x47 {
		t.Errorf("rax = %#x, %t", v, known)
	}
	if m := p.Modules; len(m) != 2 || m[0].Base != 0x400000 || m[0].Size != 0xa000 || m[1].DebugID != "E9DF15D9A2B6F4F1D6C3A2B1C0D9E8F70" {
		t.Errorf("%+v", m)
	}
}

const machine = `OS|Windows NT|6.1.7601 Service Pack 1
CPU|x86|GenuineIntel family 6 model 42 stepping 7|4
GPU|||
Crash|EXCEPTION_ACCESS_VIOLATION_WRITE|0x45|1
Module|dock.exe|1.0|dock.pdb|DF4B1C0F1|0x00400000|0x00409fff|1
Module|odd.dll||||bad||0

0|0|ntdll.dll|NtWaitForSingleObject|||0x15
1|0|dock.exe|Dock::slot(int)|hg:hg.mozilla.org/dock:src/dock.cc:c3f4|12|0x5
1|1|dock.exe||||0x1234
1|2|||||0x77001000
`

func TestPrograms(t *testing.T) {
	all := textreport.Open(Family, machine+machine+"words\n")
	if len(all) != 2 {
		t.Fatalf("%d reports", len(all))
	}
	p := all[1]
	if e := p.Event; e == nil || e.Code != 0xc0000005 || e.Address != 0x45 || e.Access != process.Write || p.Subject != 1 || p.Arch != &cpu.X86 {
		t.Errorf("%+v, %+v", e, p)
	}
	const want = "dock.exe Dock::slot(int) src/dock.cc:12 @0x0 true\ndock.exe  :0 @0x401234 false\n  :0 @0x77001000 false"
	if got := frames(p, 1); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A part of a report begins at the thread that crashed. Other lines with these words are none.
func TestParts(t *testing.T) {
	for log, want := range map[string]string{
		"Thread 0 (crashed)\n 0  phantomjs + 0x464386\n    eip = 0x084ac386   esp = 0xbfd96dc8\n    Found by: given\n 1  phantomjs + 0x461733\n    eip = 0x084a9734\nend\n": "phantomjs  :0 @0x84ac386 true\nphantomjs  :0 @0x84a9733 false",
		"Thread 5 (crashed)\n 0  XUL!f(int) [a b.mm : 237 + 0xf]\n": "XUL f(int) a b.mm:237 @0x0 true",
		"Thread 5 (crashed)\n 0  asi!~ main + 0x80\n":               "asi main :0 @0x0 true",
		"it (crashed)\n 0  a + 0x5\n":                               "", "Thread 1 (crashed)\n": "", "OS|a\n": "", "Operating system: Linux\nwords\n 0  a + 0x5\n": "",
	} {
		got := ""
		for _, p := range textreport.Open(Family, log) {
			got += frames(p, 0)
		}
		if got != want {
			t.Errorf("%q\n%s\nwant\n%s", log, got, want)
		}
	}
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, example(f), machine) }
