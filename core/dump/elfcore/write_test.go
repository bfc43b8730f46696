package elfcore

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// crashed is a process of a CPU: two threads, of which the second crashed, a program with its first page, a library without, and a stack.
func crashed(t testing.TB, m *machine, big bool) *process.Process {
	arch := m.layout.Arch
	p := &process.Process{
		System: &process.System{OS: process.Linux}, Arch: arch, BigEndian: big, Subject: 1,
		Event: &process.Event{Code: 11, Flags: 1, Address: 0x18},
	}
	id := uint32(70)
	p.PID = &id
	for i := range 2 {
		var regs cpu.Regs
		for r := range arch.Regs {
			regs.Set(cpu.Reg(r), uint64(0x1000*(i+1)+r))
		}
		context := m.layout.Encode(&regs, 0xff, orderOf(p))
		for _, part := range m.parts {
			for at := range part.size { // two parts of a context may be one of a note
				context[part.to+at] = byte((part.from+at)*3 + i)
			}
		}
		p.Threads = append(p.Threads, process.Thread{ID: uint32(77 + i), Registers: &process.Registers{Arch: arch, Regs: regs, Context: func() []byte { return context }}})
	}
	p.SetModules([]module.Module{{Base: 0x40_0000, Size: 0x3000, CodeFile: "/opt/demo"}, {Base: 0x50_0000, Size: 0x2000, CodeFile: "/lib/lib.so"}})
	data := append(moduleHead(t, m, big), "the stack"...)
	ranges := []process.Range{{Base: 0x40_0000, Location: process.Location{Size: headSize}}, {Base: 0x60_0ff0, Location: process.Location{RVA: headSize, Size: 9}}}
	p.Memory = process.NewMemory(process.NewPager(source(data)), big, ranges, func(err error) { t.Error(err) })
	return p
}

// moduleHead is the first page of a program: a segment of code and one of data, at 0x40_0000 and 0x40_2000.
func moduleHead(t testing.TB, m *machine, big bool) []byte {
	w := coreWriter{m: m, order: orderOf(&process.Process{BigEndian: big})}
	header := map[int]int{4: header32, 8: header64}[m.word()]
	data := append([]byte("\x7fELF"), byte(m.word()/4), 1, 1)
	if big {
		data[orderOffset] = 2
	}
	data = w.u16(append(data, make([]byte, 9)...), 3, m.number)
	data = w.u32(w.word(w.u32(data, 1), 0x1234, uint64(header), 0), 0)
	data = w.u16(data, uint16(header), uint16(programSize(m.word())), 3, 0, 0, 0)
	data = w.program(data, typeLoad, segment{addr: 0, off: 0, have: 0x1800, size: 0x1800, flags: flagRead | flagExec})
	data = w.program(data, typeLoad, segment{addr: 0x2000, off: 0x1800, have: 0x200, size: 0x800, flags: flagRead | flagWrite})
	data = w.program(data, typeDynamic, segment{addr: 0x2010, off: 0x1810, have: 0x100, size: 0x100, flags: flagRead | flagWrite})
	return padded(data, headSize)
}

// written is a process that was written as a core and read again.
func written(t testing.TB, p *process.Process) *process.Process {
	t.Helper()
	src, err := Write(p)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Open(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range again.Notes {
		t.Errorf("note: %v", n.Err)
	}
	return again
}

// On each CPU a core has all registers of all threads, those of the crashed one first, and the event.
func TestWriteEachCPU(t *testing.T) {
	for i := range machines {
		m := &machines[i]
		t.Run(m.layout.Name, func(t *testing.T) {
			if machineOf(&process.Process{Arch: m.layout.Arch}) != m {
				t.Skip("the same registers with another number")
			}
			big := m.number == 8 || m.number == 20 || m.number == 2
			p := crashed(t, m, big)
			q := written(t, p)
			if len(q.Threads) != 2 || q.Threads[0].ID != 78 || q.Threads[1].ID != 77 || q.Subject != 0 || *q.PID != 70 {
				t.Fatalf("threads %+v of process %d", q.Threads, *q.PID)
			}
			for k, thread := range q.Threads {
				was := p.Threads[1-k].Registers
				for r, name := range m.layout.Arch.Regs {
					in := slices.ContainsFunc(strings.Fields(m.registers), func(alias string) bool {
						reg, ok := m.layout.Arch.Reg(alias)
						return ok && reg == cpu.Reg(r)
					})
					if v, known := thread.Registers.Regs.Get(cpu.Reg(r)); known != in || in && v != was.Regs.Value(cpu.Reg(r)) {
						t.Errorf("%s is %#x, %t; want %#x", name, v, known, was.Regs.Value(cpu.Reg(r)))
					}
				}
				context := thread.Registers.Context()
				for _, part := range m.parts {
					if got, want := context[part.to:part.to+part.size], was.Context()[part.to:part.to+part.size]; !bytes.Equal(got, want) {
						t.Errorf("%d bytes at %d of the context are % x, want % x", part.size, part.to, got, want)
					}
				}
			}
			if e := q.Event; e == nil || e.Code != 11 || e.Flags != 1 || e.Address != 0x18 {
				t.Errorf("event %+v", e)
			}
			if v := q.Memory.Read(0x60_0ff0, make([]byte, 20)); v != 9 {
				t.Errorf("%d bytes of the stack", v)
			}
		})
	}
}

// lldb takes a core for one of Linux by EI_OSABI, whatever libraries the program has.
func TestWriteSystem(t *testing.T) {
	src, err := Write(crashed(t, &machines[0], false))
	if err != nil {
		t.Fatal(err)
	}
	head, err := src.ReadUpTo("header", 0, 16)
	if err != nil || head[7] != 3 {
		t.Errorf("e_ident % x, %v", head, err)
	}
}

// Modules are mapped files: one with a first page by its segments, one without as a whole.
func TestWriteModules(t *testing.T) {
	p := crashed(t, findMachine(62, 8), false)
	q := written(t, p)
	if len(q.Modules) != 2 || q.Modules[0].CodeFile != "/opt/demo" || q.Modules[0].Base != 0x40_0000 || q.Modules[0].Size != 0x2800 ||
		q.Modules[1].CodeFile != "/lib/lib.so" || q.Modules[1].Base != 0x50_0000 || q.Modules[1].Size != 0x2000 {
		t.Errorf("modules %+v", q.Modules)
	}
	want := []process.Region{
		{Start: 0x40_0000, Last: 0x40_0fff, Access: "r-x", Name: "/opt/demo"}, {Start: 0x40_1000, Last: 0x40_1fff, Access: "r-x", Name: "/opt/demo"},
		{Start: 0x40_2000, Last: 0x40_2fff, Access: "rw-", Name: "/opt/demo"}, {Start: 0x50_0000, Last: 0x50_1fff, Access: "r-x", Name: "/lib/lib.so"},
		{Start: 0x60_0ff0, Last: 0x60_0ff8, Access: "rw-"},
	}
	if len(q.Regions) != len(want) {
		t.Fatalf("regions %+v", q.Regions)
	}
	for i, w := range want {
		if g := q.Regions[i]; g.Start != w.Start || g.Last != w.Last || g.Access != w.Access || g.Name != w.Name {
			t.Errorf("region %+v, want %+v", g, w)
		}
	}
	// Without an auxiliary vector, the program's headers say where it starts.
	for _, a := range []process.AuxValue{{Type: auxPrograms, Value: 0x40_0040}, {Type: auxEntries, Value: 3}, {Type: auxEntry, Value: 0x40_1234}} {
		if !slices.Contains(q.Auxv, a) {
			t.Errorf("%s is not %#x in %v", a.Name(), a.Value, q.Auxv)
		}
	}
}

// The mappings of Linux are taken as they are, with the offsets in their files; special ones are no files.
func TestWriteMappings(t *testing.T) {
	p := crashed(t, findMachine(62, 8), false)
	maps := []process.Mapping{
		{Base: 0x40_0000, End: 0x40_2000, Access: "r-xp", Name: "/opt/demo"}, {Base: 0x40_2000, End: 0x40_3000, Access: "rw-p", Offset: 0x7000, Name: "/opt/demo"},
		{Base: 0x60_0000, End: 0x60_2000, Access: "rw-p", Name: "[stack]"},
	}
	p.Files = []process.TextFile{{Name: process.Maps, Text: process.MapsText(maps)}, {Name: process.CmdLine, Text: "demo\x00--fast"}}
	q := written(t, p)
	text := ""
	for _, f := range q.Files {
		text += f.Name + ": " + f.Text + "\n"
	}
	for _, want := range []string{"00402000-00403000 rw-p 00007000 00:00 0                                  /opt/demo\n", "cmdline: demo\x00--fast"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "[stack]") {
		t.Errorf("a file called [stack] in\n%s", text)
	}
}

// The dynamic linker's list leads from DT_DEBUG over the program to its libraries. It stands where nothing is mapped.
func TestLinks(t *testing.T) {
	p := crashed(t, findMachine(62, 8), false)
	const slot = 0x40_2020
	blocks := Links(p, slot)
	p.Memory = p.Memory.With(blocks)
	word := func(at uint64) uint64 {
		v, ok := p.Memory.Word(at, 8)
		if !ok {
			t.Fatalf("nothing at %#x", at)
		}
		return v
	}
	text := func(at uint64) string {
		b := make([]byte, 20)
		return bin.Text(b[:p.Memory.Read(at, b)])
	}
	list := word(slot)
	if list != 64<<10 || word(list) != 1 {
		t.Fatalf("struct r_debug at %#x, version %d", list, word(list))
	}
	first := word(list + 8)
	second := word(first + 24)
	for i, got := range [][]uint64{
		{word(first), word(first + 16), word(first + 32)}, {word(second), word(second + 16), word(second + 24), word(second + 32)},
	} {
		want := [][]uint64{{0x40_0000, 0x40_2010, 0}, {0x50_0000, 0, 0, first}}[i]
		if !slices.Equal(got, want) {
			t.Errorf("link %d is %#x, want %#x", i, got, want)
		}
	}
	if a, b := text(word(first+8)), text(word(second+8)); a != "" || b != "/lib/lib.so" {
		t.Errorf("names %q and %q", a, b)
	}
	if again := Links(p, slot); again != nil {
		t.Errorf("a second list %v", again)
	}
	for _, tt := range []struct {
		name  string
		taken []process.Region
		want  uint64
	}{
		{"the first page is taken", []process.Region{{Start: 0x1_0000, Last: 0x1_0fff}}, 0x1_1000},
		{"a gap is too small", []process.Region{{Start: 0x1_0000, Last: 0x1_0fff}, {Start: 0x1_2000, Last: 0x1_2fff}}, 0x1_3000},
		{"everything is taken", []process.Region{{Start: 0, Last: ^uint64(0)}}, 0},
	} {
		if got := unmapped(&process.Process{Arch: &cpu.AMD64, Regions: tt.taken}, 0x1001); got != tt.want {
			t.Errorf("%s: %#x, want %#x", tt.name, got, tt.want)
		}
	}
}

// Exceptions of other systems are the signals that mean the same.
func TestSignalOf(t *testing.T) {
	for _, tt := range []struct {
		name string
		os   process.OS
		e    *process.Event
		want [3]uint64 // number, code, address
	}{
		{"nothing", process.Linux, nil, [3]uint64{}},
		{"a signal", process.Linux, &process.Event{Code: 7, Flags: 2, Address: 9}, [3]uint64{7, 2, 9}},
		{"a write", process.Windows, &process.Event{Code: 0xc000_0005, Address: 0x40_1000, Parameters: []uint64{1, 0x18}}, [3]uint64{11, 0, 0x18}},
		{"a division", process.Windows, &process.Event{Code: 0xc000_0094, Address: 0x40_1000}, [3]uint64{8, 0, 0x40_1000}},
		{"a breakpoint", process.Windows, &process.Event{Code: 0x8000_0003}, [3]uint64{5, 0, 0}},
		{"a C++ exception", process.Windows, &process.Event{Code: 0xe06d_7363}, [3]uint64{6, 0, 0}},
		{"EXC_BAD_ACCESS", process.Mac, &process.Event{Code: 1, Flags: 1, Address: 0x18}, [3]uint64{11, 0, 0x18}},
		{"EXC_CRASH of SIGTRAP", process.Mac, &process.Event{Code: 10, Flags: 5 << 24}, [3]uint64{5, 0, 0}},
		{"a bug check", process.Windows, &process.Event{Kind: process.BugCheck, Code: 0xd1}, [3]uint64{}},
	} {
		number, code, addr := SignalOf(&process.Process{System: &process.System{OS: tt.os}, Event: tt.e})
		if got := [3]uint64{uint64(number), uint64(code), addr}; got != tt.want {
			t.Errorf("%s: %#x, want %#x", tt.name, got, tt.want)
		}
	}
}

// More segments than the header can count: a section header has the number.
func TestWriteManySegments(t *testing.T) {
	p := crashed(t, findMachine(62, 8), false)
	for i := range uint64(70_000) {
		p.Regions = append(p.Regions, process.Region{Start: 0x1_0000_0000 + i*0x2000, Last: 0x1_0000_0fff + i*0x2000, Access: "r--"})
	}
	if q := written(t, p); len(q.Regions) != 70_005 {
		t.Errorf("%d regions, want 70,005", len(q.Regions))
	}
}

// What cannot become a core.
func TestWriteNothing(t *testing.T) {
	for want, p := range map[string]*process.Process{
		"elfcore: process: the CPU is unknown, or none whose cores can be written": {},
		"elfcore: process: no thread has registers, and a core needs those of one": {Arch: &cpu.AMD64, Threads: []process.Thread{{ID: 1}}},
	} {
		if _, err := Write(p); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Whatever the ranges of modules, regions and memory, a core can be written and read again.
func FuzzWrite(f *testing.F) {
	f.Add(uint64(0x40_0000), uint64(0x3000), uint64(0), ^uint64(0), []byte("7ffe0000-7fff0000 rw-p 00000000 00:00 0 [stack]\n"))
	f.Add(^uint64(0)-0xfff, uint64(0x1000), ^uint64(0)-0xf, ^uint64(0), []byte("fffffffffffff000-0 r-xp ffffffffffffffff 0 0 /x\n"))
	f.Fuzz(func(t *testing.T, base, size, start, last uint64, maps []byte) {
		p := crashed(t, findMachine(62, 8), false)
		p.SetModules([]module.Module{{Base: base, Size: size, CodeFile: "/a"}})
		if start <= last {
			p.Regions = []process.Region{{Start: start, Last: last, Access: "rwx"}}
		}
		p.Files = []process.TextFile{{Name: process.Maps, Text: string(maps)}}
		p.Memory = p.Memory.With(Links(p, base))
		src, err := Write(p)
		if err != nil {
			t.Fatal(err)
		}
		q, err := Open(src)
		if err != nil {
			t.Fatal(err)
		}
		if pc := p.Threads[1].Registers.Regs.Value(p.Arch.PC); len(q.Threads) != 2 || q.Threads[0].Registers.Regs.Value(p.Arch.PC) != pc {
			t.Errorf("threads %+v", q.Threads)
		}
		text := make([]byte, 9)
		if n := q.Memory.Read(0x60_0ff0, text); n != 9 || string(text) != "the stack" {
			t.Errorf("stack %q", text[:n])
		}
	})
}
