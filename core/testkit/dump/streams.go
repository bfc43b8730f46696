package dump

import "crashglass/core/testkit/asm"

// Processor numbers, PROCESSOR_ARCHITECTURE_* of winnt.h and MD_CPU_* of Breakpad.
const (
	X86      = 0
	MIPS     = 1
	PPC      = 3
	ARM      = 5
	AMD64    = 9
	ARM64    = 12
	SPARC    = 0x8001
	PPC64    = 0x8002
	ARM64Old = 0x8003
	MIPS64   = 0x8004
	RISCV    = 0x8005
	RISCV64  = 0x8006
)

// Operating system numbers, VER_PLATFORM_* of winnt.h and MD_OS_* of Breakpad.
const (
	Windows = 2
	Mac     = 0x8101
	IOS     = 0x8102
	Linux   = 0x8201
	Solaris = 0x8202
	Android = 0x8203
)

// A list is a stream that starts with a count.
type list struct {
	count uint32
	body  *asm.Section
}

// list returns the list of a kind of stream, and adds it if it is new. header writes the bytes in
// front of the entries.
func (b *Builder) list(l **list, kind uint32, header func(s *asm.Section, n uint32)) *list {
	if *l == nil {
		made := &list{body: b.Section()}
		*l = made
		b.streams = append(b.streams, stream{kind: kind, body: func() *asm.Section {
			s := b.Section()
			header(s, made.count)
			return s.Append(made.body)
		}})
	}
	(*l).count++
	return *l
}

// counted is the header of most lists.
func counted(s *asm.Section, n uint32) { s.U32(n) }

// System adds a SystemInfo with version 10.0.19041.
func (b *Builder) System(processor uint16, platform uint32, csd string) *Builder {
	s := b.Section().
		U16(processor, 6, 0x1a05).U8(4, 1).
		U32(10, 0, 19041, platform).Ref32(b.Text(csd)).U16(0, 0).
		Text("GenuineIntel").U32(0, 0, 0)
	return b.Stream(7, s)
}

// A Thread is an entry of the thread list, and of the thread names.
type Thread struct {
	ID        uint32
	Name      string // left out of the names when ""
	TEB       uint64
	StackBase uint64
	Stack     []byte
	Context   []byte
}

// Thread adds a thread.
func (b *Builder) Thread(t Thread) *Builder {
	l := b.list(&b.threads, 3, counted)
	l.body.U32(t.ID, 0, 32, 0).U64(t.TEB).U64(t.StackBase)
	Location(l.body, b.blob(t.Stack))
	Location(l.body, b.blob(t.Context))
	if t.Name != "" {
		b.Name(t.ID, t.Name)
	}
	return b
}

// blob is Blob, but "" for no bytes.
func (b *Builder) blob(data []byte) string {
	if len(data) == 0 {
		return ""
	}
	return b.Blob(data)
}

// Name adds an entry to the thread names.
func (b *Builder) Name(id uint32, name string) *Builder {
	b.list(&b.names, 24, counted).body.U32(id).Ref(b.Text(name))
	return b
}

// A Module is an entry of the module list.
type Module struct {
	Base     uint64
	Size     uint32
	Name     string
	Stamp    uint32
	Version  [4]uint32 // file version and product version; no version info when all are 0
	CodeView []byte
}

// Module adds a module.
func (b *Builder) Module(m Module) *Builder {
	l := b.list(&b.modules, 4, counted)
	l.body.U64(m.Base).U32(m.Size, 0, m.Stamp).Ref32(b.Text(m.Name))
	if m.Version == [4]uint32{} {
		l.body.Zeros(52)
	} else {
		l.body.U32(0xfeef04bd, 0x10000).U32(m.Version[:]...).Zeros(28)
	}
	Location(l.body, b.blob(m.CodeView)).U32(0, 0).U64(0, 0)
	return b
}

// PDB70 is a CodeView record with a GUID, an age and a file name.
func (b *Builder) PDB70(guid [16]byte, age uint32, file string) []byte {
	data := append([]byte("RSDS"), guid[:]...)
	var le = []byte{byte(age), byte(age >> 8), byte(age >> 16), byte(age >> 24)}
	if b.big {
		data[0], data[1], data[2], data[3] = 'S', 'D', 'S', 'R'
		le = []byte{byte(age >> 24), byte(age >> 16), byte(age >> 8), byte(age)}
	}
	data = append(data, le...)
	return append(append(data, file...), 0)
}

// BuildID is a CodeView record with the build id of an ELF, little-endian.
func BuildID(id ...byte) []byte { return append([]byte("LEpB"), id...) }

// Unloaded adds an unloaded module.
func (b *Builder) Unloaded(m Module) *Builder {
	l := b.list(&b.unloaded, 14, func(s *asm.Section, n uint32) { s.U32(12, 24, n) })
	l.body.U64(m.Base).U32(m.Size, 0, m.Stamp).Ref32(b.Text(m.Name))
	return b
}

// Memory adds a range to the memory list.
func (b *Builder) Memory(base uint64, data []byte) *Builder {
	l := b.list(&b.memory, 5, counted)
	l.body.U64(base)
	Location(l.body, b.Blob(data))
	return b
}

// Memory64 adds a range to the 64-bit memory list.
func (b *Builder) Memory64(base uint64, data []byte) *Builder {
	if b.memory64 == nil {
		// The ranges lie one after the other, so they are one extra.
		b.pool = b.Section().Mark("memory64")
		b.extra = append(b.extra, b.pool)
	}
	l := b.list(&b.memory64, 9, func(s *asm.Section, n uint32) { s.U64(uint64(n)).Ref("memory64") })
	l.body.U64(base, uint64(len(data)))
	b.pool.Bytes(data)
	return b
}

// An Exception is an exception stream.
type Exception struct {
	Thread      uint32
	Code, Flags uint32
	Address     uint64
	Parameters  []uint64
	Context     []byte
}

// Exception adds an exception stream.
func (b *Builder) Exception(e Exception) *Builder {
	s := b.Section().U32(e.Thread, 0, e.Code, e.Flags).U64(0, e.Address).U32(uint32(len(e.Parameters)), 0).
		U64(e.Parameters...).Zeros(8 * (15 - len(e.Parameters)))
	return b.Stream(6, Location(s, b.blob(e.Context)))
}

// Breakpad adds a BreakpadInfo that names both threads.
func (b *Builder) Breakpad(dumpThread, requestingThread uint32) *Builder {
	return b.Stream(0x47670001, b.Section().U32(3, dumpThread, requestingThread))
}

// Misc adds a MiscInfo of the first version with a process id and times.
func (b *Builder) Misc(pid, createTime uint32) *Builder {
	return b.Stream(15, b.Section().U32(24, 3, pid, createTime, 0, 0))
}
