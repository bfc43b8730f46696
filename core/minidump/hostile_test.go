package minidump

import (
	"encoding/binary"
	"fmt"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// A reader is one of the methods that read a stream. It returns how many
// records it made, and how many bytes of the file each of them needs at least.
type reader struct {
	kind StreamType
	read func(f *File) (records, bytes int, err error)
}

// list makes a reader of a method that returns a list.
func list[T any](kind StreamType, bytes int, method func(*File) ([]T, error)) reader {
	return reader{kind, func(f *File) (int, int, error) {
		all, err := method(f)
		return len(all), bytes, err
	}}
}

// one makes a reader of a method that returns one value.
func one[T any](kind StreamType, method func(*File) (T, error)) reader {
	return reader{kind, func(f *File) (int, int, error) {
		_, err := method(f)
		return 0, 0, err
	}}
}

var readers = []reader{
	list(ThreadListStream, 48, (*File).Threads),
	list(ThreadExListStream, 48, (*File).Threads),
	list(ModuleListStream, 108, (*File).Modules),
	list(MemoryListStream, 16, (*File).MemoryList),
	list(Memory64ListStream, 16, (*File).Memory64List),
	list(HandleDataStream, 32, (*File).Handles),
	list(FunctionTableStream, 32, (*File).FunctionTables),
	list(UnloadedModuleListStream, 24, (*File).UnloadedModules),
	list(MemoryInfoListStream, 48, (*File).MemoryInfo),
	list(ThreadInfoListStream, 64, (*File).ThreadInfos),
	list(HandleOperationListStream, 288, (*File).HandleOperations),
	list(TokenStream, 16, (*File).Tokens),
	list(SystemMemoryInfoStream, 4, (*File).SystemMemory),
	list(ProcessVMCountersStream, 4, (*File).ProcessVMCounters),
	list(LinuxCPUInfoStream, 1, (*File).LinuxCPUInfo),
	list(LinuxProcStatusStream, 1, (*File).LinuxProcStatus),
	list(LinuxCmdLineStream, 0, (*File).CommandLine),
	list(LinuxEnvironStream, 0, (*File).Environment),
	list(LinuxAuxvStream, 8, (*File).Auxv),
	list(LinuxMapsStream, 14, (*File).LinuxMaps),
	list(LinuxLimitsStream, 5, (*File).Limits),
	list(MacCrashInfoStream, 0, (*File).MacCrashInfo),
	list(CommentAStream, 0, (*File).Comments),
	one(ThreadNamesStream, (*File).ThreadNames),
	one(ExceptionStream, (*File).Exception),
	one(SystemInfoStream, (*File).SystemInfo),
	one(MiscInfoStream, (*File).MiscInfo),
	one(BreakpadInfoStream, (*File).BreakpadInfo),
	one(AssertionInfoStream, (*File).Assertion),
	one(LinuxLSBReleaseStream, (*File).LSBRelease),
	one(LinuxDSODebugStream, (*File).DSODebug),
	one(CrashpadInfoStream, (*File).Crashpad),
	one(MacBootArgsStream, (*File).MacBootArgs),
	one(StabilityReportStream, (*File).StabilityReport),
	one(SoftErrorsStream, func(f *File) (string, error) { return f.Text(SoftErrorsStream) }),
	one(ThreadListStream, readContexts),
	one(MemoryListStream, readMemory),
}

// readContexts decodes the contexts of all threads.
func readContexts(f *File) (int, error) {
	threads, err := f.Threads()
	sys, _ := f.SystemInfo()
	for _, t := range threads {
		if ctx, err := f.Context(t.Context, sys); err == nil && ctx.Arch == nil {
			return 0, fmt.Errorf("a context without a CPU")
		}
	}
	return len(threads), err
}

// readMemory reads around the ends of every captured range.
func readMemory(f *File) (int, error) {
	m, err := f.Memory()
	for _, r := range m.Ranges() {
		for _, addr := range []uint64{r.Base - 1, r.Base, r.Base + r.Size - 1, r.Base + r.Size} {
			m.Word(addr, 8)
			if _, _, ok := m.Range(addr); ok != (m.Read(addr, make([]byte, 1)) == 1) {
				return 0, fmt.Errorf("%#x is readable, or in a range, but not both", addr)
			}
		}
	}
	return 0, err
}

// readAll reads everything, and checks what must be true of any file.
func readAll(t *testing.T, data []byte) {
	t.Helper()
	f, err := Open(source(data))
	if err != nil {
		return
	}
	for _, r := range readers {
		records, bytes, _ := r.read(f)
		if records*bytes > len(data) {
			t.Fatalf("%s: %d records out of %d bytes", r.kind, records, len(data))
		}
	}
}

// everything is a dump with one stream of each kind, damage-free.
func everything(t testing.TB) *dump.Builder {
	b := dump.New().System(dump.AMD64, dump.Linux, "Linux 6.1.0 #1 SMP x86_64")
	b.Thread(dump.Thread{ID: 1, Name: "main", StackBase: 0x7000, Stack: make([]byte, 32), Context: b.Context(t, dump.AMD64, nil)})
	b.Module(dump.Module{Base: 0x400000, Size: 0x1000, Name: "/bin/app", Version: [4]uint32{1, 2, 3, 4}, CodeView: dump.BuildID(1, 2, 3)})
	b.Module(dump.Module{Base: 0x500000, Size: 0x1000, Name: "/lib/x", CodeView: b.PDB70(someGUID, 1, "x.pdb")})
	b.Unloaded(dump.Module{Base: 0x600000, Size: 0x1000, Name: "gone"})
	b.Exception(dump.Exception{Thread: 1, Code: 11, Address: 8, Parameters: []uint64{1, 2}})
	b.Memory(0x1000, []byte("memory")).Memory64(0x2000, []byte("more memory"))
	b.Breakpad(1, 2)
	b.Stream(15, miscInfo(0x3f7))
	addWindows(b)
	addLinux(b)
	return addMozilla(crashpadDump(b, true))
}

func addWindows(b *dump.Builder) {
	info := b.Extra(asm.At(0).U32(0, 1, 4, 99))
	b.Stream(12, asm.At(0).U32(16, 40, 1, 0).U64(4).Ref32(b.Text("Event")).U32(0, 0, 0, 1, 1).Ref32(info).U32(0))
	b.Stream(13, asm.At(0).U32(24, 32, 4, 12, 1, 0).U64(1, 2, 1).U32(1, 0).Text("natv").Zeros(12))
	b.Stream(16, asm.At(0).U32(16, 48).U64(1).U64(0x1000, 0x1000).U32(4, 0).U64(0x2000).U32(0x1000, 4, 0x20000, 0))
	b.Stream(17, asm.At(0).U32(12, 64, 1).U32(1, 0, 0, 0).U64(1, 2, 3, 4, 5, 6))
	b.Stream(18, asm.At(0).U32(16, 288, 1, 0).U64(4).U32(1, 1, 1, 0, 2, 0).Zeros(256))
	b.Stream(19, asm.At(0).U32(36, 1, 16, 16).U32(20, 1).U64(4).U32(7))
	b.Stream(21, asm.At(0).U16(1, 0).Zeros(488))
	b.Stream(22, asm.At(0).U16(2, 0).Zeros(148))
	b.Stream(10, asm.At(0).Text("comment")).Stream(11, asm.At(0).UTF16("comment"))
	b.Stream(0x47670002, asm.At(0).Zeros(776))
}

func addLinux(b *dump.Builder) {
	for kind, text := range []string{3: "model : x\n", 4: "Pid:\t1\n", 5: "ID=x\n", 6: "/bin/app\x00-x\x00", 7: "A=b\x00", 9: "1-2 rwxp 0 00:00 0 x\n"} {
		if text != "" {
			b.Stream(0x47670000+uint32(kind), asm.At(0).Text(text))
		}
	}
	for _, kind := range []uint32{0x4767000b, 0x4767000c, 0x4767000d} {
		b.Stream(kind, asm.At(0).Text("1 2 3\n"))
	}
	b.Stream(0x47670008, asm.At(0).U64(6, 4096, 0, 0))
	links := b.Extra(asm.At(0).U64(1).Ref32(b.Text("libc")).U32(0).U64(2))
	b.Stream(0x4767000a, asm.At(0).U32(1).Ref32(links).U32(1, 0).U64(1, 2, 3))
}

func addMozilla(b *dump.Builder) *dump.Builder {
	record := b.Extra(asm.At(0).U64(0, 5, 1, 2, 3).Text("a\x00b\x00c\x00d\x00e\x00"))
	b.Stream(0x4d7a0001, dump.Location(asm.At(0).U32(0, 1, 40), record).Zeros(8*19))
	b.Stream(0x4d7a0002, asm.At(0).U32(0).Ref(b.Text("-v")))
	b.Stream(0x4d7a0003, asm.At(0).Text("Max files  1  2  files\n"))
	b.Stream(0x4d7a0004, asm.At(0).Text("[]"))
	return b.Stream(0x4b6b0002, asm.At(0).U8(2<<3|2, 2, 3<<3, 1))
}

// TestEverything makes sure that the fixture of the tests below is sound.
func TestEverything(t *testing.T) {
	f := build(t, everything(t))
	for _, r := range readers {
		if r.kind == ThreadExListStream {
			continue
		}
		if !f.Has(r.kind) {
			t.Errorf("no %s", r.kind)
		}
		if _, _, err := r.read(f); err != nil {
			t.Errorf("%s: %v", r.kind, err)
		}
	}
}

// allowance is how many bytes reading everything in a file may allocate,
// everything that is freed again included.
func allowance(data []byte) uint64 { return 64*uint64(len(data)) + 64<<10 }

// TestTruncatedEverywhere cuts the file after every byte.
func TestTruncatedEverywhere(t *testing.T) {
	data := everything(t).Build(t)
	for n := range data {
		if used := allocatedBy(func() { readAll(t, data[:n:n]) }); used > allowance(data[:n]) {
			t.Fatalf("cut to %d bytes: %d bytes allocated", n, used)
		}
	}
}

// TestTruncatedStreams gives each stream each size up to its own.
func TestTruncatedStreams(t *testing.T) {
	data := everything(t).Build(t)
	count := int(binary.LittleEndian.Uint32(data[8:]))
	for i := range count {
		at := data[32+12*i+4:]
		size := binary.LittleEndian.Uint32(at)
		for n := range size {
			binary.LittleEndian.PutUint32(at, n)
			readAll(t, data)
		}
		binary.LittleEndian.PutUint32(at, size)
	}
}

// TestLies replaces every word of the file by the numbers that break readers.
func TestLies(t *testing.T) {
	data := everything(t).Build(t)
	for at := 8; at+4 <= len(data); at += 4 {
		old := binary.LittleEndian.Uint32(data[at:])
		for _, lie := range []uint32{0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff} {
			binary.LittleEndian.PutUint32(data[at:], lie)
			if used := allocatedBy(func() { readAll(t, data) }); used > allowance(data) {
				t.Fatalf("%#x at %#x: %d bytes allocated for a file of %d", lie, at, used, len(data))
			}
		}
		binary.LittleEndian.PutUint32(data[at:], old)
	}
}

// FuzzOpen reads everything in any file.
func FuzzOpen(f *testing.F) {
	f.Add([]byte("MDMP"))
	f.Add(everything(f).Build(f))
	f.Add(dump.New().BigEndian().Breakpad(1, 2).Thread(dump.Thread{ID: 1, Stack: []byte("x")}).Build(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		used := allocatedBy(func() { readAll(t, data) })
		if used > 4*allowance(data) {
			t.Errorf("%d bytes allocated for a file of %d", used, len(data))
		}
	})
}

// FuzzStream reads one stream of any kind with any contents, in either order.
func FuzzStream(f *testing.F) {
	whole := everything(f).Build(f)
	file, err := Open(source(whole))
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range file.Streams() {
		body, _ := file.Bytes("seed", s.Location)
		f.Add(uint32(s.Type), false, body)
		f.Add(uint32(s.Type), true, body)
	}
	f.Fuzz(func(t *testing.T, kind uint32, big bool, body []byte) {
		b := dump.New()
		if big {
			b.BigEndian()
		}
		readAll(t, b.Stream(kind, asm.At(0).Bytes(body)).Build(t))
	})
}

// FuzzContext decodes any bytes as a context of any processor.
func FuzzContext(f *testing.F) {
	for _, p := range []uint16{dump.X86, dump.AMD64, dump.ARM, dump.ARM64, dump.ARM64Old, dump.MIPS, dump.PPC64, dump.SPARC, dump.RISCV64} {
		f.Add(p, dump.New().Context(f, p, nil))
	}
	f.Fuzz(func(t *testing.T, processor uint16, data []byte) {
		ctx, err := DecodeContext(data, binary.LittleEndian, &SystemInfo{Processor: Processor(processor)})
		if (err == nil) != (ctx.Arch != nil) {
			t.Errorf("arch %v, error %v", ctx.Arch, err)
		}
		if 4*count(ctx.Regs) > len(data) {
			t.Errorf("%d registers out of %d bytes", count(ctx.Regs), len(data))
		}
	})
}

// FuzzOverlay checks that spans come out disjoint and cover the same addresses.
func FuzzOverlay(f *testing.F) {
	f.Add([]byte{0, 255, 5, 7, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		var spans []span
		var covered [256]bool
		for ; len(data) >= 2; data = data[2:] {
			s := span{uint64(min(data[0], data[1])), uint64(max(data[0], data[1])), 0}
			spans = append(spans, s)
			for a := s.base; a <= s.last; a++ {
				covered[a] = true
			}
		}
		var got [256]bool
		for _, s := range overlay(spans) {
			for a := s.base; a <= s.last; a++ {
				if got[a] {
					t.Fatalf("%d is covered twice", a)
				}
				got[a] = true
			}
		}
		if got != covered {
			t.Errorf("other addresses are covered")
		}
	})
}
