package kernel

import (
	"bytes"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/kerneldump"
)

// smallWith is a small dump with a copy of EPROCESS and debugger's data that says where its fields are.
func smallWith(t *testing.T, build uint32, process []byte) []byte {
	a := &cpu.AMD64
	regs := kerneldump.At(a, kerneldump.High(a, 0x1_0000), kerneldump.High(a, 0x5008))
	kd := asm.At(kerneldump.High(a, 0x6000)).Zeros(0x10).Text("KDBG").U32(0x380).Zeros(0x200).Ref("processors").U64(0).Zeros(kdThreadProcess - 0x228)
	kd.U16(0xb8, 0, 0, 0, 0, 0x550, 0x540, 0, 0, 0, 8).Zeros(kdPRCBContext - 0x2b6).U16(8).Align(16)
	kd.Mark("processors").Ref("prcb").U64(0).Mark("prcb").U64(0).Ref("context").Align(16).Mark("context").Bytes(cpu.ContextAMD64.Encode(&regs, 0xf, order))
	d := kerneldump.Dump{Layout: &cpu.ContextAMD64, Type: triageDump, Code: 0xe2, Regs: regs, Debugger: kd.Base()}
	d.Body = kerneldump.Triage(t, a, nil, nil, kerneldump.Range{Base: kerneldump.High(a, 0x5000), Data: make([]byte, 64)}, kerneldump.Range{Base: kd.Base(), Data: kd.Build(t)})
	data := d.Build()
	order.PutUint32(data[0xc:], build)
	order.PutUint32(data[0x2020:], uint32(len(data)))
	order.PutUint32(data[0x2004:], uint32(len(data)+len(process)))
	return append(data, process...)
}

// The process that the stopped processor ran is named by the copy that a small dump has. Bytes that are no name are ignored.
func TestCurrentProcess(t *testing.T) {
	modern := func(name string) []byte {
		return asm.At(0).Zeros(0x440).U64(4660).Zeros(0x5a8 - 0x448).Text(name).Zeros(16 - len(name)).Zeros(64).Build(t)
	}
	for _, tt := range []struct {
		name    string
		build   uint32
		process []byte
		want    string
	}{
		{"Windows 10", 19045, modern("widget.exe"), "processor 0, widget.exe (4660)"},
		{"15 characters", 26100, modern("a-long-name.exe"), "processor 0, a-long-name.exe (4660)"},
		{"Windows 7", 7601, asm.At(0).Zeros(0x180).U64(8).Zeros(0x2e0 - 0x188).Text("w.exe").Zeros(64).Build(t), "processor 0, w.exe (8)"},
		{"no name", 19045, modern("wid\x01get"), "processor 0"},
		{"truncated", 19045, modern("widget.exe")[:0x5ac], "processor 0"},
		{"an unknown build", 9000, modern("widget.exe"), "processor 0"},
	} {
		p := openAll(t, smallWith(t, tt.build, tt.process))
		if got := p.Threads[0].Name; got != tt.want || (p.PID != nil) != strings.Contains(tt.want, ",") {
			t.Errorf("%s: %q, want %q; ID %v", tt.name, got, tt.want, p.PID)
		}
	}
}

// The process whose end stopped the system is named if the copy in a small dump is that process.
func TestProcessThatEnded(t *testing.T) {
	process := asm.At(0).Zeros(0x440).U64(552).Zeros(0x5a8 - 0x448).Text("csrss.exe").Zeros(71).Build(t)
	const at = 0xffff_a000_0000_1080
	for _, tt := range []struct {
		name       string
		code, of   uint64
		parameters [2]uint64
		want       string
	}{
		{"the process", 0xef, at, [2]uint64{at}, "csrss.exe (552)"},
		{"another process", 0xef, at + 0x1000, [2]uint64{at}, ""},
		{"a thread", 0xef, at, [2]uint64{at, 1}, ""},
		{"another bug check", 0xf4, at, [2]uint64{at}, ""},
	} {
		data := smallWith(t, 19045, process)
		order.PutUint32(data[0x38:], uint32(tt.code))
		order.PutUint64(data[0x40:], tt.parameters[0])
		order.PutUint64(data[0x48:], tt.parameters[1])
		order.PutUint32(data[0x2024:], uint32(len(data))) // the copy of the thread
		data = append(data, asm.At(0).Zeros(0xb8).U64(tt.of).Build(t)...)
		got := ""
		for _, a := range openAll(t, data).Annotations {
			if a.Name == "process that ended" {
				got = a.Value
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// part is a part of the tagged data.
func part(tag [4]uint32, data []byte) []byte {
	b := order.AppendUint32(nil, 0x20)
	for _, v := range tag {
		b = order.AppendUint32(b, v)
	}
	b = order.AppendUint32(b, uint32(len(data)))
	return append(append(append(b, 4, 0, 0, 0, 3, 0, 0, 0), 0, 0, 0, 0), append(data, 0, 0, 0)...)
}

// The firmware and the processor are named by the data behind a small dump; serial numbers are not read.
func TestTagged(t *testing.T) {
	text := func(s string) []byte { return asm.At(0).UTF16(s + "\x00").Build(t) }
	value := func(name string, data []byte) []byte {
		n := text(name)
		return asm.At(0).U32(uint32(len(n))).Bytes(n).U32(1, uint32(len(data))).Bytes(data).Build(t)
	}
	bios := asm.At(0).U8(0, 3, 1, 0).U32(0).
		U8(0, 9, 0, 0, 1, 2, 0, 0, 3).Text("Maker\x00V1.2\x0001/02/2026\x00\x00").
		U8(1, 8, 0, 0, 1, 2, 3, 4).Text("Maker\x00Laptop 5\x00v\x00SERIAL\x00\x00").
		U8(7, 4, 0, 0).U8(0, 0).
		U8(2, 8, 0, 0, 1, 9, 2, 3).Text("Maker\x00rev 3\x00SERIAL2\x00\x00").
		U8(1, 200, 0, 0).Build(t)
	processor := append(value("~MHz", []byte{1, 2, 3, 4}), value("ProcessorNameString", text("Fast 3000 "))...)
	all := append([]byte("DumpBlob\x10\x00\x00\x00\x61\x4a\x00\xf0"), part([4]uint32{0xbc5c008f, 0x44d71e3a, 0xf6868d98, 0x58674c88}, bios)...)
	all = append(all, part([4]uint32{0x6c7ac389, 0x47dc4313, 0x80a8349f, 0x6cb50f0a}, processor)...)
	all = append(all, part([4]uint32{1, 2, 3, 4}, []byte("of a driver"))...)
	data := smallWith(t, 19045, nil)
	p := openAll(t, append(bytes.Clone(data), all...))
	noNotes(t, p)
	var got []string
	for _, a := range p.Annotations {
		got = append(got, a.Name+": "+a.Value)
	}
	const want = "kind of dump: small memory dump; BIOS: Maker V1.2 01/02/2026; computer: Maker Laptop 5; board: Maker rev 3"
	if s := strings.Join(got, "; "); s != want || p.System.CPU != "Fast 3000" {
		t.Errorf("%q, CPU %q", s, p.System.CPU)
	}
	blocks := p.Origin.Detail.(*Detail).Blocks
	if b := blocks[len(blocks)-1]; b.Name != "tagged data 00000001-0002-0000-0300-000004000000" || b.Size != 11 {
		t.Errorf("block %+v", b)
	}
	for n := range all {
		openAll(t, append(bytes.Clone(data), all[:n]...))
	}
}

// The trap frame of an instruction is found on the stack of each CPU.
func TestTrapFrames(t *testing.T) {
	for name, tt := range map[string]struct {
		l    *cpu.Layout
		trap func(s *asm.Section, pc, sp uint64)
		reg  cpu.Reg
	}{
		"x86": {&cpu.ContextX86, func(s *asm.Section, pc, _ uint64) { s.Zeros(0x5c).U32(77, 0, 0, uint32(pc), 8, 0x246) }, cpu.EBX},
		"arm64": {&cpu.ContextARM64, func(s *asm.Section, pc, sp uint64) {
			s.Zeros(0x90).U32(0x8000_0144, 0).U64(sp, 77).Zeros(18*8).U64(0, 0, pc)
		}, 0},
	} {
		a := tt.l.Arch
		pc := kerneldump.High(a, 0x3_0100)
		s := asm.At(kerneldump.High(a, 0x5000)).Word(a.Word, 0, 0, pc, 0).Align(16) // a saved instruction pointer that is no frame
		s.Zeros(0x200)
		old := s.Here() + 0x74 // where a frame of x86 ends
		if a == &cpu.ARM64 {
			old = s.Here() + 0x180
		}
		tt.trap(s, pc, old)
		s.Zeros(0x100)
		d := kerneldump.Dump{Layout: tt.l, Type: triageDump, Code: 0xd1, Parameters: [4]uint64{0x28, 2, 0, pc}, Regs: kerneldump.At(a, kerneldump.High(a, 0x1_0000), kerneldump.High(a, 0x5000))}
		d.Body = kerneldump.Triage(t, a, nil, nil, kerneldump.Range{Base: kerneldump.High(a, 0x5000), Data: s.Build(t)})
		f := openAll(t, d.Build()).Threads[0].Fault
		if f == nil || f.Regs.Value(a.PC) != pc || f.Regs.Value(a.SP) != old || f.Regs.Value(tt.reg) != 77 {
			t.Errorf("%s: fault %+v", name, f)
		}
	}
}

// The driver that holds a blocked request is the one of the request's current location.
func TestBlockedRequest(t *testing.T) {
	for name, l := range layoutsOf {
		a := l.Arch
		f := requests[a.Word]
		driver := kerneldump.High(a, 0x3_0000)
		build := func(count, current uint8, irp uint16) uint64 {
			s := asm.At(kerneldump.High(a, 0x6000)).U16(irp, 0).Zeros(int(f.count)-4).U8(count, current).Zeros(int(f.location-f.current)-1).RefN(a.Word, "location").Align(16)
			s.Mark("location").Zeros(int(f.device)).RefN(a.Word, "device").Align(16)
			s.Mark("device").U16(3, 0).Zeros(4).RefN(a.Word, "driver").Align(16)
			s.Mark("driver").U16(4, 0).Zeros(int(f.start)-4).Word(a.Word, driver)
			d := kerneldump.Dump{Layout: l, Type: triageDump, Code: 0x9f, Parameters: [4]uint64{3, 1, 2, s.Base()}, Regs: kerneldump.At(a, 1, kerneldump.High(a, 0x5000))}
			d.Body = kerneldump.Triage(t, a, nil, nil, kerneldump.Range{Base: kerneldump.High(a, 0x5000), Data: make([]byte, 64)}, kerneldump.Range{Base: s.Base(), Data: s.Build(t)})
			return openAll(t, d.Build()).Event.Driver
		}
		if got := build(3, 2, 6); got != driver {
			t.Errorf("%s: driver %#x", name, got)
		}
		if completed, other := build(3, 4, 6), build(3, 2, 5); completed != 0 || other != 0 {
			t.Errorf("%s: %#x of a completed request, %#x of what is none", name, completed, other)
		}
	}
}
