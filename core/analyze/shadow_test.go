package analyze

import (
	"os"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/report"
	"crashglass/core/stack/unwind"
)

// A shadow stack ends where its mapping does. A pointer that is misaligned or in the stack is none, and one without a mapping has no end.
func TestShadowPointers(t *testing.T) {
	const stack, shadow = 0x7000_0000, 0x9000_0000
	p := &process.Process{Arch: &cpu.AMD64}
	p.Regions = []process.Region{
		{Start: stack, Last: stack + 0xffff, Access: "rw-"}, {Start: shadow, Last: shadow + 0xfff, Access: "r--"}, {Start: shadow + 0x1000, Last: shadow + 0x1fff},
	}
	regs := &process.Registers{Arch: &cpu.AMD64}
	regs.Regs.Set(cpu.RSP, stack+0x100)
	a := &analysis{Session: &Session{p: p}}
	for at, want := range map[uint64]unwind.Shadow{
		0:               {},
		shadow + 0xff0:  {Pointer: shadow + 0xff0, End: shadow + 0x1000},
		shadow + 0x1000: {Pointer: shadow + 0x1000, End: shadow + 0x1000},
		shadow + 0xff4:  {},
		stack + 0x80:    {},
		0x5000_0000:     {Pointer: 0x5000_0000},
	} {
		if regs.Shadow = at; a.shadow(regs) != want {
			t.Errorf("%#x: %+v, want %+v", at, a.shadow(regs), want)
		}
	}
}

// A dump of Windows with CET, by Crashpad. The last seven words of its shadow stack, from the pointer 0xcbc83fefc8 to the end of the
// mapping at 0xcbc83ff000, are the return addresses of the seven calls.
func TestShadowStackOfCorpus(t *testing.T) {
	data, err := os.ReadFile("../../../shared/corpus/public/dumps/breakpad/tiny-exe-with-cet-xsave.dmp")
	if err != nil {
		t.Skip("no ../shared/corpus/public/dumps beside the project")
	}
	r, err := Dump(source(data), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.Threads[0].Frames {
		at := *f.Module + "+" + strings.TrimLeft(string(*f.ModuleOffset)[2:], "0")
		if f.Guess || f.Overwritten != nil {
			at += " guess"
		}
		got = append(got, at)
	}
	want := "ntdll.dll+a39e4 ntdll.dll+5b4c2 KERNELBASE.dll+4b280 tiny.exe+9b8c9 tiny.exe+1b0ec tiny.exe+59067 KERNEL32.DLL+154df ntdll.dll+485a"
	if strings.Join(got, " ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, " "), want)
	}
	if end := r.Threads[0].End; end.Kind != report.ShadowEnd || !end.Complete {
		t.Errorf("end %s, complete %t", end.Kind, end.Complete)
	}
	var returned []string
	for _, f := range r.Threads[0].Returned {
		returned = append(returned, strings.TrimLeft(string(*f.ReturnAddress)[2:], "0"))
	}
	// the words from 0xcbc83fefc0 down to the beginning of the captured memory
	want = "7ff778c13c1f 7ff778bfea03 7ff778bfe92c 7ff778bf45be 7ff778c27577 7ff778c110f2 7ff778c15c49 7ff778c2d07a 7ff90ec9b3fb " +
		"7ff90e6fbdca 7ff90e6fbefa 7ff90e6f218b 7ff911167551 7ff91116822a 7ff90f481c4e 7ff90ecce5d1"
	if strings.Join(returned, " ") != want {
		t.Errorf("returned %s\nwant %s", strings.Join(returned, " "), want)
	}
}
