package minidump

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
	"crashglass/core/testkit/sample"
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
	list(ThreadCallsStream, 8, (*File).ThreadCalls),
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

// everything is an undamaged dump with one stream of each kind.
func everything(t testing.TB) *dump.Builder { return dump.Everything(t) }

// TestEverything checks the fixture of the tests below.
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
	for n := 0; n < len(data); n += sample.Step() {
		if used := expect.Allocated(func() { readAll(t, data[:n:n]) }); used > allowance(data[:n]) {
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
		for n := uint32(0); n < size; n += uint32(sample.Step()) {
			binary.LittleEndian.PutUint32(at, n)
			readAll(t, data)
		}
		binary.LittleEndian.PutUint32(at, size)
	}
}

// TestLies replaces every word of the file by the numbers that break readers.
func TestLies(t *testing.T) {
	data := everything(t).Build(t)
	for at := 8; at+4 <= len(data); at += 4 * sample.Step() {
		old := binary.LittleEndian.Uint32(data[at:])
		for _, lie := range []uint32{0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff} {
			binary.LittleEndian.PutUint32(data[at:], lie)
			if used := expect.Allocated(func() { readAll(t, data) }); used > allowance(data) {
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
		used := expect.Allocated(func() { readAll(t, data) })
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
		data := b.Stream(kind, asm.At(0).Bytes(body)).Build(t)
		readAll(t, data)
		f, err := Open(source(data))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Decode(StreamType(kind)); errors.Is(err, ErrNoStream) {
			t.Errorf("stream %#x is listed, and not found", kind)
		}
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
