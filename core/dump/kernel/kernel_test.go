package kernel

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/kerneldump"
	"crashglass/core/testkit/sample"
)

func source(data []byte) bin.Source { return bin.NewSource(bytes.NewReader(data), int64(len(data))) }

func openAll(t testing.TB, data []byte) *process.Process {
	t.Helper()
	list, found, err := OpenAll(source(data))
	if err != nil || !found || len(list) != 1 {
		t.Fatalf("%d processes, %t, %v", len(list), found, err)
	}
	return list[0]
}

func noNotes(t *testing.T, p *process.Process) {
	t.Helper()
	for _, n := range p.Notes {
		t.Errorf("note: %s: %v", n.Where, n.Err)
	}
}

var layoutsOf = map[string]*cpu.Layout{"x86": &cpu.ContextX86, "x64": &cpu.ContextAMD64, "arm64": &cpu.ContextARM64}

func TestTriage(t *testing.T) {
	for name, l := range layoutsOf {
		t.Run(name, func(t *testing.T) {
			a := l.Arch
			p := openAll(t, kerneldump.SmallDump(t, l))
			noNotes(t, p)
			if e := p.Event; e.Kind != process.BugCheck || e.Code != 0x9f || e.Parameters[1] != kerneldump.High(a, 0x1000) || p.Arch != a {
				t.Errorf("event %+v of %v", e, p.Arch)
			}
			if p.Time != 1700000000 || *p.Uptime != 90 || p.System.Version != "10.0.19045" || *p.System.CPUs != 2 {
				t.Errorf("time %d, up %d, system %+v", p.Time, *p.Uptime, p.System)
			}
			if len(p.Modules) != 2 || p.Modules[1].CodeFile != "widget.sys" || p.Modules[1].Base != kerneldump.High(a, 0x3_0000) || p.Modules[1].CodeID != "000000022000" {
				t.Errorf("drivers %+v", p.Modules)
			}
			if len(p.Unloaded) != 1 || p.Unloaded[0].CodeFile != "old.sys" || p.Unloaded[0].Base != kerneldump.High(a, 0x5_0000) || p.Unloaded[0].Size != 0x1000 {
				t.Errorf("unloaded %+v", p.Unloaded)
			}
			if len(p.Threads) != 1 || p.Subject != 0 || p.Threads[0].Registers.Regs.Value(a.PC) != kerneldump.High(a, 0x10010) {
				t.Errorf("threads %+v", p.Threads)
			}
			b := make([]byte, 15)
			if n := p.Memory.Read(kerneldump.High(a, 0x1000), b); string(b[:n]) != "a device object" {
				t.Errorf("memory %q", b[:n])
			}
			if d := p.Origin.Detail.(*Detail); len(d.Drivers) != 2 || len(d.Blocks) < 5 || d.Triage.DriverCount != 2 {
				t.Errorf("detail %+v", d)
			}
		})
	}
}

// Every kind of page tables is read in every kind of dump.
func TestPhysical(t *testing.T) {
	for _, tt := range []struct {
		name   string
		layout *cpu.Layout
		shape  kerneldump.Shape
		pae    bool
	}{
		{name: "four levels", layout: &cpu.ContextAMD64, shape: kerneldump.Four}, {name: "five levels", layout: &cpu.ContextAMD64, shape: kerneldump.Five},
		{name: "PAE", layout: &cpu.ContextX86, shape: kerneldump.PAE, pae: true},
		{name: "x86", layout: &cpu.ContextX86, shape: kerneldump.Short},
		{name: "arm64", layout: &cpu.ContextARM64, shape: kerneldump.Arm},
	} {
		a := tt.layout.Arch
		m := kerneldump.NewMemory(tt.shape)
		d := kerneldump.Dump{Layout: tt.layout, Code: 0xe2, Regs: kerneldump.At(a, kerneldump.High(a, 0x10010), kerneldump.High(a, 0x5ff8)), PAE: tt.pae, Root: m.Root}
		d.Modules = m.List(t, a, kerneldump.Driver{Name: `\SystemRoot\nt.exe`, Base: kerneldump.High(a, 0x1_0000), Size: 0x8000},
			kerneldump.Driver{Name: "widget.sys", Base: kerneldump.High(a, 0x3_0000), Size: 0x2000})
		m.Write(kerneldump.High(a, 0x5000), 0x1000, bytes.Repeat([]byte("stack of pages! "), 512))
		m.Map(kerneldump.High(a, 0x40_0000), 0x2000, 1)
		m.Pages[0x2003] = bytes.Repeat([]byte("large "), 1024)[:4096]
		if len(tt.shape.Bits) == 4 {
			m.Map(kerneldump.High(a, 0x4000_0000), 0x4_0000, 2)
			m.Pages[0x4_0005] = []byte("huge" + strings.Repeat(" ", 4092))
		}
		for kind, build := range map[string]func(){
			"full":   func() { d.Type = fullDump; d.Runs, d.Body = m.Full() },
			"bitmap": func() { d.Type, d.Runs, d.Body = 6, nil, m.Bitmap(kerneldump.HeaderSize(a)) },
			"ranges": func() { d.Type, d.Runs, d.Body = kernelRanges, nil, m.Ranges(kerneldump.HeaderSize(a)) },
		} {
			t.Run(tt.name+" "+kind, func(t *testing.T) {
				build()
				p := openAll(t, d.Build())
				noNotes(t, p)
				if len(p.Modules) != 2 || p.Modules[0].Name() != "nt.exe" || p.Modules[1].Base != kerneldump.High(a, 0x3_0000) {
					t.Errorf("drivers %+v", p.Modules)
				}
				read := func(addr uint64, n int) string {
					b := make([]byte, n)
					return string(b[:p.Memory.Read(addr, b)])
				}
				if got := read(kerneldump.High(a, 0x5ff8), 16); got != " pages! stack of" {
					t.Errorf("across pages: %q", got)
				}
				if got := read(kerneldump.High(a, 0x40_3000), 6); got != "large " {
					t.Errorf("large page: %q", got)
				}
				if got := read(kerneldump.High(a, 0x4000_5000), 4); len(tt.shape.Bits) == 4 && got != "huge" {
					t.Errorf("huge page: %q", got)
				}
				if got := read(kerneldump.High(a, 0x7000), 4); got != "" {
					t.Errorf("what is not mapped: %q", got)
				}
				if base, size, ok := p.Memory.Range(kerneldump.High(a, 0x5800)); !ok || base != kerneldump.High(a, 0x5000) || size != 0x2000 {
					t.Errorf("the stack is %#x bytes at %#x, %t", size, base, ok)
				}
				if total := p.Memory.Total(); total != uint64(4096*len(m.Pages)) {
					t.Errorf("%d bytes", total)
				}
			})
		}
	}
}

// Pages are listed in the order of their addresses, with every kind of page tables. Tables in a ring cost a bounded time.
func TestNextPage(t *testing.T) {
	for name, tt := range map[string]struct {
		layout *cpu.Layout
		shape  kerneldump.Shape
		pae    bool
	}{
		"four levels": {layout: &cpu.ContextAMD64, shape: kerneldump.Four}, "PAE": {layout: &cpu.ContextX86, shape: kerneldump.PAE, pae: true},
		"x86": {layout: &cpu.ContextX86, shape: kerneldump.Short}, "arm64": {layout: &cpu.ContextARM64, shape: kerneldump.Arm},
	} {
		a := tt.layout.Arch
		m := kerneldump.NewMemory(tt.shape)
		m.Write(0x7000, 0x20, []byte("a program"))
		m.Write(kerneldump.High(a, 0x5000), 0x10, make([]byte, 2*kerneldump.PageSize))
		m.Map(kerneldump.High(a, 0x40_0000), 0x2000, 1)
		m.Pages[0x2003] = make([]byte, kerneldump.PageSize)
		d := kerneldump.Dump{Layout: tt.layout, Type: fullDump, Root: m.Root, PAE: tt.pae, Regs: kerneldump.At(a, 1, 1)}
		d.Runs, d.Body = m.Full()
		want := fmt.Sprintf("%x-%x %x-%x %x-%x ", 0x7000, 0x7fff, kerneldump.High(a, 0x5000), kerneldump.High(a, 0x6fff), kerneldump.High(a, 0x40_3000), kerneldump.High(a, 0x40_3fff))
		got := ""
		if next := openAll(t, d.Build()).Memory.RunsFrom(0, func(base, last uint64) bool { got += fmt.Sprintf("%x-%x ", base, last); return true }); got != want || next != 0 {
			t.Errorf("%s: %s, then %#x, want %s", name, got, next, want)
		}
		empty := kerneldump.NewMemory(tt.shape) // every address leads to a last table, which is empty
		for level := range len(tt.shape.Bits) - 1 {
			e := empty.Get(empty.Entry(0, level))
			if level == 0 {
				empty.Entry(0, len(tt.shape.Bits)-1)
				e = empty.Get(empty.Entry(0, 0))
			}
			for i := range 1 << tt.shape.Bits[level] {
				empty.Put(empty.Entry(0, level)+uint64(i*tt.shape.Entry), e)
			}
		}
		d.Root = empty.Root
		d.Runs, d.Body = empty.Full()
		next := openAll(t, d.Build()).Memory.RunsFrom(0, func(uint64, uint64) bool { t.Errorf("%s: a page", name); return false })
		if next == 0 {
			t.Errorf("%s: the search of empty tables has no bound", name)
		}
	}
}

// A page that Windows is about to reuse still has its contents; a prototype has no page.
func TestTransition(t *testing.T) {
	m := kerneldump.NewMemory(kerneldump.Four)
	a := &cpu.AMD64
	addr := kerneldump.High(a, 0x9000)
	m.Write(addr, 0x30, []byte("waiting"))
	d := kerneldump.Dump{Layout: &cpu.ContextAMD64, Type: fullDump, Root: m.Root, Regs: kerneldump.At(a, 1, 1)}
	for _, tt := range []struct {
		entry uint64
		want  int
	}{{0x30_863, 7}, {0x30_800, 7}, {0x30_c00, 0}, {0x30_000, 0}} {
		m.Put(m.Entry(addr, 3), tt.entry)
		d.Runs, d.Body = m.Full()
		if n := openAll(t, d.Build()).Memory.Read(addr, make([]byte, 7)); n != tt.want {
			t.Errorf("entry %#x: %d bytes, want %d", tt.entry, n, tt.want)
		}
	}
}

// The registers at the fault are behind a parameter, or in a trap frame that the parameter's instruction identifies.
func TestFault(t *testing.T) {
	a := &cpu.AMD64
	const pc, old = 0xffff_8000_0003_0100, 0xffff_8000_0000_5e00
	fault := kerneldump.At(a, pc, old)
	fault.Set(cpu.RBX, 77)
	context := cpu.ContextAMD64.Encode(&fault, 0xf, order)
	trap := asm.At(0).Zeros(0x30).U64(1, 2, 3).Zeros(0x158-0x48).U64(9, 0, pc, 0x10, 0x10246, old, 0x18).Build(t)
	stack := asm.At(kerneldump.High(a, 0x5000)).Zeros(0x40).Mark("trap").Bytes(trap).Align(16).Mark("context").Bytes(context).
		Mark("record").U32(0xc000_0005, 0).U64(0, pc).U32(2, 0).U64(1, 0x28).Zeros(0xe00)
	data := stack.Build(t)
	for _, tt := range []struct {
		name   string
		code   uint32
		params [4]uint64
		rbx    bool
		record bool
	}{
		{name: "context record", code: 0x3b, params: [4]uint64{0xc000_0005, pc, stack.Addr("context")}, rbx: true},
		{name: "context and exception record", code: 0x7e, params: [4]uint64{0xc000_0005, pc, stack.Addr("record"), stack.Addr("context")}, rbx: true, record: true},
		{name: "trap frame", code: 0x139, params: [4]uint64{3, stack.Addr("trap"), stack.Addr("record")}, record: true},
		{name: "instruction", code: 0xd1, params: [4]uint64{0x28, 2, 0, pc}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := kerneldump.Dump{Layout: &cpu.ContextAMD64, Type: triageDump, Code: tt.code, Parameters: tt.params, Regs: kerneldump.At(a, kerneldump.High(a, 0x1_0000), kerneldump.High(a, 0x5008))}
			d.Body = kerneldump.Triage(t, a, []kerneldump.Driver{{Name: "nt", Base: kerneldump.High(a, 0x1_0000), Size: 0x3_0000}}, nil, kerneldump.Range{Base: kerneldump.High(a, 0x5000), Data: data})
			p := openAll(t, d.Build())
			noNotes(t, p)
			f := p.Threads[0].Fault
			if f == nil || f.Regs.Value(cpu.RIP) != pc || f.Regs.Value(cpu.RSP) != old {
				t.Fatalf("fault %+v", f)
			}
			if _, known := f.Regs.Get(cpu.RBX); known != tt.rbx {
				t.Errorf("rbx known: %t", known)
			}
			if r := p.Event.Record; (r != nil) != tt.record || r != nil && (r.Code != 0xc000_0005 || r.Parameters[1] != 0x28) {
				t.Errorf("record %+v", r)
			}
		})
	}
}

// A stack at the bottom of the address space that is shorter than a trap frame has none: the search ends.
func TestShortStack(t *testing.T) {
	a := &cpu.AMD64
	d := kerneldump.Dump{Layout: &cpu.ContextAMD64, Type: triageDump, Code: 0xd1, Parameters: [4]uint64{0x28, 2, 0, kerneldump.High(a, 0x3_0100)}, Regs: kerneldump.At(a, kerneldump.High(a, 0x1_0000), 1)}
	d.Body = kerneldump.Triage(t, a, nil, nil, kerneldump.Range{Base: 1, Data: make([]byte, 8)})
	if f := openAll(t, d.Build()).Threads[0].Fault; f != nil {
		t.Errorf("fault %+v", f)
	}
}

// An image in memory states its build and its code.
func TestImage(t *testing.T) {
	a := &cpu.AMD64
	base := kerneldump.High(a, 0x1_0000)
	pe := asm.At(base).U16(0x5a4d).Zeros(0x3a).U32(0x40).U32(0x4550).U16(0x8664, 2).U32(0x5f00_0001, 0, 0).U16(0xf0, 0)
	pe.U16(0x20b).Zeros(62).U32(0x1234).Zeros(44).Zeros(48).U32(0x800, 28).Zeros(0xf0 - 168)
	pe.Text(".text\x00\x00\x00").U32(0x3000, 0x1000).Zeros(20).U32(0x6000_0020)
	pe.Text(".data\x00\x00\x00").U32(0x1000, 0x4000).Zeros(20).U32(0xc000_0040)
	pe.Zeros(int(base+0x800-pe.Here())).U32(0, 0, 0, 2, 24+7, 0x900, 0).Zeros(int(0x100 - 28))
	pe.Text("RSDS").U32(0x1111_1111).U16(0x2222, 0x3333).Text("ABCDEFGH").U32(1).Text("nt.pdb\x00")
	m := kerneldump.NewMemory(kerneldump.Four)
	m.Write(base, 0x50, pe.Build(t))
	d := kerneldump.Dump{Layout: &cpu.ContextAMD64, Type: fullDump, Root: m.Root, Regs: kerneldump.At(a, 1, 1)}
	d.Modules = m.List(t, a, kerneldump.Driver{Name: "nt.exe", Base: base, Size: 0x8000})
	d.Runs, d.Body = m.Full()
	p := openAll(t, d.Build())
	got := p.Modules[0]
	if got.CodeID != "5f0000018000" || got.DebugFile != "nt.pdb" || got.DebugID != "11111111222233334142434445464748"+"1" {
		t.Errorf("%+v", got)
	}
	for addr, want := range map[uint64]bool{0xfff: false, 0x1000: true, 0x3fff: true, 0x4000: false} {
		if code, known := got.IsCode(base + addr); code != want || !known {
			t.Errorf("%#x is code: %t, known: %t", addr, code, known)
		}
	}
}

// The other processors have their registers where the debugger's data leads.
func TestProcessors(t *testing.T) {
	a := &cpu.AMD64
	m := kerneldump.NewMemory(kerneldump.Four)
	at := kerneldump.High(a, 0x60_0000)
	context := func(pc, sp uint64) []byte {
		r := kerneldump.At(a, pc, sp)
		return cpu.ContextAMD64.Encode(&r, 0xf, order)
	}
	const fault, inner = 0x5800, 0x5100 // stack pointers
	kd := asm.At(at).Zeros(0x10).Text("KDBG").U32(0x380).Zeros(0x200).Ref("blocks").Ref("unloaded").Zeros(0x338 - 0x228).U16(8).Align(16)
	kd.Mark("blocks").Ref("prcb0").Ref("prcb1").Mark("prcb0").U64(0).Ref("context0").Mark("prcb1").U64(0).Ref("context1")
	kd.Mark("context0").Bytes(context(kerneldump.High(a, 0x1_0000), kerneldump.High(a, inner)))
	kd.Mark("context1").Bytes(context(kerneldump.High(a, 0x1_1000), kerneldump.High(a, 0x9000)))
	kd.Mark("unloaded").Ref("list").Mark("list").U16(14, 14).U32(0).Ref("name").U64(kerneldump.High(a, 0x7_0000), kerneldump.High(a, 0x7_2000), 0).Zeros(0x28 * 49)
	kd.Mark("name").UTF16("old.sys")
	m.Write(at, 0x70, kd.Build(t))
	m.Write(kerneldump.High(a, 0x5000), 0x90, make([]byte, 0x1000))
	d := kerneldump.Dump{Layout: &cpu.ContextAMD64, Type: fullDump, Root: m.Root, Debugger: at}
	d.Regs = kerneldump.At(a, kerneldump.High(a, 0x3_0000), kerneldump.High(a, fault))
	d.Runs, d.Body = m.Full()
	p := openAll(t, d.Build())
	if len(p.Threads) != 2 || p.Threads[0].Name != "processor 0" || p.Threads[1].Name != "processor 1" {
		t.Fatalf("threads %+v", p.Threads)
	}
	first := p.Threads[0]
	if first.Registers.Regs.Value(cpu.RSP) != kerneldump.High(a, inner) || first.Fault == nil || first.Fault.Regs.Value(cpu.RSP) != kerneldump.High(a, fault) {
		t.Errorf("registers %+v, fault %+v", first.Registers, first.Fault)
	}
	if len(p.Unloaded) != 1 || p.Unloaded[0].CodeFile != "old.sys" || p.Unloaded[0].Size != 0x2000 {
		t.Errorf("unloaded %+v", p.Unloaded)
	}
}

// Other files are no dumps of the kernel, and a header without a known CPU is refused.
func TestRefused(t *testing.T) {
	if _, found, err := OpenAll(source([]byte("MDMP and more"))); found || err != nil {
		t.Errorf("%t, %v", found, err)
	}
	d := kerneldump.SmallDump(t, &cpu.ContextAMD64)
	d[0x30] = 1
	if _, found, err := OpenAll(source(d)); !found || err == nil || !strings.Contains(err.Error(), "kernel: header at 0x30: machine 0x8601") {
		t.Errorf("%t, %v", found, err)
	}
	if _, _, err := OpenAll(source(d[:0x1000])); err == nil || !strings.Contains(err.Error(), "beyond the end") {
		t.Errorf("%v", err)
	}
}

// TestDamaged truncates each kind of dump, and replaces its words.
func TestDamaged(t *testing.T) {
	for _, data := range kerneldump.Samples(t) {
		for n := 0; n < len(data); n += max(1, len(data)/512) * sample.Step() {
			OpenAll(source(data[:n]))
		}
		for at := 0; at+4 <= min(len(data), 0x2600); at += 4 * sample.Step() {
			for _, v := range []uint32{0, 0xffff_ffff, 0x7fff_ffff, 0x1000} {
				damaged := bytes.Clone(data)
				order.PutUint32(damaged[at:], v)
				OpenAll(source(damaged))
			}
		}
	}
}

func FuzzOpenAll(f *testing.F) {
	for _, data := range kerneldump.Samples(f) {
		f.Add(data)
	}
	f.Add(errorDump(f, errorRecord(f)))
	f.Add(versionDump(f, versionImage(f)))
	small, _ := Small(told(f, &cpu.ContextAMD64), nil)
	f.Add(small)
	f.Fuzz(func(t *testing.T, data []byte) {
		list, _, _ := OpenAll(source(data))
		for _, p := range list {
			p.Memory.Range(0xffff_8000_0000_5000)
			p.Memory.RunsFrom(0, func(uint64, uint64) bool { return false })
			if small, err := Small(p, nil); err == nil {
				OpenAll(source(small))
			}
		}
	})
}

// Page tables that refer to themselves, a list of drivers that does not end, and counts that lie cost no more than honest ones.
func TestHostile(t *testing.T) {
	a := &cpu.AMD64
	m := kerneldump.NewMemory(kerneldump.Four)
	loop := kerneldump.High(a, 0x20_0000)
	m.Write(loop, 0x10, asm.At(0).U64(loop+0x100).Zeros(0xf8).U64(loop+0x100).Zeros(0xa0).Build(t))
	root := m.Pages[m.Root/4096]
	for i := 0; i < 4096; i += 8 {
		if order.Uint64(root[i:]) == 0 {
			order.PutUint64(root[i:], m.Root|3)
		}
	}
	d := kerneldump.Dump{Layout: &cpu.ContextAMD64, Type: fullDump, Root: m.Root, Modules: loop, Regs: kerneldump.At(a, 1, 1)}
	d.Runs, d.Body = m.Full()
	d.Runs = append(d.Runs, [2]uint64{0, 1 << 60}, [2]uint64{1, 1 << 63}, d.Runs[0])
	p := openAll(t, d.Build())
	if base, size, _ := p.Memory.Range(0x1000); size > 4<<20 {
		t.Errorf("%#x bytes at %#x", size, base)
	}
	if len(p.Modules) > 1 || len(p.Notes) == 0 {
		t.Errorf("%d drivers, notes %v", len(p.Modules), p.Notes)
	}
}

// A bitmap of as many bits as a number can say is a defect of the file, and not one of the reader.
func TestLargestBitmap(t *testing.T) {
	a := &cpu.AMD64
	m := kerneldump.NewMemory(kerneldump.Four)
	d := kerneldump.Dump{Layout: &cpu.ContextAMD64, Type: 5, Root: m.Root, Regs: kerneldump.At(a, 1, 1)}
	d.Body = m.Bitmap(kerneldump.HeaderSize(a))
	order.PutUint64(d.Body[0x30:], 1<<64-1)
	for _, n := range openAll(t, d.Build()).Notes {
		if strings.Contains(n.Err.Error(), "bug in Crashglass") {
			t.Error(n.Err)
		}
	}
}

// sparse is a file of which only some parts have bytes.
type sparse struct {
	head, tail []byte
	at         int64 // of tail
	read       int64
}

func (s *sparse) ReadAt(p []byte, off int64) (int, error) {
	s.read += int64(len(p))
	clear(p)
	for _, part := range []struct {
		data []byte
		at   int64
	}{{s.head, 0}, {s.tail, s.at}} {
		if from := max(part.at, off); from < min(part.at+int64(len(part.data)), off+int64(len(p))) {
			copy(p[from-off:], part.data[from-part.at:])
		}
	}
	return len(p), nil
}

// A dump of 16 GB is opened by its header, its page tables and its lists.
func TestLarge(t *testing.T) {
	a := &cpu.AMD64
	m := kerneldump.NewMemory(kerneldump.Four)
	d := kerneldump.Dump{Layout: &cpu.ContextAMD64, Type: fullDump, Root: m.Root, Code: 0xe2, Regs: kerneldump.At(a, kerneldump.High(a, 0x1_0000), kerneldump.High(a, 0x5100))}
	d.Modules = m.List(t, a, kerneldump.Driver{Name: "nt.exe", Base: kerneldump.High(a, 0x1_0000), Size: 0x8000})
	m.Write(kerneldump.High(a, 0x5000), 0x50, []byte("stack"))
	var tail []byte
	d.Runs, tail = m.Full()
	const pages = 16 << 30 / 4096
	d.Runs = append([][2]uint64{{1 << 30, pages}}, d.Runs...)
	f := &sparse{head: d.Build(), tail: tail, at: 0x2000 + pages*4096}
	list, _, err := OpenAll(bin.NewSource(f, f.at+int64(len(tail))))
	if err != nil || len(list[0].Modules) != 1 || list[0].Memory.Read(kerneldump.High(a, 0x5000), make([]byte, 5)) != 5 {
		t.Fatalf("%v, %+v", err, list)
	}
	if f.read > 4<<20 {
		t.Errorf("%d bytes were read", f.read)
	}
}

// driverBase is the start of the driver of versionDump.
const driverBase = 0xffff_8000_0003_0000

// versionImage is an image with a version resource.
func versionImage(t testing.TB) []byte {
	image := kerneldump.Image(t, &cpu.AMD64, kerneldump.Unwind{})
	order.PutUint32(image[0x80+peResources64:], 0x2000)
	dir := asm.At(0).Zeros(12).U16(1, 1).U32(0x8000_0100, 0x8000_0100, 16, 0x8000_0020).Zeros(12).U16(0, 1).U32(1, 0x8000_0038).
		Zeros(12).U16(0, 1).U32(1033, 0x50).U32(0x2100, 0x200, 0, 0)
	copy(image[0x2000:], dir.Build(t))
	text := asm.At(0).U16(0x200, 52, 0).UTF16("VS_VERSION_INFO\x00").Align(4).U32(0xfeef04bd, 0x10000, 3<<16|1, 4<<16|5).Zeros(36).
		U16(0x40, 8, 1).UTF16("CompanyName\x00").Align(4).UTF16("Contoso\x00").Align(4).
		U16(0x40, 8, 1).UTF16("ProductName\x00").Align(4).UTF16("Widget\x00").Zeros(0x40)
	copy(image[0x2100:], text.Build(t))
	return image
}

// versionDump is a full dump with a driver.
func versionDump(t testing.TB, image []byte) []byte {
	a := &cpu.AMD64
	m := kerneldump.NewMemory(kerneldump.Four)
	m.Write(driverBase, 0x300, image)
	d := kerneldump.Dump{Layout: &cpu.ContextAMD64, Type: fullDump, Root: m.Root, Regs: kerneldump.At(a, 1, 1)}
	d.Modules = m.List(t, a, kerneldump.Driver{Name: "widget.sys", Base: driverBase, Size: 0x4000})
	d.Runs, d.Body = m.Full()
	return d.Build()
}

// The version resource of an image in memory names version, product and company. Damage costs these, and nothing else.
func TestAbout(t *testing.T) {
	image := versionImage(t)
	about := func(image []byte) string {
		return strings.Join(openAll(t, versionDump(t, image)).Event.About(driverBase), ", ")
	}
	if got, want := about(image), "version 3.1.4.5, product `Widget`, company `Contoso`, linked in 2020 if its time stamp is a date"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for at := 0x2000; at < 0x2180; at += 2 { // each word of the resources
		damaged := bytes.Clone(image)
		damaged[at], damaged[at+1] = 0xff, 0xff
		if got := about(damaged); !strings.HasSuffix(got, "linked in 2020 if its time stamp is a date") || len(got) > 120 {
			t.Errorf("damaged at %#x: %s", at, got)
		}
	}
	for _, stamp := range []uint32{0x1234, 0xf000_0000} { // neither is a date before the dump
		other := bytes.Clone(image)
		order.PutUint32(other[0x80+peStamp:], stamp)
		if got := about(other); strings.Contains(got, "linked") {
			t.Errorf("stamp %#x: %s", stamp, got)
		}
	}
	order.PutUint32(image[0x80+peDebug64:], 0x2400)
	order.PutUint32(image[0x80+peDebug64+4:], 28)
	order.PutUint32(image[0x2400+debugType:], reproducible)
	if got := about(image); strings.Contains(got, "linked") {
		t.Errorf("a reproducible build: %s", got)
	}
}
