package pe

import (
	"slices"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// everything asks a file for all that it knows, and returns how many answers
// it gave. Each answer is checked for what its documentation promises.
func everything(t testing.TB, data []byte) (answers int) {
	f, err := Open(source(data), Options{})
	if err != nil {
		return 0
	}
	for _, rel := range []uint64{0, text, text + 3, text + 0x17, text + 0x18, text + 0x60, text + 0x7f, text + 0x90, ^uint64(0)} {
		if cf, ok := f.CallFrame(rel); ok {
			answers++
			if len(cf.Rules) < 2 || rel-cf.Start >= cf.Size {
				t.Fatalf("%#x: %+v", rel, cf)
			}
		}
		if loc, ok := f.Locate(rel); ok && (loc.Start > rel || loc.Function == "") {
			t.Fatalf("%#x: %+v", rel, loc)
		}
		if n := f.ReadImage(rel, make([]byte, 32)); n < 0 || n > 32 {
			t.Fatalf("%#x: %d bytes", rel, n)
		}
	}
	_ = f.EachPublic(func(symbolize.Public) error { answers++; return nil })
	_ = f.EachCallFrame(func(table *unwind.CallFrameTable) error {
		answers++
		if len(table.Rules) < 2 || table.Size == 0 || len(table.Rows) > len(data) {
			t.Fatalf("%+v", table)
		}
		at := table.Start
		for _, row := range table.Rows {
			if row.Addr <= at || row.Addr-table.Start >= table.Size || len(row.Rules) == 0 {
				t.Fatalf("row %+v of %#x", row, table.Start)
			}
			at = row.Addr
		}
		return nil
	})
	f.Section(".text")
	if len(f.Notes()) > maxNotes+1 {
		t.Fatalf("%d notes", len(f.Notes()))
	}
	return answers
}

// TestDamage cuts an image after each byte, and changes each byte in three
// ways. What remains is read, or is noted.
func TestDamage(t *testing.T) {
	for name, data := range map[string][]byte{"x64": whole(t), "arm64": armImage(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			damageEach(t, data)
		})
	}
}

func damageEach(t *testing.T, data []byte) {
	if want := everything(t, data); want < 5 {
		t.Fatalf("only %d answers", want)
	}
	damaged := slices.Clone(data)
	for n := range data {
		everything(t, data[:n])
		for _, change := range []byte{0xff, 0x01, 0x80} {
			damaged[n] = data[n] ^ change
			everything(t, damaged)
		}
		damaged[n] = data[n]
	}
}

// armImage has a packed entry and a record with two epilogs.
func armImage(t testing.TB) []byte {
	im := newImage(machineARM64)
	c := make([]byte, 0x100)
	im.sections = append(im.sections, part{".text", code, text, c})
	record := armXdata(t, 16, 8, []byte{0xe1, 0x81, 0xe6, 0xc8, 0x02, 0xe4}, 0, false)
	im.sections = append(im.sections, part{".xdata", readOnly, xdata, record})
	words := []byte{}
	for _, w := range []uint32{text, packedWord(24, 1, 2, 1, 3, 144), text + 0x60, xdata, text + 0xa0, packedWord(8, 0, 0, 0, 1, 16)} {
		words = with32(words, int(w))
	}
	im.sections = append(im.sections, part{".pdata", readOnly, pdata, words})
	return im.dir(dirException, pdata, uint32(len(words))).build(t)
}

// TestLosses takes one part of an image away: the rest still answers, and what
// is missing is said, with its place.
func TestLosses(t *testing.T) {
	tests := []struct {
		name string
		im   func() []byte
		want string
	}{
		{"unwind records", func() []byte { return moved(t, ".xdata") }, "pe: unwind codes of function 0x1000 at 0x2000: this address is not in the file"},
		{"exception directory", func() []byte { return moved(t, ".pdata") }, "pe: exception directory at 0x3000: this address is not in the file"},
		{"exports", func() []byte { return moved(t, ".edata") }, "pe: export directory at 0x4000: this address is not in the file"},
		{"relocations", func() []byte { return moved(t, ".reloc") }, "pe: base relocations at 0x6000: this address is not in the file"},
	}
	for _, tt := range tests {
		data := tt.im()
		f := open(t, data)
		f.CallFrame(text)
		f.Locate(text)
		f.ReadImage(text, make([]byte, 1))
		if !slices.Contains(f.Notes(), tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, f.Notes(), tt.want)
		}
	}
}

// moved is the whole image with the address of one section changed.
func moved(t testing.TB, name string) []byte {
	data := whole(t)
	for at := 0x188; at < 0x400; at += sectionSize {
		if bin.Text(data[at:at+8]) == name {
			data[at+13] ^= 0x70
			return data
		}
	}
	t.Fatalf("no section %s", name)
	return nil
}

// FuzzOpen reads anything.
func FuzzOpen(f *testing.F) {
	f.Add(whole(f))
	f.Add(armImage(f))
	f.Add(withSymbols(f, machineI386).build(f))
	f.Add(debugImage(f, 2, rsds("app.pdb"), true).build(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		everything(t, data)
	})
}

// FuzzUnwindInfo gives any bytes as the record and code of a function.
func FuzzUnwindInfo(f *testing.F) {
	f.Add(nops(0x40), info(1, 0, 5, 0, 5, 2|3<<4, 1, 3<<4).Build(f), false)
	f.Add([]byte{0x48, 0x83, 0xc4, 0x20, 0x5b, 0xc3}, info(2, 0, 8, 0, 4, 6|1<<4, 0x20, 6, 8, 2|3<<4, 4, 3<<4, 3, 12<<4).Build(f), false)
	f.Add(nops(0x40), armXdata(f, 16, 8, []byte{0xe1, 0x81, 0xe6, 0xc8, 0x02, 0xe4}, 0, false), true)
	f.Fuzz(func(t *testing.T, functionCode, record []byte, arm bool) {
		if len(functionCode) == 0 || len(functionCode) > 0x800 || len(record) > 0x800 {
			return
		}
		machine, second := uint16(machineAMD64), uint32(text+len(functionCode))
		entry := with32(with32(with32(nil, text), int(second)), xdata)
		if arm {
			machine, entry = machineARM64, with32(with32(nil, text), xdata)
		}
		im := newImage(machine).dir(dirException, pdata, uint32(len(entry)))
		im.sections = []part{{".text", code, text, functionCode}, {".xdata", readOnly, xdata, record}, {".pdata", readOnly, pdata, entry}}
		everything(t, im.build(t))
	})
}
