package pe

import (
	"bytes"
	"io"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/expect"
)

// atBase is 4 GB of memory of which only the first bytes are captured.
func atBase(captured []byte) bin.Source { return bin.NewSource(bytes.NewReader(captured), 1<<32) }

// TestFunctionTableIsLimited reads tables at their limits: rules are about code of an entry alone, whose record is in captured memory.
func TestFunctionTableIsLimited(t *testing.T) {
	record := asm.At(0).U8(1, 4, 1, 0, 4, 0x32).Build(t) // sub rsp, 0x20, at the end of what is captured
	for _, c := range []struct {
		name    string
		arch    *cpu.Arch
		entries *asm.Section
		covered map[uint64]bool // addresses in an entry, and whether they have rules
	}{
		{"a record at the end of the memory", &cpu.AMD64, asm.At(0).U32(0x1000, 0x1040, 0), map[uint64]bool{0x1000: true, 0x103f: true}},
		{"a record that is cut off", &cpu.AMD64, asm.At(0).U32(0x1000, 0x1040, 4), map[uint64]bool{0x1000: false}},
		{"a record behind the memory", &cpu.AMD64, asm.At(0).U32(0x1000, 0x1040, 0xffff_fff0), map[uint64]bool{0x1000: false}},
		{"an entry that ends before it begins", &cpu.AMD64, asm.At(0).U32(0x1040, 0x1000, 0), nil},
		{"the last addresses", &cpu.AMD64, asm.At(0).U32(0xffff_ff00, 0xffff_ffff, 0), map[uint64]bool{0xffff_fffe: true}},
		{"one entry and a part of one", &cpu.AMD64, asm.At(0).U32(0x1000, 0x1040, 0, 0x2000, 0x2040), map[uint64]bool{0x1000: true}},
		{"less than an entry", &cpu.AMD64, asm.At(0).U32(0x1000, 0x1040), nil},
		{"records that differ", &cpu.AMD64, asm.At(0).U32(0x1000, 0x1040, 0, 0x1000, 0x1040, 4), nil},
		{"an entry that points to itself", &cpu.AMD64, asm.At(0).U32(0x1000, 0x1040, 1), map[uint64]bool{0x1000: false}},
		{"arm64: a record behind the memory", &cpu.ARM64, asm.At(0).U32(0x1000, 0x8000), nil},
		{"arm64: reserved", &cpu.ARM64, asm.At(0).U32(0x1000, 3), nil},
		{"another CPU", &cpu.X86, asm.At(0).U32(0x1000, 0x1040, 0), nil},
		{"nothing", &cpu.AMD64, asm.At(0), nil},
	} {
		rules := FunctionTable(atBase(record), c.arch, c.entries.Build(t))
		for _, rel := range []uint64{0, 0xfff, 0x1000, 0x1040 - 1, 0x1040, 0x2000, 0xffff_fffe, 0xffff_ffff, 1<<32 + 0x1000, ^uint64(0)} {
			covers, ok := false, false
			if rules != nil {
				covers = rules.Covers(rel)
				_, ok = rules.CallFrame(rel)
			}
			want, covered := c.covered[rel]
			if covered && (!covers || ok != want) {
				t.Errorf("%s: %#x is covered: %t, with rules: %t, want rules: %t", c.name, rel, covers, ok, want)
			}
			if ok && !covers {
				t.Errorf("%s: %#x has rules of no entry", c.name, rel)
			}
			if len(c.covered) == 0 && covers {
				t.Errorf("%s: %#x is covered", c.name, rel)
			}
		}
	}
}

// FuzzFunctionTable reads any table, and any records.
func FuzzFunctionTable(f *testing.F) {
	records := asm.At(0).U8(1, 5, 2, 0, 5, 0x32, 1, 0x30).Zeros(8).U8(0x21, 0, 0, 0).U32(0x1000, 0x1040, 0)
	f.Add(asm.At(0).U32(0x1000, 0x1040, 0, 0x1040, 0x1100, 0x10).Build(f), records.Build(f), false)
	f.Add(asm.At(0).U32(0x1000, 1|0x40/4<<2|1<<16|3<<21|0x30/16<<23, 0x1100, 0).Build(f), asm.At(0).U32(0x100/4|1<<21|1<<27).U8(0x81, 0xe4, 0xe3, 0xe3).Build(f), true)
	f.Fuzz(func(t *testing.T, entries, memory []byte, arm bool) {
		arch := &cpu.AMD64
		if arm {
			arch = &cpu.ARM64
		}
		rules := FunctionTable(atBase(memory), arch, entries)
		for at := 0; rules != nil && at+8 <= min(len(entries), 1<<10); at += 4 {
			checkEntries(t, rules, uint64(entries[at])|uint64(entries[at+1])<<8|uint64(entries[at+2])<<16|uint64(entries[at+3])<<24)
		}
	})
}

// checkEntries checks what rules say around an address.
func checkEntries(t *testing.T, rules unwind.EntryRules, at uint64) {
	for _, rel := range []uint64{at - 1, at, at + 7, at + 1<<32} {
		cf, ok := rules.CallFrame(rel)
		if ok && (!rules.Covers(rel) || rel-cf.Start >= cf.Size) {
			t.Errorf("%#x: rules of %d bytes at %#x", rel, cf.Size, cf.Start)
		}
		if _, named := rules.Function(rel); named || rules.HasNames() || rules.HasCode() {
			t.Errorf("%#x has a name", rel)
		}
	}
}

// TestMappedSizes reads an image in memory that states a directory of gigabytes, of which little is captured.
func TestMappedSizes(t *testing.T) {
	im := newImage(machineAMD64).dir(dirException, pdata, 0xf000_0000).
		section(t, ".text", code, asm.At(text).Zeros(0x100)).
		section(t, ".pdata", readOnly, asm.At(pdata).U32(text, text+0x40, xdata))
	data := im.build(t)
	at := bytes.Index(data, []byte(".pdata\x00\x00"))
	copy(data[at+8:], []byte{0, 0, 0, 0xf1})
	image := append(data[:0x400:0x400], make([]byte, pdata-0x400)...)
	image = append(image, asm.At(0).U32(text, text+0x40, xdata).Build(t)...)
	var f *File
	used := expect.Allocated(func() {
		var err error
		if f, err = Open(bin.NewSource(io.NewSectionReader(bytes.NewReader(image), 0, 1<<40), 1<<32), Options{Mapped: true}); err != nil {
			t.Fatal(err)
		}
		f.HasRules()
	})
	if n := len(f.functions().entries); n != 1 || used > 8<<20 {
		t.Errorf("%d entries, %d bytes", n, used)
	}
}
