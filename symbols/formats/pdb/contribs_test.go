package pdb

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// TestContributionsInPieces reads a list of contributions that takes several reads, of the
// version with entries of 32 bytes.
func TestContributionsInPieces(t *testing.T) {
	const n = contribsRead + 10
	list := asm.At(0).U32(0xeffe0000 + 20140516)
	for i := range uint32(n) {
		list.U16(1, 0).U32(16*i, 16, codeFlags).U16(uint16(i%1000), 0).U32(0, 0, 0)
	}
	d := dbi{s: streamOf(t, "DBI", list.Zeros(31)), contribs: byteRange{0, 4 + 32*n + 31}}
	d.s.m.blocks = 1 << 20
	a := &addressMap{sections: []section{{start: 0x1000, size: 16 * n, flags: codeFlags}}}
	f := &File{dbi: d, addr: *a, notes: &notes{}}
	owners := f.owners()
	for _, i := range []uint64{0, 1, contribsRead - 1, contribsRead, n - 1} {
		if r, ok := owners.Find(0x1000 + 16*i); !ok || r.Value != int64(i%1000) {
			t.Errorf("contribution %d: %+v, %v", i, r, ok)
		}
	}
	if owners.Len() != n || len(f.notes.all()) > 0 {
		t.Errorf("%d contributions, notes %q", owners.Len(), f.notes.all())
	}
}

// TestContributionsDamaged has a version that is not known, and a list outside of its stream.
func TestContributionsDamaged(t *testing.T) {
	for _, tt := range []struct {
		in   *asm.Section
		size int64
		want string
	}{
		{asm.At(0).U32(7).Zeros(28), 32, "section contributions of DBI at 0x0: unknown version 0x7"},
		{asm.At(0).U32(0xeffe0000 + 19970605).Zeros(28), 60, "DBI at 0x4: 56 bytes reach beyond the end of the file at 0x20"},
		{asm.At(0), 4, "DBI at 0x0: 4 bytes reach beyond the end of the file at 0x0"},
		{asm.At(0), 3, ""},
	} {
		d := dbi{s: streamOf(t, "DBI", tt.in), contribs: byteRange{0, tt.size}}
		f := &File{dbi: d, notes: &notes{}}
		f.modList = []mod{}
		f.owners()
		if got := strings.Join(f.notes.all(), "\n"); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestModuleStreams has modules whose stream is missing, another's, or shorter than their
// entry says.
func TestModuleStreams(t *testing.T) {
	sym := symbolRecords()
	addProc(t, sym, "f", 0, 1, 0, 16)
	data := sym.Build(t)
	for _, tt := range []struct {
		name      string
		m         mod
		functions int
		note      string
	}{
		{"whole", mod{stream: hasRecords, symbols: uint32(len(data))}, 1, ""},
		{"no stream", mod{stream: noStream, symbols: 8}, 0, ""},
		{"another's", mod{stream: takenStream, symbols: 8}, 0, "module 3: its stream is that of another module"},
		{"not there", mod{stream: 99, symbols: 8}, 0, "stream 99 (module 3) at 0x0: is not there: the directory has 10 streams"},
		{"cut", mod{stream: hasRecords, symbols: uint32(len(data)), c13: 8}, 1, fmt.Sprintf("stream 6 (module 3) at %#x: need 8 bytes, have 0", len(data))},
		{"with lines of the last century", mod{stream: hasRecords, symbols: 4, c11: uint32(len(data) - 4)}, 0, ""},
	} {
		p := x86(t)
		p.optional, p.modules = nil, nil
		p.extra = map[int][]byte{hasRecords: data}
		f := openBytes(t, p.build(t))
		u := f.readModule(3, tt.m)
		notes := strings.Join(f.Notes(), "\n")
		if len(u.funcs) != tt.functions || u.index != 3 || notes != tt.note {
			t.Errorf("%s: %d functions, notes %q, want %d, %q", tt.name, len(u.funcs), notes, tt.functions, tt.note)
		}
	}
}
