package pdb

import (
	"reflect"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

// infoHead is an info stream up to the named streams.
func infoHead(version uint32) *asm.Section {
	return asm.At(0).U32(version, 0, 7).Zeros(16)
}

func TestInfo(t *testing.T) {
	tests := []struct {
		name string
		in   *asm.Section
		want map[string]int
		mini bool
		ids  bool
		err  string
	}{
		{name: "no names", in: infoHead(20000404).U32(0, 0, 1, 0, 0), want: map[string]int{}},
		{name: "two names in buckets 1 and 33",
			in:   infoHead(20140508).U32(6).Text("/a\x00/b\x00").U32(2, 64, 2, 1<<1, 1<<1, 1, 9, 3, 12, 0, 13, 0, 20140508),
			want: map[string]int{"/a": 13, "/b": 12}, ids: true},
		{name: "linked with /DEBUG:FASTLINK", in: infoHead(20000404).U32(0, 0, 1, 0, 0, 0, 20140508).Text("MINI"), want: map[string]int{}, mini: true, ids: true},
		{name: "version 6.0", in: infoHead(19990604).U32(0, 0, 1, 0, 0),
			err: "PDB info stream at 0x0: version 19990604, the first with a GUID is 20000404"},
		{name: "cut in the GUID", in: asm.At(0).U32(20000404, 0, 7), err: "info at 0xc: need 16 bytes, have 0"},
		{name: "names that reach beyond the end", in: infoHead(20000404).U32(100), err: "info at 0x20: need 100 bytes, have 0", want: map[string]int{}},
		{name: "a count that lies", in: infoHead(20000404).U32(0, 3, 4, 1, 1, 0, 0, 5), want: map[string]int{},
			err: "info at 0x34: 3 named streams, 1 of them in the table"},
		{name: "buckets that reach beyond the end", in: infoHead(20000404).U32(0, 1, 4, 1<<31), want: map[string]int{},
			err: "info at 0x28: count 2147483648 exceeds stream size 44"},
		{name: "a name that is outside", in: infoHead(20000404).U32(0, 1, 4, 1, 1, 0, 55, 5), want: map[string]int{}},
	}
	for _, tt := range tests {
		in, err := parseInfo(bin.NewCursor("info", 0, tt.in.Build(t)))
		if !reflect.DeepEqual(in.named, tt.want) || in.mini != tt.mini || in.ids != tt.ids || errorText(err) != tt.err {
			t.Errorf("%s: %v, %v, %q; want %v, %v, %q", tt.name, in.named, in.mini, errorText(err), tt.want, tt.mini, tt.err)
		}
	}
}

// streamOf is a stream that is a file of its own.
func streamOf(t *testing.T, what string, s *asm.Section) *stream {
	b := s.Build(t)
	m := &msf{src: bin.NewSource(strings.NewReader(string(b)), int64(len(b))), blockSize: blockSize, blocks: 1 << 10}
	out := &stream{m: m, what: what, size: int64(len(b))}
	for i := range (len(b) + blockSize - 1) / blockSize {
		out.blocks = append(out.blocks, uint32(i))
	}
	return out
}

func dbiHeader(sizes ...uint32) *asm.Section {
	return asm.At(0).U32(0xffffffff, 19990903, 2).U16(1, 0, 2, 0, 3, 0).
		U32(sizes[:5]...).U32(0).U32(sizes[5:]...).U16(0, machineX86).U32(0)
}

func TestDBI(t *testing.T) {
	tests := []struct {
		name string
		in   *asm.Section
		err  string
	}{
		{"empty parts", dbiHeader(0, 0, 0, 0, 0, 0, 0), ""},
		{"cut", asm.At(0).U32(0xffffffff, 19990903), "DBI at 0x0: 64 bytes reach beyond the end of the file at 0x8"},
		{"old", asm.At(0).U32(0xffffffff, 930803).Zeros(56), "DBI at 0x0: signature 0xffffffff and version 930803, want 0xffffffff and at least 19990903"},
		{"large parts", dbiHeader(8, 0, 0, 0, 0, 0, 0).Zeros(4), "DBI at 0x18: its parts take 72 bytes, it has 68"},
		{"parts that wrap", dbiHeader(0xffffffff, 0xffffffff, 2, 0, 0, 0, 0), "DBI at 0x18: its parts take 8589934656 bytes, it has 64"},
	}
	for _, tt := range tests {
		d, err := parseDBI(streamOf(t, "DBI", tt.in))
		if errorText(err) != tt.err {
			t.Errorf("%s: %q, want %q", tt.name, errorText(err), tt.err)
		}
		if err == nil && (d.age != 2 || d.symbols != 3 || d.machine != machineX86) {
			t.Errorf("%s: %+v", tt.name, d)
		}
	}
}

// TestModuleList has two modules, in a list that is cut everywhere: what is
// whole is there, and the rest is an error.
func TestModuleList(t *testing.T) {
	list := asm.At(0)
	for _, m := range []struct {
		stream uint16
		name   string
	}{{9, "first.obj"}, {noStream, "second.o"}} {
		list.Zeros(34).U16(m.stream).U32(4, 0, 8).Zeros(16).Text(m.name).U8(0).Text("a.lib").U8(0).Align(4)
	}
	data := list.Build(t)
	const first = 80
	const unpadded = first - 1 // the second has one byte of padding
	for n := range len(data) + 1 {
		d := dbi{s: streamOf(t, "DBI", asm.At(0).Bytes(data[:n])), modules: byteRange{0, int64(n)}}
		mods, raw, err := d.parseModules()
		whole := n == 0 || n == first || n == len(data)
		if whole && (err != nil || len(mods) != n/(len(data)/2)) || n > first && len(mods) == 0 {
			t.Errorf("%d bytes: %d modules, %v", n, len(mods), err)
		}
		if !whole && n%first < unpadded && err == nil {
			t.Errorf("%d bytes: no error", n)
		}
		if len(mods) > 0 && (mods[0].stream != 9 || mods[0].c13 != 8) {
			t.Errorf("%d bytes: %+v", n, mods[0])
		}
		if len(mods) == 2 {
			if name, _ := textAt(raw, uint64(mods[1].name)); name != "second.o" || mods[1].stream != noStream {
				t.Errorf("%+v %q", mods[1], name)
			}
		}
	}
}

func TestSections(t *testing.T) {
	got := parseSections(bin.NewCursor("sections", 0, asm.At(0).
		Text(".text\x00\x00\x00").U32(0x123, 0x1000, 0x200, 0x400, 0, 0, 0, codeFlags).
		Text(".data\x00\x00\x00").U32(0x456, 0x2000, 0, 0, 0, 0, 0, dataFlags).
		Zeros(39).Build(t)))
	want := []section{{0x1000, 0x200, codeFlags}, {0x2000, 0x456, dataFlags}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	a := addressMap{sections: got, image: got}
	if rva, ok := a.rva(2, 0x10); !ok || rva != 0x2010 || a.isCode(2) || !a.isCode(1) || a.imageSize() != 0x3000 {
		t.Errorf("%#x %v, size %#x", rva, ok, a.imageSize())
	}
	for _, bad := range []struct {
		sect uint16
		off  uint32
	}{{0, 0}, {3, 0}, {1, 0xfffffff0}} {
		if rva, ok := a.rva(bad.sect, bad.off); ok {
			t.Errorf("%+v is at %#x", bad, rva)
		}
	}
}
