package markup

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

const context = `{{{reset}}}
{{{module:0:/opt/dock:elf:f7df76214babe59f}}}
{{{mmap:0x560824e3b000:0x2b7d0:load:0:r:0x0}}}
{{{mmap:0x560824e67000:0xe1fe5:load:0:rx:0x2c000}}}
{{{module:0x1:<VMO#1=libc.so>:elf:93ac61ec5a8eb139}}}
{{{mmap:0x7f691341f000:0x1000:load:0x1:rx:0x1000}}}
`

const fuchsia = `<== fatal : process dock.cmx[42410] thread initial-thread[42424]
<== write not-present page fault, PC at 0x560824e70005
 CS:                   0 RIP:     0x560824e70005 EFL:            0x10246 CR2:               0x18
 RAX:                  0 RBX:                0x1 RCX:     0x721ad98697c6 RDX:     0x77accb36f264
bottom of user stack:
0x00002781c4816f80: c48a6f90 00002781 c48a6f90 00002781 |.o...'...o...'..|
arch: x86_64
` + context + `{{{bt:0:0x560824e70005:sp 0x2781c4816f80}}}
{{{bt:1:0x560824e70020:ra:sp 0x2781c4816f90}}}
{{{bt:2:0x7f691341f010}}}
{{{reset}}}
`

const before2020 = `<== fatal exception: process crasher[42410] thread initial-thread[42424]
<== undefined instruction, PC at 0x1e1888dbbbd7
 RIP:     0x1e1888dbbbd7
dso: id=9e11 base=0x1e1888db9000 name=app:crasher
bt#01: pc 0x1e1888dbbbd7 sp 0x2781c4816f80 (app:crasher,0x2bd7)
bt#02: pc 0x7f69 sp 0x2781c4816f90 (libc.so,0x69)
bt#03: end
`

func describe(p *process.Process) string {
	var b strings.Builder
	for _, t := range p.Threads {
		fmt.Fprintf(&b, "%d %q", t.ID, t.Name)
		for _, f := range t.Frames {
			fmt.Fprintf(&b, " %#x", f.Instruction)
		}
		b.WriteString("\n")
	}
	for _, m := range p.Modules {
		fmt.Fprintf(&b, "%s %#x %#x %s\n", m.CodeFile, m.Base, m.Size, m.DebugID)
	}
	if e := p.Event; e != nil {
		fmt.Fprintf(&b, "%#x at %#x %t access %d pid %d\n", e.Code, e.Address, e.NoAddress, e.Access, *p.PID)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	const modules = "/opt/dock 0x560824e3b000 0x10dfe5 2176DFF7AB4B9FE500000000000000000\n<VMO#1=libc.so> 0x7f691341e000 0x2000 EC61AC938E5A39B100000000000000000\n"
	for log, want := range map[string]string{
		fuchsia: "42424 \"initial-thread\" 0x560824e70005 0x560824e7001f 0x7f691341f00f\n" + modules + "0x108 at 0x18 false access 2 pid 42410\n",
		before2020: "42424 \"initial-thread\" 0x1e1888dbbbd7 0x7f68\napp:crasher 0x1e1888db9000 0x2bd8 \nlibc.so 0x7f00 0x6a \n" +
			"0x208 at 0x0 true access 0 pid 42410\n",
		context + "{{{bt:0:0x560824e70005:pc}}}\nwords\n{{{bt:1:0x560824e70020}}}\n": "",
		context + "{{{bt:0:0x560824e70005:pc}}}\n{{{bt:1:0x560824e70020}}}\n":        "0 \"\" 0x560824e70005 0x560824e7001f\n" + modules,
		"{{{module:0:a:elf:1234}}}\n{{{mmap:0x5000:0x100:load:0:rx:0}}}\n{{{mmap:0x1000:0x100:load:0:rx:0}}}\n{{{bt:0:0x5010:pc}}}\n{{{bt:1:0x1020}}}\n": "" +
			"0 \"\" 0x5010 0x101f\na 0x5000 0x100 000034120000000000000000000000000\n", // two copies
		context + "{{{bt:0:0x5608}}}\n": "", "<== fatal\n": "", "{{{reset}}}\n": "", "{{{module:::}}}\n{{{mmap:0x1:0x2:load:::}}}\n{{{bt:0:}}}\n": "",
	} {
		got := ""
		for _, p := range textreport.Open(Family, log) {
			got += describe(p)
		}
		if got != want {
			t.Errorf("%s\n%s\nwant\n%s", log, got, want)
		}
	}
	all := textreport.Open(Family, fuchsia+fuchsia)
	if len(all) != 2 || all[0].Arch != &cpu.AMD64 || all[1].Subject != 0 || !all[0].OS().IsFuchsia() {
		t.Errorf("%d reports", len(all))
	}
	if v, known := all[0].Threads[0].Registers.Regs.Get(cpu.RDX); !known || v != 0x77accb36f264 {
		t.Errorf("rdx = %#x, %t", v, known)
	}
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, fuchsia, before2020, context) }
