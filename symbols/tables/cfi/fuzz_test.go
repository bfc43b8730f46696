package cfi

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/symbolsource"
)

func sortStrings(s []string) { slices.Sort(s) }

// example is a section with everything in it, and a search table.
func example(t testing.TB) Sections {
	f := ehFrame(0x50_0000)
	cie := f.cie(amd64CIE(3))
	signal := f.cie(join([]byte("\x01zRS\x00"), []byte{1, 0x78, 16, 1, 3}, []byte{0x0c, 7, 8, 0x90, 1}))
	one := f.fde(cie, f.u32(0x40_1000, 0x40), []byte{0, 0x44, 0x0e, 16, 0x83, 2, 0x0a, 0x48, 0x0e, 8, 0xc3, 0x44, 0x0b})
	two := f.fde(cie, f.u32(0x40_2000, 0x40), []byte{0, 0x44, 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22})
	three := f.fde(signal, f.u32(0x40_3000, 0x40), []byte{0, 0x10, 7, 3, 0x77, 0xa0, 1, 0x07, 16})
	s := amd64(t, f)
	s.EHFrameHdr = header(t, 0x50_0000, [2]uint64{0x40_1000, one}, [2]uint64{0x40_2000, two}, [2]uint64{0x40_3000, three})
	return s
}

// stub makes a Table a whole source of symbols, without any names.
type stub struct{ *Table }

func (stub) Locate(uint64) (symbolize.Location, bool) { return symbolize.Location{}, false }
func (stub) Function(uint64) (unwind.Function, bool)  { return unwind.Function{}, false }
func (stub) WinFrame(uint64) (unwind.WinFrame, bool)  { return unwind.WinFrame{}, false }
func (stub) HasNames() bool                           { return true }
func (stub) HasCode() bool                            { return false }

func TestSuite(t *testing.T) {
	symbolsource.Test(t, symbolsource.Suite{
		Open: func(t *testing.T) symbolsource.Source { return stub{mustOpen(t, example(t))} },
		Known: []symbolsource.Known{
			{Rel: 0x1000, None: true}, {Rel: 0x1008, None: true}, {Rel: 0x2004, None: true}, {Rel: 0x3000, None: true},
		},
	})
}

// TestCut cuts the sections after every byte. An answer is the one of the
// whole section or none, and what is missing is said.
func TestCut(t *testing.T) {
	whole := example(t)
	rels := []uint64{0x1000, 0x1004, 0x1010, 0x2000, 0x2010, 0x3010}
	want := map[uint64]string{}
	for _, rel := range rels {
		want[rel] = at(mustOpen(t, whole), rel)
	}
	data, err := whole.EHFrame.Data.Read("", 0, uint64(whole.EHFrame.Data.Size()))
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(data) {
		for _, table := range []bool{true, false} {
			s := whole
			s.EHFrame.Data = source(data[:n])
			if !table {
				s.EHFrameHdr = Section{}
			}
			cut := mustOpen(t, s)
			missing := 0
			for _, rel := range rels {
				switch got := at(cut, rel); got {
				case want[rel]:
				case "none":
					missing++
				default:
					t.Errorf("%d bytes: %#x: %s, want %s or none", n, rel, got, want[rel])
				}
			}
			if missing > 0 && n > 4 && len(cut.Notes()) == 0 && !atEntry(data, n) {
				t.Errorf("%d bytes: no note says what is missing", n)
			}
		}
	}
}

// atEntry reports whether an entry begins at an offset: a section that is cut
// there is whole as far as anybody can tell.
func atEntry(data []byte, n int) bool {
	at := 0
	for at < n && at+4 <= len(data) {
		at += 4 + int(data[at])
	}
	return at == n || n-at < 4
}

// FuzzTable gives any bytes to the reader as both sections and search table,
// of any CPU: answers cover what was asked, can be compiled, are the same from
// a table that has answered other questions, and the listing agrees with them.
func FuzzTable(f *testing.F) {
	s := example(f)
	data, _ := s.EHFrame.Data.Read("", 0, uint64(s.EHFrame.Data.Size()))
	hdr, _ := s.EHFrameHdr.Data.Read("", 0, uint64(s.EHFrameHdr.Data.Size()))
	f.Add(data, hdr, uint8(1))
	f.Add(data, []byte{}, uint8(3))
	debug := debugFrame()
	debug.fde(debug.cie([]byte{4, 0, 8, 0, 1, 0x78, 16, 0x0c, 7, 8, 0x90, 1}), debug.u64(0x40_1000, 16), []byte{0x16, 16, 1, 0x9c})
	f.Add(debug.s.Build(f), []byte{}, uint8(7))
	f.Fuzz(func(t *testing.T, data, hdr []byte, kind uint8) {
		archs := cpu.All()
		arch := archs[int(kind>>1)%len(archs)]
		s := Sections{Base: 0x40_0000, Text: 0x40_1000, Got: 0x40_8000, Arch: arch.Name, Word: arch.Word}
		if kind&1 != 0 {
			s.EHFrame = Section{source(data), 0x50_0000}
			s.EHFrameHdr = Section{source(hdr), 0x4f_0000}
		} else {
			s.DebugFrame = Section{source(data), 0}
		}
		table, fresh := mustOpen(t, s), mustOpen(t, s)
		rels := []uint64{0, 0x1000, 0x1010, 0x2000, 0x3010, ^uint64(0)}
		_ = table.EachCallFrame(func(x *unwind.CallFrameTable) error {
			rels = append(rels, x.Start, x.Start+x.Size-1)
			return nil
		})
		rels = rels[:min(len(rels), 64)]
		for _, rel := range rels {
			sound(t, table, fresh, rel)
		}
		if len(hdr) == 0 {
			listsTheSame(t, table)
		}
	})
}

func sound(t *testing.T, table, fresh *Table, rel uint64) {
	frame, ok := table.CallFrame(rel)
	if got := at(fresh, rel); got != at(table, rel) {
		t.Errorf("%#x: %s, and first asked %s", rel, at(table, rel), got)
	}
	if !ok {
		return
	}
	if rel-frame.Start >= frame.Size || frame.Rules[0].Reg != ".cfa" || frame.Rules[0].From.IsLost() {
		t.Errorf("%#x: %+v", rel, frame)
	}
	for i, r := range frame.Rules {
		if strings.TrimSpace(r.Text()) == "" || slices.ContainsFunc(frame.Rules[:i], func(x unwind.Rule) bool { return x.Reg == r.Reg }) {
			t.Errorf("%#x: %v", rel, frame.Rules)
		}
	}
}
