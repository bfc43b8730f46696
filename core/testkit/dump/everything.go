package dump

import (
	"testing"

	"crashglass/core/testkit/asm"
)

var someGUID = [16]byte{0x67, 0x45, 0x23, 0x01, 0xab, 0x89, 0xef, 0xcd, 1, 2, 3, 4, 5, 6, 7, 0xa8}

// Everything is a dump with one stream of each kind, damage-free.
func Everything(t testing.TB) *Builder {
	b := New().System(AMD64, Linux, "Linux 6.1.0 #1 SMP x86_64")
	b.Thread(Thread{ID: 1, Name: "main", StackBase: 0x7000, Stack: make([]byte, 32), Context: b.Context(t, AMD64, nil)})
	b.Module(Module{Base: 0x400000, Size: 0x1000, Name: "/bin/app", Version: [4]uint32{1, 2, 3, 4}, CodeView: BuildID(1, 2, 3)})
	b.Module(Module{Base: 0x500000, Size: 0x1000, Name: "/lib/x", CodeView: b.PDB70(someGUID, 1, "x.pdb")})
	b.Unloaded(Module{Base: 0x600000, Size: 0x1000, Name: "gone"})
	b.Exception(Exception{Thread: 1, Code: 11, Address: 8, Parameters: []uint64{1, 2}})
	b.Stream(0x4347_0002, asm.At(0).U8(0, 4)) // of the signature
	b.Memory(0x1000, []byte("memory")).Memory64(0x2000, []byte("more memory"))
	b.Breakpad(1, 2)
	b.Stream(15, MiscInfo(0x3f7))
	addWindows(b)
	addLinux(b)
	return addMozilla(Crashpad(b, true))
}

func addWindows(b *Builder) {
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

func addLinux(b *Builder) {
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

func addMozilla(b *Builder) *Builder {
	record := b.Extra(asm.At(0).U64(0, 5, 1, 2, 3).Text("a\x00b\x00c\x00d\x00e\x00"))
	b.Stream(0x4d7a0001, Location(asm.At(0).U32(0, 1, 40), record).Zeros(8*19))
	b.Stream(0x4d7a0002, asm.At(0).U32(0).Ref(b.Text("-v")))
	b.Stream(0x4d7a0003, asm.At(0).Text("Max files  1  2  files\n"))
	b.Stream(0x4d7a0004, asm.At(0).Text("[]"))
	b.Stream(0x43470001, asm.At(0).U32(1, 1, 202))
	return b.Stream(0x4b6b0002, asm.At(0).U8(2<<3|2, 2, 3<<3, 1))
}

// bytesAt adds a MinidumpByteArray.
func bytesAt(b *Builder, data string) string {
	return b.Extra(asm.At(0).U32(uint32(len(data))).Text(data))
}

// Crashpad adds a CrashpadInfo with annotations of every kind; with an address
// mask, which newer writers append, when extra is set.
func Crashpad(b *Builder, extra bool) *Builder {
	simple := b.Extra(asm.At(0).U32(2).Ref32(b.UTF8("prod")).Ref32(b.UTF8("Chrome")).Ref32(b.UTF8("ver")).Ref32(b.UTF8("1.0")))
	list := b.Extra(asm.At(0).U32(2).Ref32(b.UTF8("abort: why")).Ref32(b.UTF8("")))
	objects := b.Extra(asm.At(0).U32(3).
		Ref32(b.UTF8("url")).U16(1, 0).Ref32(bytesAt(b, "https://x")).
		Ref32(b.UTF8("blob")).U16(0x8001, 0).Ref32(bytesAt(b, "\x01\x00\xff")).
		Ref32(b.UTF8("nothing")).U16(1, 0).U32(0))
	module := asm.At(0).U32(1)
	for _, part := range []string{list, simple, objects} {
		Location(module, part)
	}
	label := b.Extra(module)
	links := b.Extra(Location(asm.At(0).U32(1).U32(3), label))

	s := asm.At(0).U32(1).U32(0x01234567).U16(0x89ab, 0xcdef).U8(1, 2, 3, 4, 5, 6, 7, 8).Zeros(16)
	Location(s, simple)
	Location(s, links)
	if extra {
		s.U32(0).U64(0x00ff_ffff_ffff_ffff)
	}
	return b.Stream(0x43500001, s)
}

// Fixed appends text in an array of UTF-16 units.
func Fixed(s *asm.Section, text string, units int) *asm.Section {
	at := s.Here()
	s.UTF16(text)
	return s.Zeros(2*units - int(s.Here()-at))
}

// MiscInfo is a stream of version 5, with the given flags.
func MiscInfo(flags uint32) *asm.Section {
	s := asm.At(0).U32(1364, flags, 42, 1000, 20, 30) // 1
	s.U32(3000, 2900, 3100, 2, 1)                     // 2
	s.U32(0x2000, 13, 1)                              // 3, and its time zone
	s.U32(2, 0xffff_ffc4)
	Fixed(s, "CET", 32).U16(0, 10, 0, 5, 3, 0, 0, 0).U32(0)
	Fixed(s, "CEST", 32).U16(0, 3, 0, 5, 2, 0, 0, 0).U32(0xffff_ffc4)
	Fixed(s, "ntkrnlmp.exe", 260) // 4
	Fixed(s, "dbghelp.amd64,10.0", 40)
	s.U32(528, 2688).U64(7) // 5
	for i := range uint32(64) {
		s.U32(i, i+1)
	}
	return s.U32(0xc00c1e)
}
