package pdb

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/sample"
)

// useAll asks a file for everything: the addresses that the tests know, and
// the lists. It returns what is wrong with the answers.
func useAll(f *File) (complaints []string) {
	complain := func(text string) { complaints = append(complaints, text) }
	f.Module()
	for rel := uint64(0xff0); rel < 0x1120; rel += 4 {
		loc, ok := f.Locate(rel)
		fn, fnOK := f.Function(rel)
		if ok != fnOK || fn.Name != loc.Function || fn.Start != loc.Start || fn.Size != loc.Size {
			complain("Locate and Function disagree")
		}
		if ok && (loc.Start > rel || !loc.Public && rel-loc.Start >= loc.Size || loc.Function == "") {
			complain("the function does not cover the address, or has no name")
		}
		if w, ok := f.WinFrame(rel); ok && (w.Start > rel || rel-w.Start >= w.Size) {
			complain("the frame does not cover the address")
		}
	}
	if err := f.EachFunction(func(fn *symbolize.Function) error {
		end := fn.Start
		for _, l := range fn.Lines {
			if l.Start < end || l.Size == 0 || l.Start+l.Size > fn.Start+fn.Size {
				complain("lines overlap or leave the function")
			}
			end = l.Start + l.Size
		}
		return nil
	}); err != nil {
		complain(err.Error())
	}
	if err := f.EachPublic(func(symbolize.Public) error { return nil }); err != nil {
		complain(err.Error())
	}
	if err := f.EachWinFrame(func(unwind.WinFrame) error { return nil }); err != nil {
		complain(err.Error())
	}
	f.Notes()
	return complaints
}

// tryAll opens and uses a file, which may be refused.
func tryAll(t *testing.T, what string, data []byte) {
	t.Helper()
	f, err := Open(bin.NewSource(bytes.NewReader(data), int64(len(data))), Options{})
	if err != nil {
		if strings.ContainsRune(err.Error(), '\n') || !strings.HasPrefix(err.Error(), "pdb: ") {
			t.Errorf("%s: error %q", what, err)
		}
		return
	}
	if complaints := useAll(f); len(complaints) > 0 {
		t.Errorf("%s: %q", what, complaints[0])
	}
}

// damaged are the two programs whose every word is spoiled.
func damaged(t *testing.T) map[string][]byte {
	p := x86(t)
	p.optional[optOmapFromSrc] = asm.At(0).U32(0, 0x10, 0x1000, 0x1010).Build(t)
	p.optional[optOmapToSource] = asm.At(0).U32(0, 0, 0x10, 0, 0x1010, 0x1000).Build(t)
	return map[string][]byte{"x64": example(t).build(t), "x86": p.build(t)}
}

// TestEveryWord replaces one word after the other.
func TestEveryWord(t *testing.T) {
	for name, whole := range damaged(t) {
		for off := 0x20; off+4 <= len(whole); off += 4 * sample.Step() {
			if off >= 0x40 && off < 3*blockSize || testing.Short() && off%12 != 0 {
				continue // the rest of the superblock, and the maps of free blocks
			}
			for _, v := range []uint32{0, 1, 0x7fffffff, 0xffffffff} {
				tryAll(t, name+decimal(uint64(off)), wordAt(whole, off, v))
			}
		}
	}
}

// TestEveryStream cuts each stream at many lengths: its size in the directory
// is less than it was.
func TestEveryStream(t *testing.T) {
	for name, whole := range damaged(t) {
		dir := directoryAt(whole)
		for i := range int(whole[dir]) {
			at := dir + 4 + 4*i
			size := int(whole[at]) | int(whole[at+1])<<8
			for n := 0; n < size; n += 1 + size/64 {
				if (n+blockSize-1)/blockSize == (size+blockSize-1)/blockSize {
					tryAll(t, name, wordAt(whole, at, uint32(n)))
				}
			}
		}
		for n := 0; n < len(whole); n += 97 {
			tryAll(t, name, whole[:n])
		}
	}
}

// TestRandomBytes flips bytes of real files.
func TestRandomBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	for _, r := range references[:4] {
		whole := fromCorpus(t, r.pdb)
		rnd := rand.New(rand.NewPCG(9, uint64(len(whole))))
		for range 6 {
			data := slices.Clone(whole)
			for range 400 {
				data[0x40+rnd.IntN(len(data)-0x40)] = byte(rnd.Uint32())
			}
			start := time.Now()
			tryAll(t, r.pdb, data)
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%s: %v", r.pdb, took)
			}
		}
	}
}

// TestSharedBlocks has a stream that is the same block 100,000 times. A reader that believes its size
// reads 50 MB out of a file of 400 KB.
func TestSharedBlocks(t *testing.T) {
	const entries = 100_000
	dir := asm.At(3*blockSize).U32(1, entries*blockSize)
	for range entries {
		dir.U32(1)
	}
	dir.Align(blockSize)
	blocks := uint32(dir.Here()/blockSize) - 3
	for i := range blocks {
		dir.U32(3 + i)
	}
	dir.Align(blockSize)
	data := asm.At(0).Text(magic7).U32(blockSize, 1, uint32(dir.Here()/blockSize), 8+4*entries, 0, 3+blocks).
		Align(3 * blockSize).Append(dir).Build(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := openError(data)
	runtime.ReadMemStats(&after)
	if want := "pdb: stream 1 (PDB info) at 0x0: is not there: the directory has 0 streams"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
}

// TestEndlessScopes has functions without an end, one in the other, and blocks
// whose scopes lead back to themselves: time is linear in their number.
func TestEndlessScopes(t *testing.T) {
	took := func(n int) time.Duration {
		p := example(t)
		sym := symbolRecords()
		for i := range n {
			addProc(t, sym, "f", 0, 1, uint32(i%0x300), 1)
			sym.Bytes(rec(t, 0x1103, asm.At(0).U32(uint32(sym.Here()), 0, 4, 0x380).U16(1).U8(0)))
			addInline(t, sym, 0x1000, 3, 1, 4, 1)
		}
		p.modules[0].symbols = sym
		p.modules[0].contribs = [][3]uint32{{1, 0, 0x400}}
		f := openBytes(t, p.build(t))
		start := time.Now()
		if complaints := useAll(f); len(complaints) > 0 {
			t.Errorf("%q", complaints[0])
		}
		return time.Since(start)
	}
	small, large := took(2_000), took(20_000)
	if large > 60*small+time.Second {
		t.Errorf("2,000 functions take %v, 20,000 take %v", small, large)
	}
}

// TestDeepInlines nests calls deeper than compilers do.
func TestDeepInlines(t *testing.T) {
	p := example(t)
	sym := symbolRecords()
	addProc(t, sym, "main", 0x1001, 1, 0, 0x40)
	for range 2000 {
		addInline(t, sym, 0x1000, 3, 1, 4, 8)
	}
	p.modules[0].symbols = sym
	f := openBytes(t, p.build(t))
	loc, ok := f.Locate(0x1002)
	if !ok || len(loc.Inlines) != maxDepth-1 {
		t.Errorf("%d calls", len(loc.Inlines))
	}
	if notes := f.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "nested more than 128 deep") {
		t.Errorf("notes: %q", notes)
	}
}

// TestNotesNameThePlace has one defect each.
func TestNotesNameThePlace(t *testing.T) {
	lying := symbolRecords()
	addProc(t, lying, "main", 0x1001, 1, 0, 0x40)
	addEnd(t, lying, 6)
	lying.U16(0x4000, 0x1110)
	old := asm.At(0).U32(2).Zeros(40)
	orphan := symbolRecords()
	addEnd(t, orphan, 6)
	orphan.Mark("nothing")
	addSeparated(t, orphan, "nothing", 1, 0, 0x10)
	tests := []struct {
		name  string
		spoil func(*program)
		want  string
	}{
		{"record", func(p *program) { p.modules[0].symbols = lying },
			"at 0x38: a symbol record reaches beyond the 60 bytes that the module has of them"},
		{"version", func(p *program) { p.modules[0].symbols = old }, "at 0x0: symbol records of version 2, want 4"},
		{"separated code of nothing", func(p *program) { p.modules[0].symbols = orphan },
			"separated code names a function at 0xa, where none is"},
		{"lines", func(p *program) { p.modules[0].c13 = asm.At(0).U32(0xf2, 100, 1) },
			"need 100 bytes, have 4"},
		{"imports", func(p *program) { p.modules[0].c13 = asm.At(0).Bytes(sub(t, 0xf7, asm.At(0).U32(1, 1<<30, 0, 0))) },
			"count 1073741824 exceeds stream size 16"},
		{"file", func(p *program) { p.modules[0].c13 = asm.At(0).Bytes(linesOf(t, 1, 0, 0x40, 0x55, 0, 10)) },
			"source file 0x55, the checksums have 0 bytes"},
		{"name of a file", func(p *program) {
			p.modules[0].c13 = asm.At(0).Bytes(checksums(t, 0x5555)).Bytes(linesOf(t, 1, 0, 0x40, 0, 0, 10))
		}, "(/names) at 0x5561: lies beyond the strings"},
		{"section headers", func(p *program) { p.extra = map[int][]byte{hasSections: {}} }, "no section headers: no address is known"},
		{"names", func(p *program) { p.extra = map[int][]byte{hasNames: asm.At(0).U32(1, 2, 3).Build(t)} },
			"(/names) at 0x0: begins with 0x1 and 3 bytes of strings"},
		{"types", func(p *program) { p.extra = map[int][]byte{streamTPI: asm.At(0).U32(1, 2, 3).Zeros(60).Build(t)} },
			"stream 2 (types) at 0x0: version 1"},
		{"no DBI", func(p *program) { p.extra = map[int][]byte{streamDBI: nil} }, "stream 3 (DBI) is empty"},
		{"DBI", func(p *program) { p.extra = map[int][]byte{streamDBI: asm.At(0).U32(1).Zeros(60).Build(t)} },
			"stream 3 (DBI) at 0x0: signature 0x1 and version 0"},
		{"symbol records", func(p *program) { p.extra = map[int][]byte{hasRecords: asm.At(0).U16(100, 0x110e).Build(t)} },
			"(symbol records) at 0x0: a symbol record reaches beyond the end, 4 bytes are left"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := example(t)
			tt.spoil(p)
			f := openBytes(t, p.build(t))
			if complaints := useAll(f); len(complaints) > 0 {
				t.Errorf("%q", complaints[0])
			}
			notes := strings.Join(f.Notes(), "\n")
			if !strings.Contains(notes, tt.want) {
				t.Errorf("notes %q, want %q", notes, tt.want)
			}
		})
	}
}

// FuzzOpen spoils whole files.
func FuzzOpen(f *testing.F) {
	f.Add(example(f).build(f))
	f.Add(x86(f).build(f))
	f.Fuzz(func(t *testing.T, data []byte) { tryAll(t, "fuzz", data) })
}

// FuzzModule spoils the records and lines of a module, which a container in
// order leads to.
func FuzzModule(f *testing.F) {
	p := example(f)
	f.Add(p.modules[0].symbols.Build(f)[4:], p.modules[0].c13.Build(f))
	f.Fuzz(func(t *testing.T, symbols, c13 []byte) {
		p := example(t)
		p.modules[0].symbols = symbolRecords().Bytes(symbols)
		p.modules[0].c13 = asm.At(0).Bytes(c13)
		tryAll(t, "fuzz", p.build(t))
	})
}

// FuzzTypes spoils the records of types and ids.
func FuzzTypes(f *testing.F) {
	p := example(f)
	f.Add(slices.Concat(p.types...), slices.Concat(p.ids...))
	f.Fuzz(func(t *testing.T, types, ids []byte) {
		p := example(t)
		p.types, p.ids = append([][]byte{types}, make([][]byte, 20)...), append([][]byte{ids}, make([][]byte, 20)...)
		tryAll(t, "fuzz", p.build(t))
	})
}
