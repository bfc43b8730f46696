package pe

import (
	"bytes"
	"slices"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/machine/postfix"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
)

// Where the sections of test images are.
const (
	text  = 0x1000
	xdata = 0x2000
	pdata = 0x3000
	edata = 0x4000
	rdata = 0x5000
	top   = 0x8000
)

// Section flags in words.
const (
	code     = 0x6000_0020
	readOnly = 0x4000_0040
	writable = 0xc000_0040
)

// An image is a PE file under construction.
type image struct {
	machine  uint16
	wide     bool
	stamp    uint32
	dirs     map[int][2]uint32
	sections []part
	tail     []byte // behind the sections
	symbols  uint32 // in the tail
}

// A part is a section: its name as it is in the header, and its bytes.
type part struct {
	name  string
	flags uint32
	rva   uint32
	data  []byte
}

func newImage(machine uint16) *image {
	return &image{machine: machine, wide: machine != machineI386, stamp: 0x5ddc1e99, dirs: map[int][2]uint32{}}
}

func (im *image) section(t testing.TB, name string, flags uint32, s *asm.Section) *image {
	im.sections = append(im.sections, part{name, flags, uint32(s.Base()), s.Build(t)})
	return im
}

func (im *image) dir(i int, rva, size uint32) *image {
	im.dirs[i] = [2]uint32{rva, size}
	return im
}

// build writes the file: headers in the first 0x400 bytes, each section at a
// multiple of 0x200 behind them.
func (im *image) build(t testing.TB) []byte {
	t.Helper()
	off := uint32(0x400)
	table := asm.At(0)
	for _, p := range im.sections {
		raw := (uint32(len(p.data)) + 0x1ff) &^ 0x1ff
		name := append([]byte(p.name), make([]byte, 8-len(p.name))...)
		table.Bytes(name).U32(uint32(len(p.data)), p.rva, raw, off).Zeros(12).U32(p.flags)
		off += raw
	}
	count, at := im.symbols, off
	if count == 0 {
		at = 0
	}
	optional := im.optional(t)
	s := asm.At(0).U16(0x5a4d).Zeros(0x3a).U32(0x80).Zeros(0x40).
		U32(0x4550).U16(im.machine, uint16(len(im.sections))).U32(im.stamp, at, count).
		U16(uint16(len(optional)), 0x22).Bytes(optional).Bytes(table.Build(t))
	s.Zeros(0x400 - int(s.Here()))
	for _, p := range im.sections {
		s.Bytes(p.data).Zeros(-len(p.data) & 0x1ff)
	}
	return s.Bytes(im.tail).Build(t)
}

func (im *image) optional(t testing.TB) []byte {
	s := asm.At(0)
	if im.wide {
		s.U16(0x20b).Zeros(22).U64(0x1_8000_0000)
	} else {
		s.U16(0x10b).Zeros(26).U32(0x40_0000)
	}
	s.U32(0x1000, 0x200).Zeros(16).U32(top, 0x400)
	if im.wide {
		s.Zeros(44)
	} else {
		s.Zeros(28)
	}
	s.U32(16)
	for i := range 16 {
		s.U32(im.dirs[i][0], im.dirs[i][1])
	}
	return s.Build(t)
}

func source(data []byte) bin.Source { return bin.NewSource(bytes.NewReader(data), int64(len(data))) }

func open(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := Open(source(data), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A fake is a processor and its memory, in which tests run code by hand.
type fake struct {
	regs map[string]uint64
	mem  map[uint64]uint64
}

func (f *fake) Get(name string) (uint64, bool) { v, ok := f.regs[name]; return v, ok }
func (f *fake) Set(string, uint64)             {}
func (f *fake) Word(a uint64) (uint64, bool)   { v, ok := f.mem[a]; return v, ok }

// caller evaluates rules: the registers of the caller, by name, and .cfa and .ra.
func (f *fake) caller(t testing.TB, rules []unwind.Rule) map[string]uint64 {
	t.Helper()
	env := &fake{regs: map[string]uint64{}, mem: f.mem}
	for k, v := range f.regs {
		env.regs[k] = v
	}
	m := postfix.Machine{Env: env, Size: 8}
	out := map[string]uint64{}
	for _, r := range rules { // .cfa is the first
		v, err := m.Value(r.Text())
		if err != nil {
			t.Errorf("%s: %s: %v", r.Reg, r.Text(), err)
			continue
		}
		out[r.Reg] = v
		if r.Reg == ".cfa" {
			env.regs[".cfa"] = v
		}
	}
	return out
}

// tables lists everything a file tells of unwinding.
func tables(t testing.TB, f *File) (out []*unwind.CallFrameTable) {
	t.Helper()
	err := f.EachCallFrame(func(table *unwind.CallFrameTable) error {
		copied := *table
		copied.Rules, copied.Rows = slices.Clone(table.Rules), slices.Clone(table.Rows)
		out = append(out, &copied)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// rulesIn are the rules that a table has at an address.
func rulesIn(table *unwind.CallFrameTable, rel uint64) []unwind.Rule {
	rules := slices.Clone(table.Rules)
	for _, row := range table.Rows {
		if row.Addr > rel {
			break
		}
		for _, r := range row.Rules {
			i := slices.IndexFunc(rules, func(o unwind.Rule) bool { return o.Reg == r.Reg })
			if i < 0 {
				rules = append(rules, r)
			} else {
				rules[i] = r
			}
		}
	}
	return rules
}
