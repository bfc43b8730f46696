package bomb

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// A control character takes one byte in a dump and six in JSON.
const control = "\x01"

// base is a process of one thread that crashed, with two frames on its stack.
func base(t testing.TB) *dump.Builder {
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	stack := asm.At(0x7fff_0000).U64(0, 0, 0x7fff_0020, 0x40_0220, 0, 0)
	context := b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x40_0118, "rsp": 0x7fff_0000, "rbp": 0x7fff_0010})
	b.Thread(dump.Thread{ID: 7, Name: "main", StackBase: 0x7fff_0000, Stack: stack.Build(t), Context: context})
	b.Module(dump.Module{Base: 0x40_0000, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(buildID...)})
	return b.Exception(dump.Exception{Thread: 7, Code: 11, Flags: 1, Address: 0x8, Context: context})
}

// buildID is the program's build ID in every dump, and debugID its debug ID.
var buildID = []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}

const debugID = "0403020106050807090A0B0C0D0E0F100"

// repeat is a section of n records: record writes the i-th one.
func repeat(s *asm.Section, n int, record func(s *asm.Section, i int)) *asm.Section {
	for i := range n {
		record(s, i)
	}
	return s
}

// dumps are the bombs that need no symbols. The numbers are types of streams and sizes of records.
//
// Source: minidumpapiset.h; Breakpad's minidump_format.h for 0x4767...., Crashpad's
// minidump_extensions.h for 0x4350.....
func dumps(t testing.TB) []Bomb {
	made := []struct {
		name string
		add  func(b *dump.Builder)
	}{
		// 5,000 modules share one name of 40 KB.
		{"module-names", func(b *dump.Builder) { Shapes[0](b, 5000, "/opt/"+strings.Repeat("x", 20000)) }},
		// Every copy of the name takes six times its bytes in JSON.
		{"module-names-short", func(b *dump.Builder) { Shapes[0](b, 20000, strings.Repeat(control, 250)) }},
		// The same for unloaded modules.
		{"unloaded-names", func(b *dump.Builder) { Shapes[1](b, 40000, strings.Repeat(control, 250)) }},
		// Key and value of 60,000 annotations are one text.
		{"annotations-short", func(b *dump.Builder) { Shapes[2](b, 60000, strings.Repeat(control, 250)) }},
		// Type and object of 30,000 handles are one text.
		{"handles", func(b *dump.Builder) { Shapes[3](b, 30000, strings.Repeat(control, 250)) }},
		// 10,000 threads share one name.
		{"thread-names", func(b *dump.Builder) { Shapes[4](b, 10000, strings.Repeat(control, 250)) }},
		// 20,000 modules contain each address.
		{"modules-overlapping", func(b *dump.Builder) {
			name := b.Text("/opt/" + strings.Repeat("x", 250))
			b.Stream(4, repeat(asm.At(0).U32(20000), 20000, func(s *asm.Section, i int) {
				s.U64(0x50_0000+uint64(i)).U32(0x7000_0000, 0, 0).Ref32(name).Zeros(52 + 16 + 16)
			}))
		}},
		// 20,000 modules share a list of 100 annotations.
		{"annotations-of-modules", func(b *dump.Builder) {
			text := b.UTF8(strings.Repeat(control, 250))
			list := b.Extra(repeat(asm.At(0).U32(100), 100, func(s *asm.Section, _ int) { s.Ref32(text) }))
			module := b.Extra(dump.Location(asm.At(0).U32(1), list).Zeros(16))
			links := b.Extra(repeat(asm.At(0).U32(20000), 20000, func(s *asm.Section, i int) { dump.Location(s.U32(uint32(i)), module) }))
			b.Stream(0x43500001, dump.Location(asm.At(0).U32(1).Zeros(32).U32(0, 0), links))
		}},
		// 20,000 threads share registers and the stack.
		{"threads-of-one-context", func(b *dump.Builder) {
			context := b.Blob(b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x40_0118, "rsp": 0x7fff_0000, "rbp": 0x7fff_0010}))
			b.Stream(3, repeat(asm.At(0).U32(20000), 20000, func(s *asm.Section, i int) {
				dump.Location(s.U32(uint32(i), 0, 0, 0).U64(0, 0x7fff_0000).U32(0, 0), context)
			}))
		}},
		// 20,000 scans of 1 MB.
		{"threads-that-scan-one-stack", func(b *dump.Builder) {
			context := b.Blob(b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x40_0118, "rsp": 0x8000_0000, "rbp": 1}))
			b.Memory(0x8000_0000, make([]byte, 1<<20))
			b.Stream(3, repeat(asm.At(0).U32(20000), 20000, func(s *asm.Section, i int) {
				dump.Location(s.U32(uint32(i), 0, 0, 0).U64(0, 0x8000_0000).U32(0, 0), context)
			}))
		}},
		// 30,000 ranges of memory share 64 KB of the file.
		{"memory-of-one-place", func(b *dump.Builder) {
			blob := b.Blob(make([]byte, 1<<16))
			b.Stream(5, repeat(asm.At(0).U32(30000), 30000, func(s *asm.Section, i int) {
				dump.Location(s.U64(0x9000_0000+uint64(i)<<16), blob)
			}))
		}},
		// 30,000 ranges of 64 KB contain each address.
		{"memory-overlapping", func(b *dump.Builder) {
			blob := b.Blob(make([]byte, 1<<16))
			b.Stream(5, repeat(asm.At(0).U32(30000), 30000, func(s *asm.Section, i int) {
				dump.Location(s.U64(0x9000_0000+uint64(i)), blob)
			}))
		}},
		// 100,000 regions of one page each.
		{"regions", func(b *dump.Builder) {
			b.Stream(16, repeat(asm.At(0).U32(16, 48).U64(100000), 100000, func(s *asm.Section, i int) {
				s.U64(0x9000_0000+uint64(i)<<12, 0x9000_0000).U32(4, 0).U64(0x1000).U32(0x1000, 4, 0x20000, 0)
			}))
		}},
		// 60,000 lines whose name is a control character.
		{"maps", func(b *dump.Builder) {
			s := asm.At(0)
			for i := range 60000 {
				s.Text(fmt.Sprintf("%x-%x rwxp 0 00:00 0 \x01\n", 0x9000_0000+i<<12, 0x9000_1000+i<<12))
			}
			b.Stream(0x47670009, s)
		}},
		// 12 MB, in which each byte has to be escaped.
		{"comment", func(b *dump.Builder) { b.Stream(10, asm.At(0).Text(strings.Repeat(control, 12<<20))) }},
		// Bytes that are not UTF-8, and control characters.
		{"environment", func(b *dump.Builder) {
			b.Stream(0x47670007, asm.At(0).Text(strings.Repeat(control, 6<<20)))
			b.Stream(0x47670006, asm.At(0).Text(strings.Repeat("\xff", 6<<20)))
		}},
		// 30,000 entries of the directory show the same 1 MB.
		{"entries-of-one-stream", func(b *dump.Builder) {
			for i := range 30000 {
				b.Entry(0x1000_0000+uint32(i), 1<<20, 0)
			}
		}},
		// Nine streams of text are the same 1 MB.
		{"entries-of-text", func(b *dump.Builder) {
			b.Stream(0xfacedead, asm.At(0).Text(strings.Repeat(control, 1<<20)))
			for _, kind := range []uint32{0xfacecafa, 0xfacecafb, 0xfacecafc, 0xfacecafd, 0xfacecafe, 0xfacecb00, 0xfacecccc, 0xfacee000, 0xface1ca7} {
				b.Entry(kind, 1<<20, 4096)
			}
		}},
		// 40 MB in rows of 16 bytes.
		{"memory-to-show", func(b *dump.Builder) { b.Memory(0x9000_0000, make([]byte, 40<<20)) }},
		// 100,000 frames.
		{"recursion", func(b *dump.Builder) { recursion(t, b, 100000) }},
		// 150,000 modules of one page each.
		{"many-modules", func(b *dump.Builder) {
			name := b.Text("/opt/m.so")
			b.Stream(4, repeat(asm.At(0).U32(150000), 150000, func(s *asm.Section, i int) {
				s.U64(0x5000_0000+uint64(i)<<12).U32(0x1000, 0, 0).Ref32(name).Zeros(52 + 16 + 16)
			}))
		}},
		// 40,000 records with a stack of 256 bytes each.
		{"handle-operations", func(b *dump.Builder) {
			b.Stream(18, repeat(asm.At(0).U32(16, 288, 40000, 0), 40000, func(s *asm.Section, i int) { s.U64(4).U32(1, 1, 1, 0, 32, 0).Zeros(256) }))
		}},
	}
	var all []Bomb
	for _, m := range made {
		b := base(t)
		m.add(b)
		all = append(all, Bomb{Name: m.name, Dump: b.Build(t)})
	}
	return append(all, Bomb{Name: "microdumps", Dump: Microdumps(5000)})
}

// recursion adds a stack of n frames that call each other.
func recursion(t testing.TB, b *dump.Builder, n int) {
	const at = 0xa000_0000
	stack := asm.At(at)
	for range n {
		stack.U64(stack.Here()+16, 0x40_0220)
	}
	b.Memory(at, stack.Build(t))
	b.Exception(dump.Exception{Thread: 7, Code: 11, Context: b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x40_0118, "rsp": at, "rbp": at})})
}

// recursed is a process that crashed in a recursion of n frames.
func recursed(t testing.TB, n int) []byte {
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	b.Module(dump.Module{Base: 0x40_0000, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(buildID...)})
	recursion(t, b, n)
	return b.Build(t)
}

// Microdumps is a log of n small microdumps. Each has a report of its own, so the reports are long.
func Microdumps(n int) []byte {
	var b strings.Builder
	for range n {
		b.WriteString("-----BEGIN BREAKPAD MICRODUMP-----\nV app:1\nO A x86 02 i686 x\nS 0 BF000000 BF000000 00000100\n")
		b.WriteString("S BF000000 " + strings.Repeat("00004000", 64) + "\n-----END BREAKPAD MICRODUMP-----\n")
	}
	return []byte(b.String())
}
