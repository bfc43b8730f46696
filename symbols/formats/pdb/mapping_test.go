package pdb

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
)

// TestClip cuts runs to ranges. A run of 10 bytes at 1000 is at 3000 in the image, with 4 bytes
// of added code and 6 removed ones behind it.
func TestClip(t *testing.T) {
	r := run{from: 0x1000, to: 0x3000, size: 0x10, injected: 4, removed: 6}
	for _, tt := range []struct {
		name       string
		start, end uint64
		want       string // address in the image, size and added code
	}{
		{"all of it", 0x1000, 0x1016, "3000 10 4"}, {"more", 0xff0, 0x2000, "3000 10 4"}, {"without what was removed", 0x1000, 0x1010, "3000 10 0"},
		{"the first half", 0x1000, 0x1008, "3000 8 0"}, {"from before to the middle", 0xff0, 0x1008, "3000 8 0"}, {"the last byte", 0x100f, 0x1010, "300f 1 0"},
		{"one byte inside", 0x1004, 0x1005, "3004 1 0"}, {"the rest", 0x1008, 0x1016, "3008 8 4"}, {"some of what was removed, too", 0x1008, 0x1012, "3008 8 2"},
		{"what was removed alone", 0x1010, 0x1016, "3010 0 4"}, {"the second half of it", 0x1012, 0x1016, "3012 0 2"}, {"its end", 0x1015, 0x1016, ""},
		{"before", 0xff0, 0x1000, ""}, {"behind", 0x1016, 0x1020, ""}, {"nothing", 0x1008, 0x1008, ""},
	} {
		got := ""
		if c, ok := r.clip(tt.start, tt.end); ok {
			got = fmt.Sprintf("%x %x %x", c.to, c.size, c.injected)
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestRuns has the runs of tables, with what was added and removed behind each.
//
// Source: BuildMapping and its comments in src/common/windows/omap.cc of Breakpad.
func TestRuns(t *testing.T) {
	const added, syzygy = 0x8000_0000, 0xffff_ffff
	for _, tt := range []struct {
		name           string
		from, to       []omapEntry
		image, removed string
	}{
		{"one run behind the headers", []omapEntry{{0x1000, 0x1000}}, []omapEntry{{0x1000, 0x1000}}, "0+1000>0 1000+1000>1000", ""},
		{"tables from 0 on have no header", []omapEntry{{0, 0}}, []omapEntry{{0, 0}}, "0+2000>0", ""},
		{"the headers end where either table begins", []omapEntry{{0x800, 0x800}}, []omapEntry{{0x1000, 0x800}}, "0+800>0/800 800+1800>1000", ""},
		{"added code", []omapEntry{{0x1000, 0x1000}}, []omapEntry{{0x1000, 0x1000}, {0x1100, added}, {0x1140, 0x1100}}, "0+1000>0 1000+100>1000/40 1100+f00>1140", ""},
		{"added by Syzygy", []omapEntry{{0x1000, 0x1000}}, []omapEntry{{0x1000, 0x1000}, {0x1100, syzygy}, {0x1140, 0x1100}}, "0+1000>0 1000+100>1000/40 1100+f00>1140", ""},
		{"code from nowhere is not added code", []omapEntry{{0x1000, 0x1000}}, []omapEntry{{0x1000, 0x1000}, {0x1100, 0}, {0x1140, 0x1100}}, "0+1000>0 1000+100>1000 1100+f00>1140", ""},
		{"removed code", []omapEntry{{0x1000, 0x1000}}, []omapEntry{{0x1000, 0x1000}, {0x1100, 0x1120}}, "0+1000>0 1000+100>1000 1120+ee0>1100", "1000:20"},
		{"removed behind two runs that end there", []omapEntry{{0x1000, 0x1000}}, []omapEntry{{0x1000, 0x1000}, {0x1100, 0x10c0}, {0x1140, 0x1200}}, "0+1000>0 1000+100>1000 10c0+40>1100 1200+e00>1140", "1000:100 10c0:100"},
		{"an entry of nothing", []omapEntry{{0x1000, 0x1000}}, []omapEntry{{0x1000, 0x1000}, {0x1100, 0x1100}, {0x1100, 0x1100}}, "0+1000>0 1000+100>1000 1100+f00>1100", ""},
	} {
		m := newMapping(tt.from, tt.to, 0x2000)
		var image, removed []string
		for _, r := range m.image {
			text := fmt.Sprintf("%x+%x>%x", r.from, r.size, r.to)
			if r.injected > 0 {
				text += fmt.Sprintf("/%x", r.injected)
			}
			image = append(image, text)
		}
		for _, r := range m.source {
			if r.removed > 0 {
				removed = append(removed, fmt.Sprintf("%x:%x", r.from, r.removed))
			}
		}
		if got := strings.Join(image, " "); got != tt.image {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.image)
		}
		if got := strings.Join(removed, " "); got != tt.removed {
			t.Errorf("%s: removed %s, want %s", tt.name, got, tt.removed)
		}
	}
}

// TestFramePieces has a frame record of 20 bytes at 1000 with a prologue of 8, in programs that
// were rearranged.
//
// Source: PrintFrameDataUsingPDB in src/common/windows/pdb_source_line_writer.cc of Breakpad.
func TestFramePieces(t *testing.T) {
	same := []omapEntry{{0x1000, 0x1000}}
	for _, tt := range []struct {
		name   string
		to     []omapEntry
		prolog uint32
		want   string // start-end and prologue of each
	}{
		{"not rearranged", nil, 8, "1000-1020:8"},
		{"a prologue of more than all, not rearranged", nil, 0x40, "1000-1020:40"},
		{"in one piece", []omapEntry{{0x1000, 0x1000}}, 8, "1000-1020:8"},
		{"without a prologue", []omapEntry{{0x1000, 0x1000}}, 0, "1000-1020:0"},
		{"all prologue", []omapEntry{{0x1000, 0x1000}}, 0x20, "1000-1020:0"},
		{"code added in the prologue", []omapEntry{{0x1000, 0x1000}, {0x1004, 0x8000_0000}, {0x1008, 0x1004}}, 8, "1000-1024:c"},
		{"the body elsewhere", []omapEntry{{0x1000, 0x1000}, {0x1008, 0}, {0x1100, 0x1008}}, 8, "1000-1008:8 1100-1118:0"},
		{"the body split", []omapEntry{{0x1000, 0x1000}, {0x1010, 0}, {0x1100, 0x1010}}, 8, "1000-1008:8 1008-1010:0 1100-1110:0"},
		{"the prologue split", []omapEntry{{0x1000, 0x1000}, {0x1004, 0}, {0x1100, 0x1004}}, 8, "1000-1004:4 1100-1104:4 1104-111c:0"},
		{"behind the body", []omapEntry{{0x1000, 0x1008}, {0x1018, 0x1000}, {0x1020, 0x1020}}, 8, "1018-1020:8 1000-1018:0"},
	} {
		a := addressMap{}
		if tt.to != nil {
			a.omap = newMapping(same, tt.to, 0x2000)
		}
		var got []string
		for _, p := range a.framePieces(frameData{start: 0x1000, end: 0x1020, prolog: tt.prolog}) {
			got = append(got, fmt.Sprintf("%x-%x:%x", p.start, p.end, p.prolog))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, strings.Join(got, " "), tt.want)
		}
	}
}

// TestBlocksOfSymbols is where a public symbol answers: at itself, and where code behind it was
// moved to.
func TestBlocksOfSymbols(t *testing.T) {
	m := newMapping([]omapEntry{{0x1000, 0x1000}}, []omapEntry{{0x1000, 0x1000}, {0x1010, 0}, {0x1100, 0x1010}, {0x1120, 0}}, 0x2000)
	a := addressMap{omap: m}
	for _, tt := range []struct {
		rva  uint32
		rel  uint64
		want string
	}{{0x1000, 0x1000, "1000"}, {0x1004, 0x1008, "1004"}, {0x1000, 0x1104, "1100"}, {0x1014, 0x1108, "1104"}, {0x1010, 0x1008, ""}, {0x1020, 0x1008, ""}} {
		got := ""
		if start, ok := a.blockOf(tt.rva, tt.rel); ok {
			got = fmt.Sprintf("%x", start)
		}
		if got != tt.want {
			t.Errorf("%#x at %#x: %q, want %q", tt.rva, tt.rel, got, tt.want)
		}
	}
	for _, tt := range []struct {
		rva, next uint32
		want      string
	}{{0x1000, 0x1010, "[4096]"}, {0x1000, 0x1011, "[4096 4352]"}, {0x1008, 0x1020, "[4104 4352]"}, {0x1f00, 0x1f10, "[]"}} {
		if got := fmt.Sprint(a.blocks(tt.rva, tt.next, nil)); got != tt.want {
			t.Errorf("%#x to %#x: %s, want %s", tt.rva, tt.next, got, tt.want)
		}
	}
	plain := addressMap{}
	if start, ok := plain.blockOf(0x1000, 0xfff); ok {
		t.Errorf("before the symbol: %#x", start)
	}
	if start, ok := plain.blockOf(0x1000, 0x1000); !ok || start != 0x1000 || fmt.Sprint(plain.blocks(0x1000, 0x1001, nil)) != "[4096]" {
		t.Errorf("at the symbol: %#x, %v", start, ok)
	}
}

// TestFreeRuns has a range of as many runs as are free, and of one more, when no work is left.
func TestFreeRuns(t *testing.T) {
	var table []omapEntry
	for i := range uint32(200) {
		table = append(table, omapEntry{0x1000 + 0x20*i, 0x1000 + 0x10*i})
	}
	m := newMapping(table, table, 0x2000)
	m.work.Spend(1 << 62)
	if got := len(m.clipped(0x1000, 0x1000+16*freeRuns)); got != freeRuns {
		t.Errorf("%d runs, want %d", got, freeRuns)
	}
	if got := len(m.clipped(0x1000, 0x1000+16*freeRuns+1)); got != 0 {
		t.Errorf("%d runs, want none", got)
	}
	a := addressMap{omap: m}
	if a.mayList(1) {
		t.Error("a line may be listed, but no work is left")
	}
	a.omap.work = newMapping(table, table, 0x2000).work
	a.listing(&unit{lines: lineTable{rows: make([]lineRow, 7)}})
	if !a.mayList(leastMapping + mappingPerRun*400 + 7) {
		t.Error("fewer lines may be listed than a unit allows")
	}
	if plain := (&addressMap{}); !plain.mayList(1 << 30) {
		t.Error("lines are bounded where nothing was rearranged")
	}
}

// TestFrameRecords reads records of both streams.
//
// Source: FRAMEDATA of microsoft-pdb's include/cvinfo.h and FPO_DATA of winnt.h.
func TestFrameRecords(t *testing.T) {
	data := func(start, size uint32) *asm.Section {
		return asm.At(0).U32(start, size, 8, 12, 99, 1).U16(3, 4).U32(1 << 2)
	}
	fpo := func(start, size uint32, bits uint16) *asm.Section { return asm.At(0).U32(start, size, 2).U16(3, bits) }
	for _, tt := range []struct {
		name      string
		data, fpo *asm.Section
		want      string // start-end prologue params saved locals program
		note      string
	}{
		{"frame data", data(0x1000, 0x20), asm.At(0), "[1000-1020 3 12 4 8 1]", ""},
		{"of nothing", data(0x1000, 0), asm.At(0), "[]", ""},
		{"of almost nothing", data(0x1000, 1), asm.At(0), "[1000-1001 3 12 4 8 1]", ""},
		{"of a size near 2^32", data(0x1000, 0xffff_ff6e), asm.At(0), "[]", ""},
		{"of a size below 2^31", data(0x1000, 0x7fff_ffff), asm.At(0), "[1000-80000fff 3 12 4 8 1]", ""},
		{"beyond 4 GiB", data(0xffff_f000, 0x1000), asm.At(0), "[]", "frame record at 0x0: 4096 bytes at 0xfffff000 reach beyond 4 GiB"},
		{"up to 4 GiB", data(0xffff_f000, 0xfff), asm.At(0), "[fffff000-ffffffff 3 12 4 8 1]", ""},
		{"and some bytes", data(0x1000, 0x20).Zeros(31), asm.At(0), "[1000-1020 3 12 4 8 1]", ": 31 bytes are left over behind the last record"},
		{"FPO", asm.At(0), fpo(0x1000, 0x20, 5|6<<8), "[1000-1020 5 12 24 8 0]", ""},
		{"with a handler, and bits of none", asm.At(0), fpo(0x1000, 0x20, 5|1<<8|1<<11|1<<13), "[1000-1020 5 12 4 8 0]", ""},
		{"that uses ebp", asm.At(0), fpo(0x1000, 0x20, 1<<12), "[1000-1020 0 12 0 8 0 ebp]", ""},
		{"a frame of the kernel", asm.At(0), fpo(0x1000, 0x20, 1<<14), "[]", ""},
		{"a TSS", asm.At(0), fpo(0x1000, 0x20, 2<<14), "[]", ""},
		{"one with ebp as usual", asm.At(0), fpo(0x1000, 0x20, 3<<14), "[]", ""},
		{"FPO and some bytes", asm.At(0), fpo(0x1000, 0x20, 0).Zeros(15), "[1000-1020 0 12 0 8 0]", ": 15 bytes are left over behind the last record"},
	} {
		p := x86(t)
		p.optional = map[int][]byte{optFrameData: tt.data.Build(t), optFPO: tt.fpo.Build(t)}
		f := openBytes(t, p.build(t))
		var got []string
		for _, r := range append(slices.Clone(f.frameRecords()[0].list), f.frameRecords()[1].list...) {
			text := fmt.Sprintf("%x-%x %d %d %d %d %d", r.start, r.end, r.prolog, r.params, r.saved, r.locals, r.program)
			if r.ebp {
				text += " ebp"
			}
			got = append(got, text)
		}
		if notes := strings.Join(f.Notes(), "\n"); fmt.Sprint(got) != tt.want || !strings.HasSuffix(notes, tt.note) || tt.note == "" && notes != "" {
			t.Errorf("%s: %v, notes %q, want %s, %q", tt.name, got, notes, tt.want, tt.note)
		}
	}
}

// TestFramesWithoutPrograms has frame data whose program is blank, or not there: FPO of the same
// code does not stand in for it. Records of the same range are listed once.
func TestFramesWithoutPrograms(t *testing.T) {
	p := x86(t)
	p.text = []string{byFrame, " ", bySearch}
	data := func(start, program uint32) *asm.Section {
		return asm.At(0).U32(start, 0x10, 0, 0, 0, program).U16(0, 0).U32(0)
	}
	p.optional[optFrameData] = asm.At(0).Append(data(0x1000, p.nameAt(" "))).Append(data(0x1010, 0x5555)).Append(data(0x1020, p.nameAt(byFrame))).
		Append(data(0x1020, p.nameAt(bySearch))).Append(data(0x1040, p.nameAt(bySearch))).Build(t)
	f := openBytes(t, p.build(t))
	for rel, want := range map[uint64]string{0x1000: "", 0x1010: "", 0x1020: byFrame, 0x1040: bySearch, 1 << 32: ""} {
		if w, ok := f.WinFrame(rel); ok != (want != "") || w.Program != want {
			t.Errorf("%#x: %+v, %v, want %q", rel, w, ok, want)
		}
	}
	var starts []string
	for _, w := range listing(t, f).frames {
		starts = append(starts, fmt.Sprintf("%x %v", w.Start, w.FrameData))
	}
	if want := []string{"1020 true", "1040 true", "101e false", "1030 false"}; !slices.Equal(starts, want) {
		t.Errorf("listed %q, want %q", starts, want)
	}
	if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, "lies beyond the strings") {
		t.Errorf("notes %q", notes)
	}
}

// TestListsStop ends each list with the error of its caller.
func TestListsStop(t *testing.T) {
	f := openBytes(t, x86(t).build(t))
	n := 0
	stop := func() error {
		if n++; n == 2 {
			return errPending
		}
		return nil
	}
	for name, list := range map[string]func() error{
		"functions": func() error { return f.EachFunction(func(*symbolize.Function) error { return stop() }) },
		"publics":   func() error { return f.EachPublic(func(symbolize.Public) error { return stop() }) },
		"frames":    func() error { return f.EachWinFrame(func(unwind.WinFrame) error { return stop() }) },
	} {
		if n = 0; list() != errPending || n != 2 {
			t.Errorf("%s: %d were listed", name, n)
		}
	}
	if err := f.EachCallFrame(func(*unwind.CallFrameTable) error { return errPending }); err != nil {
		t.Errorf("rules of other CPUs: %v", err)
	}
	if _, ok := f.CallFrame(0x1000); ok {
		t.Error("a rule of another CPU")
	}
	if !f.HasNames() || f.HasCode() {
		t.Error("a PDB has names, and no code")
	}
}
