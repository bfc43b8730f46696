package macho

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
)

// useAll asks everything of a file, and checks what has to hold for any bytes.
func useAll(t *testing.T, data []byte) {
	t.Helper()
	files, err := OpenAll(source(data), Options{})
	if err != nil {
		if !strings.HasPrefix(err.Error(), "macho: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %q", err)
		}
		return
	}
	for _, f := range files {
		var p [64]byte
		for _, rel := range []uint64{0, 0x1000, 0x1004, 0x1018, 0x1021, 0x1036, 0x1042, 0x1803, 0x1c10, 0x2010, 1 << 40, ^uint64(0)} {
			loc, ok := f.Locate(rel)
			if ok && (loc.Function == "" || loc.Start > rel) {
				t.Errorf("%#x: %+v", rel, loc)
			}
			if cf, ok := f.CallFrame(rel); ok && (cf.Start > rel || rel-cf.Start >= cf.Size || len(cf.Rules) < 2) {
				t.Errorf("%#x: %+v", rel, cf)
			}
			f.ReadImage(rel, p[:])
		}
		_ = f.EachFunction(func(*symbolize.Function) error { return nil })
		_ = f.EachPublic(func(symbolize.Public) error { return nil })
		tables := 0
		_ = f.EachCallFrame(func(c *unwind.CallFrameTable) error { tables++; return nil })
		if tables > len(data) {
			t.Errorf("%d tables out of %d bytes", tables, len(data))
		}
		for _, note := range f.Notes() {
			if strings.Contains(note, "\n") || note == "" {
				t.Errorf("note %q", note)
			}
		}
	}
}

// Every file that is cut off, and every one with a byte changed in what it
// says of itself, gives an answer.
func TestDamage(t *testing.T) {
	m := someImage(t)
	m.dylib = "libx.dylib"
	image := m.build(t)
	begin := time.Now()
	for n := 0; n < len(image); n += 1 + n/64 {
		useAll(t, image[:n])
	}
	interesting := []int{}
	for i := range 0x3100 {
		if i < 0x3a0 || i >= 0x1000 && i < 0x1060 || i >= 0x2000 && i < 0x2060 || i >= 0x3000 {
			interesting = append(interesting, i)
		}
	}
	for _, i := range interesting {
		for _, v := range []byte{0, 0x7f, 0xff, image[i] ^ 1} {
			old := image[i]
			image[i] = v
			useAll(t, image)
			image[i] = old
		}
	}
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

// A load command that says less than it needs, or more than there is, is noted.
func TestDamagedCommands(t *testing.T) {
	image := someImage(t).build(t)
	for _, tt := range []struct {
		name string
		at   int
		v    uint32
		note string
	}{
		{"all commands too long", 20, 1 << 30, "macho: load commands at 0x20: 1073741824 bytes, the file has 16352"},
		{"a command too long", 36 + 392, 1 << 20, "macho: load command 1 at 0x1a8: 1048576 bytes, there are 136"},
		{"a command too short", 36 + 392, 4, "macho: load command 1 at 0x1a8: 4 bytes, there are 136"},
		{"more sections than there are", 96, 9, "macho: segment __TEXT at 0x1a8: 9 sections do not fit its command"},
		{"symbols beyond the end", 0x20 + 392 + 72 + 24 + 12, 1 << 20, "macho: symbol table at 0x3000: 16777216 bytes, the file has 4096"},
		{"symbols outside", 0x20 + 392 + 72 + 24 + 8, 1 << 30, "macho: symbol table: offset 0x40000000 lies beyond the end of the file of 16384 bytes"},
	} {
		data := append([]byte(nil), image...)
		binary.LittleEndian.PutUint32(data[tt.at:], tt.v)
		f, err := Open(source(data), Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		f.names()
		if notes := f.Notes(); len(notes) != 1 || notes[0] != tt.note {
			t.Errorf("%s: notes %q, want %q", tt.name, notes, tt.note)
		}
	}
}

func FuzzFile(f *testing.F) {
	f.Add(someImage(f).build(f)[:0x30a0])
	f.Add(fat(f, false, &testImage{cpu: cpuARM64, kind: 2})[:0x1400])
	f.Fuzz(useAll)
}

func FuzzUnwindInfo(f *testing.F) {
	f.Add(twoPages().Build(f), uint32(0x0101_0001))
	f.Fuzz(func(t *testing.T, data []byte, encoding uint32) {
		if len(data) > 0x1000 {
			return
		}
		c, _ := readUnwindInfo(t, data)
		for i, e := range c.entries {
			if i > 0 && e.start < c.entries[i-1].start {
				t.Fatalf("%x is not in order", c.entries)
			}
		}
		for _, cpu := range []cpuFrames{&intelAMD64, &intelX86, armFrames{}} {
			fr, ok := cpu.body(encoding, data)
			if !ok {
				continue
			}
			for _, s := range fr.saved {
				if s.at >= 0 {
					t.Errorf("%#x: %+v", encoding, fr)
				}
			}
		}
	})
}

// TestManySections has a segment that says it has four billion sections, in a
// file that ends inside of the first.
func TestManySections(t *testing.T) {
	s := asm.At(0).U32(magic64, cpuAMD64, 3, 6, 1, 72+44, 0, 0).
		U32(cmdSegment64, 72+44)
	name16(s, "__TEXT")
	data := s.U64(testBase, 0x1000, 0, 0x1000).U32(7, 5, 1<<32-1, 0).Zeros(44).Build(t)
	f, err := Open(source(data), Options{})
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(f.Notes(), "\n")
	if len(f.sects) != 0 || !strings.Contains(notes, "macho: load command at 0x90: need 8 bytes, have 4") {
		t.Errorf("%d sections, %s", len(f.sects), notes)
	}
}
