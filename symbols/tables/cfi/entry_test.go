package cfi

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
)

const plain = ".cfa: $rsp 8 + .ra: .cfa -8 + ^"

// TestEncodings finds one function, at 0x1000 of an image at 0x40_0000, by
// pointers of every encoding that means something.
func TestEncodings(t *testing.T) {
	const addr = 0x50_0000
	tests := []struct {
		enc  byte
		ptr  func(f *frames, here uint64) []byte // start and size
		note string
	}{
		{0x00, func(f *frames, _ uint64) []byte { return f.u64(0x40_1000, 16) }, ""},
		{0x01, func(*frames, uint64) []byte { return join(asm.ULEB(0x40_1000), asm.ULEB(16)) }, ""},
		{0x03, func(f *frames, _ uint64) []byte { return f.u32(0x40_1000, 16) }, ""},
		{0x04, func(f *frames, _ uint64) []byte { return f.u64(0x40_1000, 16) }, ""},
		{0x09, func(*frames, uint64) []byte { return join(asm.SLEB(0x40_1000), asm.SLEB(16)) }, ""},
		{0x0b, func(f *frames, _ uint64) []byte { return f.u32(0x40_1000, 16) }, ""},
		{0x0c, func(f *frames, _ uint64) []byte { return f.u64(0x40_1000, 16) }, ""},
		{0x1b, func(f *frames, here uint64) []byte { return f.u32(uint32(0x40_1000-here), 16) }, ""},
		{0x1c, func(f *frames, here uint64) []byte { return f.u64(0x40_1000-here, 16) }, ""},
		{0x22, func(*frames, uint64) []byte { return []byte{0, 0x0f, 16, 0} }, ""},
		{0x2a, func(*frames, uint64) []byte { return []byte{0, 0x0f, 16, 0} }, ""},
		{0x3b, func(f *frames, _ uint64) []byte { return f.u32(^uint32(0x2000)+1, 16) }, ""},
		{0x50, func(f *frames, here uint64) []byte {
			return join(make([]byte, -here&7), f.u64(0x40_1000, 16))
		}, ""},
		{0x9b, func(f *frames, _ uint64) []byte { return f.u32(0, 16) }, "cfi: .eh_frame FDE at 0x1e: pointer encoding 0x9b is indirect"},
		{0x4b, func(f *frames, _ uint64) []byte { return f.u32(0, 16) }, "cfi: .eh_frame FDE at 0x1e: pointer encoding 0x4b has no meaning here"},
		{0x07, func(f *frames, _ uint64) []byte { return f.u32(0, 16) }, "cfi: .eh_frame FDE at 0x1e: pointer encoding 0x7 has no meaning"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%#x", tt.enc), func(t *testing.T) {
			f := ehFrame(addr)
			cie := f.cie(amd64CIE(tt.enc))
			f.fde(cie, tt.ptr(f, f.s.Here()+8), []byte{0})
			s := amd64(t, f)
			s.Text, s.Got = 0x40_0100, 0x40_3000
			table := mustOpen(t, s)
			want := plain
			if tt.note != "" {
				want = "none"
			}
			if got := at(table, 0x1000); got != want || strings.Join(table.Notes(), "; ") != tt.note {
				t.Errorf("%s, notes %q", got, table.Notes())
			}
			if got := at(table, 0x1010); got != "none" {
				t.Errorf("behind it: %s", got)
			}
		})
	}
}

// What a pointer is relative to has to be known.
func TestUnknownBases(t *testing.T) {
	for enc, want := range map[byte]string{
		0x2b: "cfi: .eh_frame FDE at 0x1e: a pointer is relative to the code, whose address is not known",
		0x3b: "cfi: .eh_frame FDE at 0x1e: a pointer is relative to the data, whose address is not known",
	} {
		f := ehFrame(0x50_0000)
		f.fde(f.cie(amd64CIE(enc)), f.u32(0x40_1000, 16), []byte{0})
		table := mustOpen(t, amd64(t, f))
		if got := at(table, 0x1000); got != "none" || strings.Join(table.Notes(), "; ") != want {
			t.Errorf("%s, notes %q, want %q", got, table.Notes(), want)
		}
	}
}

// TestFormats writes one function in each form that a section may have.
func TestFormats(t *testing.T) {
	rules := []byte{0x0c, 7, 8, 0x90, 1}
	body := func(f *frames) []byte { return f.u64(0x40_1000, 16) }
	tests := []struct {
		name string
		eh   bool
		wide bool
		cie  []byte
		fde  func(f *frames) []byte
	}{
		{name: "debug_frame 1", cie: join([]byte{1, 0, 1, 0x78, 16}, rules), fde: body},
		{name: "debug_frame 3", cie: join([]byte{3, 0, 1, 0x78, 16}, rules), fde: body},
		{name: "debug_frame 4", cie: join([]byte{4, 0, 8, 0, 1, 0x78, 16}, rules), fde: body},
		{name: "debug_frame 4 with segments", eh: false, wide: false, cie: join([]byte{4, 0, 8, 2, 1, 0x78, 16}, rules),
			fde: func(f *frames) []byte { return join([]byte{1, 2}, body(f)) }},
		{name: "debug_frame 4 with short addresses", eh: false, wide: false, cie: join([]byte{4, 0, 4, 0, 1, 0x78, 16}, rules),
			fde: func(f *frames) []byte { return f.u32(0x40_1000, 16) }},
		{name: "debug_frame, DWARF64", wide: true, cie: join([]byte{3, 0, 1, 0x78, 16}, rules), fde: body},
		{name: "eh_frame, DWARF64", eh: true, wide: true, cie: join([]byte{1, 0, 1, 0x78, 16}, rules), fde: body},
		{name: "eh_frame 3", eh: true, cie: join([]byte{3, 0, 1, 0x78, 16}, rules), fde: body},
		{name: "GCC 2", eh: true, cie: join([]byte{1, 'e', 'h', 0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 0x78, 16}, rules), fde: body},
		{name: "armcc", cie: join([]byte("\x01armcc+\x00"), []byte{1, 0x78, 16}, rules), fde: body},
		{name: "zPLR", eh: true, wide: false, cie: join([]byte("\x01zPLR\x00"), []byte{1, 0x78, 16, 7, 0x9b, 1, 2, 3, 4, 0x1b, 0}, rules),
			fde: func(f *frames) []byte { return join(body(f), []byte{4, 1, 2, 3, 4}) }},
		{name: "no personality", eh: true, wide: false, cie: join([]byte("\x01zPR\x00"), []byte{1, 0x78, 16, 2, 0xff, 0}, rules),
			fde: func(f *frames) []byte { return join(body(f), []byte{0}) }},
		{name: "more augmentation data than letters", eh: true, wide: false, cie: join([]byte("\x01zR\x00"), []byte{1, 0x78, 16, 3, 0, 9, 9}, rules),
			fde: func(f *frames) []byte { return join(body(f), []byte{2, 9, 9}) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := debugFrame()
			if tt.eh {
				f = ehFrame(0x50_0000)
			}
			f.wide = tt.wide
			f.fde(f.cie(tt.cie), tt.fde(f))
			table := mustOpen(t, amd64(t, f))
			if got := at(table, 0x1000); got != plain || len(table.Notes()) > 0 {
				t.Errorf("%s, notes %q", got, table.Notes())
			}
		})
	}
}

// A signal frame says so.
func TestSignal(t *testing.T) {
	for letters, signal := range map[string]bool{"zRS": true, "zRB": false, "zRG": false} {
		f := ehFrame(0x50_0000)
		f.fde(f.cie(join([]byte{1}, []byte(letters), []byte{0, 1, 0x78, 16, 1, 3}, []byte{0x0c, 7, 8, 0x90, 1})), f.u32(0x40_1000, 16), []byte{0})
		frame, ok := mustOpen(t, amd64(t, f)).CallFrame(0x1000)
		want := unwind.CallFrame{Start: 0x1000, Size: 16, Rules: frame.Rules, Signal: signal, From: ".eh_frame"}
		if !ok || fmt.Sprint(frame) != fmt.Sprint(want) {
			t.Errorf("%s: %+v", letters, frame)
		}
	}
}

// overlapAt is the note on FDEs that overlap.
func overlapAt(first string) string {
	return "cfi: .eh_frame: FDEs overlap, the first at " + first + ": of those that cover an address the last to begin is used"
}

// TestDamage breaks a section in many ways: the entry that is broken has no
// rules, and a note says what it was.
func TestDamage(t *testing.T) {
	good := amd64CIE(3)
	tests := []struct {
		name  string
		build func(f *frames)
		want  string // at 0x1000
		notes []string
	}{
		{"an FDE's CIE is an FDE", func(f *frames) {
			cie := f.cie(good)
			fde := f.fde(cie, f.u32(0x40_1000, 16), []byte{0})
			f.fde(fde, f.u32(0x40_2000, 16), []byte{0})
		}, plain, []string{"cfi: .eh_frame CIE at 0x16: is no CIE"}},
		{"an FDE's CIE is itself", func(f *frames) {
			f.fde(f.s.Here()-f.s.Base(), f.u32(0x40_1000, 16), []byte{0})
		}, "none", []string{"cfi: .eh_frame CIE at 0x0: is no CIE"}},
		{"a CIE below the section", func(f *frames) {
			f.fde(1<<64-64, f.u32(0x40_1000, 16), []byte{0})
		}, "none", []string{"cfi: .eh_frame CIE at 0xffffffffffffffc0: lies outside of the section"}},
		{"a version", func(f *frames) {
			f.fde(f.cie(join([]byte{2}, good[1:])), f.u32(0x40_1000, 16), []byte{0})
		}, "none", []string{"cfi: .eh_frame CIE at 0x9: version 2, want 1, 3 or 4"}},
		{"an unknown augmentation", func(f *frames) {
			f.fde(f.cie([]byte("\x01zQ\x00\x01\x78\x10\x01\x03")), f.u32(0x40_1000, 16), []byte{0})
		}, "none", []string{`cfi: .eh_frame CIE at 0x10: augmentation "zQ" is not known`}},
		{"an endless augmentation", func(f *frames) {
			f.fde(f.cie([]byte{1}, []byte(strings.Repeat("z", 40))), f.u32(0x40_1000, 16), []byte{0})
		}, "none", []string{`cfi: .eh_frame CIE at 0x1a: augmentation "zzzzzzzzzzzzzzzzz" is not known`}},
		{"a length beyond the end", func(f *frames) {
			f.fde(f.cie(good), f.u32(0x40_1000, 16), []byte{0})
			f.s.U32(100).Zeros(8)
		}, plain, []string{"cfi: .eh_frame entry at 0x27: length 0x64 exceeds the 0x8 bytes that are left"}},
		{"a reserved length", func(f *frames) {
			f.fde(f.cie(good), f.u32(0x40_1000, 16), []byte{0})
			f.s.U32(0xffff_fff1).Zeros(8)
		}, plain, []string{"cfi: .eh_frame entry at 0x27: length 0xfffffff1 is reserved"}},
		{"behind the terminator", func(f *frames) {
			cie := f.cie(good)
			f.s.U32(0)
			f.fde(cie, f.u32(0x40_1000, 16), []byte{0})
		}, "none", nil},
		{"functions that the linker has dropped", func(f *frames) {
			cie := f.cie(good)
			f.fde(cie, f.u32(0, 0x40_2000), []byte{0})
			f.fde(cie, f.u32(0x40_0000, 0x2000), []byte{0})
			f.fde(cie, f.u32(0x40_1000, 0), []byte{0})
		}, "none", nil},
		{"functions that overlap", func(f *frames) {
			cie := f.cie(good)
			f.fde(cie, f.u32(0x40_0f00, 0x200), []byte{0, 0x0e, 16})
			f.fde(cie, f.u32(0x40_0ff0, 8), []byte{0, 0x0e, 24})
			f.fde(cie, f.u32(0x40_1008, 8), []byte{0, 0x0e, 32})
		}, ".cfa: $rsp 16 + .ra: .cfa -8 + ^", []string{overlapAt("0xff0")}},
		{"thousands of functions in one", func(f *frames) {
			cie := f.cie(good)
			f.fde(cie, f.u32(0x40_0100, 0x2000), []byte{0, 0x0e, 16})
			for i := range uint32(3000) {
				at := 0x40_0200 + i
				if at >= 0x40_1000 {
					at += 8
				}
				f.fde(cie, f.u32(at, 1), []byte{0, 0x0e, 24})
			}
		}, ".cfa: $rsp 16 + .ra: .cfa -8 + ^", []string{overlapAt("0x200")}},
		{"an entry of an id alone", func(f *frames) {
			f.entry(0, nil)
			f.fde(f.cie(good), f.u32(0x40_1000, 16), []byte{0})
		}, plain, []string{"cfi: .eh_frame entry at 0x0: nothing follows its id"}},
		{"a function in the middle of another", func(f *frames) {
			cie := f.cie(good)
			f.fde(cie, f.u32(0x40_0f00, 0x200), []byte{0, 0x0e, 16})
			f.fde(cie, f.u32(0x40_0f80, 0x20), []byte{0, 0x0e, 24})
			f.fde(cie, f.u32(0x40_0ff0, 0x18), []byte{0, 0x0e, 24})
			f.fde(cie, f.u32(0x40_1008, 8), []byte{0, 0x0e, 32})
		}, ".cfa: $rsp 24 + .ra: .cfa -8 + ^", []string{overlapAt("0xf80")}},
		{"a function that reaches into the next", func(f *frames) {
			cie := f.cie(good)
			f.fde(cie, f.u32(0x40_0ff0, 0x18), []byte{0, 0x0e, 16})
			f.fde(cie, f.u32(0x40_1000, 16), []byte{0, 0x0e, 24})
		}, ".cfa: $rsp 24 + .ra: .cfa -8 + ^", []string{overlapAt("0x1000")}},
		{"a function twice", func(f *frames) {
			cie := f.cie(good)
			f.fde(cie, f.u32(0x40_1000, 16), []byte{0, 0x0e, 16})
			f.fde(cie, f.u32(0x40_1000, 16), []byte{0})
		}, plain, nil},
		{"a function twice, of two sizes", func(f *frames) {
			cie := f.cie(good)
			f.fde(cie, f.u32(0x40_1000, 16), []byte{0, 0x0e, 16})
			f.fde(cie, f.u32(0x40_1000, 32), []byte{0})
		}, plain, []string{overlapAt("0x1000")}},
		{"a function beyond the address space", func(f *frames) {
			f.fde(f.cie(amd64CIE(4)), f.u64(0x40_1000, ^uint64(0)), []byte{0})
		}, "none", nil},
		{"the program of a CIE moves", func(f *frames) {
			f.fde(f.cie(good, []byte{0x41}), f.u32(0x40_1000, 16), []byte{0})
		}, "none", []string{"cfi: .eh_frame CIE at 0x16: a CIE's instructions move to 0x401001"}},
		{"the program of a CIE restores", func(f *frames) {
			f.fde(f.cie(good, []byte{0xc3}), f.u32(0x40_1000, 16), []byte{0})
		}, "none", []string{"cfi: .eh_frame CIE at 0x16: a CIE's instructions restore register 3"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := ehFrame(0x50_0000)
			tt.build(f)
			table := mustOpen(t, amd64(t, f))
			if got := at(table, 0x1000); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if got := table.Notes(); strings.Join(got, "\n") != strings.Join(tt.notes, "\n") {
				t.Errorf("notes %q, want %q", got, tt.notes)
			}
		})
	}
}

// header builds a search table of pairs of a function and an FDE's offset.
func header(t testing.TB, frames uint64, pairs ...[2]uint64) Section {
	const addr = 0x4f_0000
	s := asm.At(addr).U8(1, 0x1b, 0x03, 0x3b).U32(uint32(frames-addr-4), uint32(len(pairs)))
	for _, p := range pairs {
		s.U32(uint32(p[0]-addr), uint32(frames+p[1]-addr))
	}
	return Section{Data: source(s.Build(t)), Addr: addr}
}

// TestSearchTable asks by way of .eh_frame_hdr. The terminator at the section's beginning hides all
// entries from readers without the table.
func TestSearchTable(t *testing.T) {
	f := ehFrame(0x50_0000)
	f.s.U32(0)
	cie := f.cie(amd64CIE(3))
	one := f.fde(cie, f.u32(0x40_1000, 16), []byte{0})
	two := f.fde(cie, f.u32(0x40_2000, 16), []byte{0, 0x0e, 16})
	first, second := [2]uint64{0x40_1000, one}, [2]uint64{0x40_2000, two}
	tests := []struct {
		name string
		hdr  Section
		want string
		note string
	}{
		{"as it should be", header(t, 0x50_0000, first, second), plain, ""},
		{"not sorted", header(t, 0x50_0000, second, first), "none", "cfi: .eh_frame_hdr at 0x14: 0x401000 follows 0x402000: the table is not sorted"},
		{"leads elsewhere", header(t, 0x50_0000, [2]uint64{0x40_1000, two}), "none", "cfi: .eh_frame FDE at 0x2b: begins at 0x402000, and .eh_frame_hdr says at 0x401000"},
		{"leads to a CIE", header(t, 0x50_0000, [2]uint64{0x40_1000, cie}), "none", "cfi: .eh_frame FDE at 0x4: is no FDE"},
		{"leads out of the section", header(t, 0x50_0000, [2]uint64{0x40_1000, 1000}), "none", "cfi: .eh_frame_hdr at 0xc: an FDE at 0x5003e8 lies outside of .eh_frame"},
		{"of another section", header(t, 0x51_0000, first), "none", "cfi: .eh_frame_hdr at 0x8: it is of a section at 0x510000, and .eh_frame is at 0x500000"},
		{"below the image", header(t, 0x50_0000, [2]uint64{0x30_0000, one}, second), "none", "cfi: .eh_frame_hdr at 0xc: 0x300000 lies outside of the image at 0x400000"},
		{"of another version", Section{Data: source([]byte{2, 0x1b, 3, 0x3b, 0, 0, 0, 0, 0, 0, 0, 0}), Addr: 1}, "none", "cfi: .eh_frame_hdr at 0x1: version 2, want 1"},
		{"too short", Section{Data: source(binary.LittleEndian.AppendUint32([]byte{1, 3, 3, 0x3b, 0, 0, 0x50, 0}, 5)), Addr: 1},
			"none", "cfi: .eh_frame_hdr at 0xc: 5 entries of a table, and 0 bytes are left"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := amd64(t, f)
			s.EHFrameHdr = tt.hdr
			table := mustOpen(t, s)
			if got := at(table, 0x1008); got != tt.want || strings.Join(table.Notes(), "; ") != tt.note {
				t.Errorf("%s, notes %q, want %s, %q", got, table.Notes(), tt.want, tt.note)
			}
		})
	}
}

// Both sections may cover a function: .eh_frame is asked first, and listed.
func TestBothSections(t *testing.T) {
	eh, debug := ehFrame(0x50_0000), debugFrame()
	eh.fde(eh.cie(amd64CIE(3)), eh.u32(0x40_1000, 16), []byte{0})
	cie := debug.cie([]byte{3, 0, 1, 0x78, 16, 0x0c, 7, 16, 0x90, 1})
	debug.fde(cie, debug.u64(0x40_1000, 16))
	debug.fde(cie, debug.u64(0x40_2000, 16))
	s := amd64(t, eh)
	s.DebugFrame = amd64(t, debug).DebugFrame
	table := mustOpen(t, s)
	if got := at(table, 0x1000); got != plain {
		t.Error(got)
	}
	if got := at(table, 0x2000); got != ".cfa: $rsp 16 + .ra: .cfa -8 + ^" {
		t.Error(got)
	}
	if got, want := list(t, table), "1000+10 "+plain+"\n2000+10 .cfa: $rsp 16 + .ra: .cfa -8 + ^"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// list writes what EachCallFrame lists.
func list(t testing.TB, table *Table) string {
	var out []string
	err := table.EachCallFrame(func(x *unwind.CallFrameTable) error {
		out = append(out, fmt.Sprintf("%x+%x %s", x.Start, x.Size, unwind.RuleText(x.Rules)))
		for _, r := range x.Rows {
			out = append(out, fmt.Sprintf("%x %s", r.Addr, unwind.RuleText(r.Rules)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, "\n")
}

// TestListOverlap lists FDEs that overlap whole, each once.
func TestListOverlap(t *testing.T) {
	f := ehFrame(0x50_0000)
	cie := f.cie(amd64CIE(3))
	f.fde(cie, f.u32(0x40_1000, 0x100), []byte{0})
	f.fde(cie, f.u32(0x40_1020, 16), []byte{0, 0x0e, 16})
	f.fde(cie, f.u32(0x40_1020, 16), []byte{0, 0x0e, 24})
	want := "1000+100 " + plain + "\n1020+10 .cfa: $rsp 24 + .ra: .cfa -8 + ^"
	if got := list(t, mustOpen(t, amd64(t, f))); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestListing lists a function with an early return and something that cannot
// be said.
func TestListing(t *testing.T) {
	f := ehFrame(0x50_0000)
	cie := f.cie(amd64CIE(3))
	f.fde(cie, f.u32(0x40_1000, 0x40), []byte{0},
		[]byte{0x41, 0x0e, 16, 0x83, 2}, // push rbx
		[]byte{0x44, 0x0a, 0x0e, 8},     // pop rbx: what it was is not said any more
		[]byte{0x41, 0x0b},              // behind the return
		[]byte{0x44, 0xc3},              // restored
		[]byte{0x44, 0x07, 2},           // rcx is lost
		[]byte{0x44, 0x0f, 1, 0x9c},     // a CFA that no rule can express
		[]byte{0x44, 0x0c, 6, 16},       // and one again
		[]byte{0x44, 0x09, 16, 99},      // a return address that no rule can express
		[]byte{0x44, 0xd0},              // and again
		[]byte{0x44, 0x17, 0x44})        // what follows is damaged
	want := `1000+22 .cfa: $rsp 8 + .ra: .cfa -8 + ^
1001 .cfa: $rsp 16 + $rbx: .cfa -16 + ^
1005 .cfa: $rsp 8 +
1006 .cfa: $rsp 16 +
100a $rbx: $rbx
100e $rcx: .undef
1012 .cfa: .undef
1016 .cfa: $rbp 16 +
101a .cfa: .undef
101e .cfa: $rbp 16 + .ra: .cfa -8 + ^`
	if got := list(t, mustOpen(t, amd64(t, f))); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestOpen(t *testing.T) {
	for want, s := range map[string]Sections{
		`cfi: nothing is known about the registers of CPU "z80"`: {Arch: "z80", Word: 4},
		"cfi: an address of 2 bytes, want 4 or 8":                {Arch: "arm", Word: 2},
	} {
		if _, err := Open(s, Options{}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	empty := mustOpen(t, Sections{Arch: "arm", Word: 4})
	if got := at(empty, 0x1000); got != "none" || list(t, empty) != "" {
		t.Errorf("no sections: %s", got)
	}
}

// A scan that is called off is begun again by the next question.
func TestProgress(t *testing.T) {
	f := ehFrame(0x50_0000)
	f.fde(f.cie(amd64CIE(3)), f.u32(0x40_1000, 16), []byte{0})
	refuse := true
	table, err := Open(amd64(t, f), Options{Progress: func(done, total int64) error {
		if done > total || total != int64(f.s.Here()-f.s.Base()) {
			t.Errorf("%d of %d", done, total)
		}
		if refuse {
			return fmt.Errorf("enough")
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := at(table, 0x1000); got != "none" {
		t.Errorf("called off: %s", got)
	}
	if err := table.EachCallFrame(nil); err == nil || err.Error() != "cfi: .eh_frame: the scan was called off" {
		t.Error(err)
	}
	refuse = false
	if got := at(table, 0x1008); got != plain {
		t.Errorf("again: %s", got)
	}
}
