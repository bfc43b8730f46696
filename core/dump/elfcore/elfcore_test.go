package elfcore

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/write"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
)

// An opened is the process of a core, and the minidump that other programs read of it.
type opened struct {
	*minidump.File
	Process *process.Process
}

func open(t testing.TB, data []byte) opened {
	t.Helper()
	p, err := Open(source(data))
	if err != nil {
		t.Fatal(err)
	}
	return opened{converted(t, p, true), p}
}

// converted is a process as a minidump.
func converted(t testing.TB, p *process.Process, full bool) *minidump.File {
	t.Helper()
	f, err := minidump.Open(viewOf(t, p, full))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// viewOf is a process as the bytes of a minidump, with all memory or what its stacks need.
func viewOf(t testing.TB, p *process.Process, full bool) bin.Source {
	t.Helper()
	view, err := write.Whole(p)
	if !full {
		view, _, err = write.Stacks(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return view
}

// defects are the notes of a process that have a place in the file.
func defects(p *process.Process) (list []error) {
	for _, n := range p.Notes {
		if n.Where == "" {
			list = append(list, n.Err)
		}
	}
	return list
}

func TestThreads(t *testing.T) {
	f := open(t, coreFile(t))
	sys, _ := f.SystemInfo()
	threads, err := f.Threads()
	if err != nil || len(threads) != 2 {
		t.Fatalf("%d threads, %v; want 2", len(threads), err)
	}
	for i, want := range []struct {
		id      uint32
		pc, sp  uint64
		r15     uint64
		context bool
	}{{id: 0x1234, pc: 0x40_1010, sp: 0x7fff_e100, r15: 0x100, context: true}, {id: 0x1235, pc: 0x50_0040, sp: 0x7fff_e180, r15: 0x100, context: true}} {
		ctx, err := f.Context(threads[i].Context, sys)
		if err != nil {
			t.Fatal(err)
		}
		if pc, sp, r15 := ctx.Regs.Value(cpu.RIP), ctx.Regs.Value(cpu.RSP), ctx.Regs.Value(cpu.R15); threads[i].ID != want.id || pc != want.pc || sp != want.sp || r15 != want.r15 {
			t.Errorf("thread %d: id %#x pc %#x sp %#x r15 %#x", i, threads[i].ID, pc, sp, r15)
		}
	}
	x, err := f.Exception()
	if err != nil || x.ThreadID != 0x1234 || x.Code != 11 || x.Flags != 1 || x.Address != 0x18 {
		t.Errorf("exception %+v, %v", x, err)
	}
	names, _ := f.ThreadNames()
	if names[0x1234] != "demo" {
		t.Errorf("names %v", names)
	}
}

func TestModules(t *testing.T) {
	modules, err := open(t, coreFile(t)).Modules()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range modules {
		got = append(got, fmt.Sprintf("%#x-%#x %s %s", m.Base, m.Base+m.Size, m.CodeFile, m.CodeID))
	}
	want := "0x400000-0x402000 /opt/demo 01020304\n0x500000-0x502000 /lib/lib.so aabb"
	if strings.Join(got, "\n") != want {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// Memory that the core leaves out is absent, never zero.
func TestMemory(t *testing.T) {
	memory, err := open(t, coreFile(t)).Memory()
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := memory.Word(0x7fff_e100, 8); !ok || v != 0x40_1020 {
		t.Errorf("the stack has %#x, %v", v, ok)
	}
	for _, addr := range []uint64{0x40_1000, 0x50_0200, 0x60_0000} {
		if _, ok := memory.Word(addr, 8); ok {
			t.Errorf("there is memory at %#x, which was not captured", addr)
		}
	}
	if total := memory.Total(); total != 0x2200 {
		t.Errorf("%#x bytes were captured, want 0x2200", total)
	}
}

func TestProcess(t *testing.T) {
	f := open(t, coreFile(t))
	for _, tt := range []struct {
		stream minidump.StreamType
		want   string
	}{
		{minidump.LinuxCmdLineStream, "demo\x00--fast"},
		{minidump.LinuxEnvironStream, "TOKEN=secret"},
	} {
		if got, err := f.Text(tt.stream); err != nil || got != tt.want {
			t.Errorf("%v is %q, %v; want %q", tt.stream, got, err, tt.want)
		}
	}
	auxv, _ := f.Auxv()
	if len(auxv) != 3 || auxv[0].Name() != "AT_PHDR" || auxv[0].Value != 0x40_0040 {
		t.Errorf("auxv %v", auxv)
	}
	maps, _ := f.LinuxMaps()
	var got []string
	for _, m := range maps {
		got = append(got, fmt.Sprintf("%x %s %x %s", m.Base, m.Access, m.Offset, m.Name))
	}
	want := "400000 r--p 0 /opt/demo\n401000 r-xp 1000 /opt/demo\n500000 r-xp 0 /lib/lib.so\n7fffe000 rw-p 0 [stack]"
	if strings.Join(got, "\n") != want {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if p := f.Process; p.Origin.Kind != "ELF core" || p.Writer != "Linux kernel" || len(p.Notes) != 0 {
		t.Errorf("%+v by %s, %v", p.Origin, p.Writer, p.Notes)
	}
}

// Registers without a field in a context become facts, except for a base of 0.
func TestFacts(t *testing.T) {
	words := asm.At(0).U64(0x7fff_e100, 0x2b)
	with := asm.At(0).U64(0x7fff_e100, 0x2b, 0x7f00) // rsp, ss and fs_base of the first thread
	data := bytes.Replace(coreFile(t), words.U64(0).Build(t), with.Build(t), 1)
	want := []process.Annotation{{Name: "thread pointer (fs_base)", Value: "0x7f00", Source: "core"}}
	if got := open(t, data).Process.Annotations; !slices.Equal(got, want) {
		t.Errorf("facts %v, want %v", got, want)
	}
}

// A truncated core has the part before its end, and reports the missing size.
func TestTruncated(t *testing.T) {
	whole := coreFile(t)
	f := open(t, whole[:len(whole)-0x800])
	memory, _ := f.Memory()
	if total := memory.Total(); total != 0x1a00 {
		t.Errorf("%#x bytes were captured, want 0x1a00", total)
	}
	need, notes := f.Process.Origin.Need, defects(f.Process)
	if need != int64(len(whole)) || len(notes) != 1 {
		t.Fatalf("need %d of %d, notes %v", need, len(whole), notes)
	}
	want := fmt.Sprintf("memory at %#x: 4096 bytes of memory at 0x7fffe000 reach beyond the end of the file at %#x", len(whole)-0x1000, len(whole)-0x800)
	if notes[0].Error() != want {
		t.Errorf("%v\nwant\n%s", notes[0], want)
	}
}

// A truncated core has one note, for any number of missing mappings.
func TestTruncatedEarly(t *testing.T) {
	whole := coreFile(t)
	at := len(whole) - 0x2200 // the first captured memory
	notes := defects(open(t, whole[:at]).Process)
	want := fmt.Sprintf("memory at %#x: 8704 bytes in 3 mappings, the first at 0x400000, reach beyond the end of the file at %#x", at, at)
	if len(notes) != 1 || notes[0].Error() != want {
		t.Errorf("%v\nwant\n%s", notes, want)
	}
}

// All registers of every CPU have a name that package cpu knows.
func TestRegisters(t *testing.T) {
	for i := range machines {
		m := &machines[i]
		known := 0
		for name := range strings.FieldsSeq(m.registers) {
			if _, ok := m.layout.Arch.Reg(name); ok {
				known++
			} else if name != "-" {
				t.Errorf("%s has no register %q", m.layout.Arch.Name, name)
			}
		}
		for _, need := range []cpu.Reg{m.layout.Arch.PC, m.layout.Arch.SP} {
			regs := m.decode(bin.NewOrderedCursor("", 0, make([]byte, 1024), minidumpOrder))
			if _, ok := regs.Get(need); !ok {
				t.Errorf("%s lacks %s", m.layout.Arch.Name, m.layout.Arch.RegName(need))
			}
		}
	}
}

// The number of segments is in the first section header when it is PN_XNUM.
func TestManySegments(t *testing.T) {
	const count = 0x1_0000
	s := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).U32(1).U64(0, 64).Ref("section").U32(0).U16(64, 56, 0xffff, 64, 1, 0)
	for i := range uint64(count) {
		s.U32(1, 6).Ref("end").U64(0x1000*i, 0, 1, 0x1000, 0x1000)
	}
	s.Mark("section").Zeros(44).U32(count).Zeros(16).Mark("end").U8(7)
	memory, err := open(t, s.Build(t)).Memory()
	if err != nil || memory.Total() != count {
		t.Errorf("%d bytes of memory, %v; want %d", memory.Total(), err, count)
	}
}

func TestOtherCores(t *testing.T) {
	head := func(abi byte, machine uint16) *asm.Section {
		return asm.At(0).Text("\x7fELF\x02\x01\x01").U8(abi).Zeros(8).U16(4, machine).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, 1, 0, 0, 0)
	}
	withNote := func(name string) *asm.Section {
		s, n := head(0, 62), asm.At(0)
		note(n, name, 1, []byte("1234"))
		return s.U32(4, 0).U64(120, 0, 0, uint64(len(n.Build(t))), 0, 4).Bytes(n.Build(t))
	}
	for _, tt := range []struct {
		core *asm.Section
		want string
	}{
		{head(9, 62), "elfcore: this is a core file of FreeBSD, and only those of programs on Linux are read: open it with lldb or gdb"},
		{asm.At(0).Text("\x7fELF\x01\x01\x01").Zeros(9).U16(4, 62).U32(1, 0, 52, 0, 0).U16(52, 32, 1, 0, 0, 0),
			"elfcore: header at 0x12: this is a core of the x32 ABI, whose stacks cannot be walked: open it with gdb"},
		{asm.At(0).Text("\x7fELF\x01\x01\x01").Zeros(9).U16(4, 8).U32(1, 0, 52, 0, 0x20).U16(52, 32, 1, 0, 0, 0),
			"elfcore: header at 0x12: this is a core of the n32 ABI, whose stacks cannot be walked: open it with gdb"},
		{withNote("NetBSD-CORE@7"), "elfcore: this is a core file of NetBSD, and only those of programs on Linux are read: open it with lldb or gdb"},
		{withNote("OpenBSD"), "elfcore: this is a core file of OpenBSD, and only those of programs on Linux are read: open it with lldb or gdb"},
		{asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).Zeros(44), "elfcore: header at 0x38: e_phnum is 0: the core has no segments, neither registers nor memory"},
		{head(0, 22), "elfcore: header at 0x12: machine 22 (s390) with addresses of 8 bytes is none whose stacks can be walked"},
	} {
		if _, err := Open(source(tt.core.Build(t))); err == nil || err.Error() != tt.want {
			t.Errorf("%v\nwant\n%s", err, tt.want)
		}
	}
}

// The minidump of a core reads the same when it is a file of its own.
func TestConvert(t *testing.T) {
	for _, full := range []bool{false, true} {
		view := viewOf(t, open(t, coreFile(t)).Process, full)
		data, err := io.ReadAll(io.NewSectionReader(view, 0, view.Size()))
		if err != nil || int64(len(data)) != view.Size() {
			t.Fatalf("%d of %d bytes, %v", len(data), view.Size(), err)
		}
		f, err := minidump.Open(source(data))
		if err != nil || f.Damage() != nil {
			t.Fatal(err, f.Damage())
		}
		memory, err := f.Memory()
		v, ok := memory.Word(0x7fff_e100, 8)
		if err != nil || !ok || v != 0x40_1020 {
			t.Errorf("full %v: the stack has %#x, %v, %v", full, v, ok, err)
		}
		if has := memory.Read(0x40_0000, make([]byte, 4)) == 4; has != full {
			t.Errorf("full %v: the header of the program is there: %v", full, has)
		}
	}
}

// Any piece of the view reads as it does in the whole.
func TestViewAt(t *testing.T) {
	view := viewOf(t, open(t, coreFile(t)).Process, true)
	whole, _ := io.ReadAll(io.NewSectionReader(view, 0, view.Size()))
	for off := 0; off < len(whole); off += 97 {
		for _, n := range []int{1, 96, 5000} {
			p := make([]byte, n)
			got, _ := view.ReadAt(p, int64(off))
			if want := whole[off:min(len(whole), off+n)]; !bytes.Equal(p[:got], want) {
				t.Fatalf("%d bytes at %d differ", n, off)
			}
		}
	}
}
