package pdb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
)

// many is a program of modules with some functions each, in the order of
// addresses: each function has 16 bytes and a public symbol.
func many(t *testing.T, modules, functions int) *program {
	p := &program{machine: machineAMD64, sections: [][3]uint32{{0x1000, uint32(16 * modules * functions), codeFlags}}, ordered: true, block: 4096}
	off := uint32(0)
	for i := range modules {
		o := object{name: fmt.Sprintf("module_%d.obj", i), symbols: symbolRecords(), c13: asm.At(0)}
		for range functions {
			name := fmt.Sprintf("f%d", off)
			addProc(t, o.symbols, name, 0, 1, off, 16)
			addEnd(t, o.symbols, 6)
			o.contribs = append(o.contribs, [3]uint32{1, off, 16})
			p.publics = append(p.publics, symbolAt{name, 1, off})
			off += 16
		}
		p.modules = append(p.modules, o)
	}
	return p
}

// counted counts what is read, also by several readers at once.
type counted struct {
	io.ReaderAt
	bytes atomic.Int64
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	c.bytes.Add(int64(len(p)))
	return c.ReaderAt.ReadAt(p, off)
}

var errPending = errors.New("later")

// waiting never has the lists read.
func waiting() Options {
	return Options{Search: true, BeforeRead: func(int64) error { return errPending }}
}

func openWith(t *testing.T, data []byte, opt Options) (*File, *counted) {
	t.Helper()
	c := &counted{ReaderAt: bytes.NewReader(data)}
	f, err := Open(bin.NewSource(c, int64(len(data))), opt)
	if err != nil {
		t.Fatal(err)
	}
	return f, c
}

// TestAskReadsOneModule reads what three addresses take of a PDB of 192,000
// functions: places all over the lists, and three modules.
func TestAskReadsOneModule(t *testing.T) {
	for _, modules := range []int{100, 3000} {
		data := many(t, modules, 64).build(t)
		f, read := openWith(t, data, waiting())
		from := read.bytes.Load()
		for _, n := range []uint32{0, 5777, uint32(64*modules - 1)} {
			loc, ok := f.Locate(0x1000 + uint64(16*n) + 5)
			if want := fmt.Sprint("f", 16*n); !ok || loc.Function != want || loc.Multiple {
				t.Fatalf("%d modules: %+v, %v, want %s", modules, loc, ok, want)
			}
		}
		used := read.bytes.Load() - from
		if t.Logf("%d of %d bytes", used, len(data)); modules == 3000 && used > int64(len(data))/5 {
			t.Errorf("%d bytes were read of %d", used, len(data))
		}
		last := read.bytes.Load()
		f.Locate(0x1000 + 16*2345)
		if more := read.bytes.Load() - last; more > 1<<20 {
			t.Errorf("%d bytes were read for one more address", more)
		}
		if _, ok := f.Locate(0x10); ok || f.Unanswered() != 1 {
			t.Errorf("%d questions have no answer, want 1", f.Unanswered())
		}
	}
}

// TestAskIsNeverWrong has lists in other orders, and lists that lack a part: what
// is found is what all of the file says.
func TestAskIsNeverWrong(t *testing.T) {
	found := 0
	for name, change := range map[string]func(*program){
		"right": func(*program) {},
		"two modules swap": func(p *program) {
			p.modules[1].contribs, p.modules[2].contribs = p.modules[2].contribs, p.modules[1].contribs
		},
		"overlapping":       func(p *program) { p.modules[1].contribs[3][2] = 100 },
		"one place":         func(p *program) { p.modules[2].contribs[3] = p.modules[2].contribs[4] },
		"none":              func(p *program) { p.modules[1].contribs = nil },
		"publics swap":      func(p *program) { p.publics[9], p.publics[10] = p.publics[10], p.publics[9] },
		"publics of a name": func(p *program) { p.publics[9].off = p.publics[10].off },
		"other sections":    func(p *program) { p.publics[9].sect = 2 },
	} {
		p := many(t, 6, 8)
		change(p)
		data := p.build(t)
		whole := openBytes(t, data)
		f, _ := openWith(t, data, waiting())
		for rel := uint64(0x1000); rel < 0x1000+6*8*16; rel += 8 {
			got, ok := f.Locate(rel)
			if !ok {
				continue
			}
			found++
			if want, _ := whole.Locate(rel); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: at %#x %+v, want %+v", name, rel, got, want)
			}
		}
		if n, _ := f.Scan(); n > 0 {
			t.Errorf("%s: the scan says something else of %d answers", name, n)
		}
	}
	if found < 300 {
		t.Errorf("%d answers", found)
	}
}

// TestAskThenAll answers what the search cannot when it may read the lists.
func TestAskThenAll(t *testing.T) {
	p := many(t, 4, 4)
	p.modules[3].contribs = nil
	p.publics = p.publics[:14]
	f, _ := openWith(t, p.build(t), Options{Search: true})
	if loc, ok := f.Locate(0x1000 + 13*16); !ok || loc.Function != "f208" || !loc.Public || f.Unanswered() != 0 {
		t.Errorf("%+v, %v", loc, ok)
	}
}

// TestFirstOfRemoved lists a few functions where a tool that rearranged the
// program removed one: it is at no address.
func TestFirstOfRemoved(t *testing.T) {
	p := many(t, 2, 4)
	p.optional = map[int][]byte{
		optOmapFromSrc:  asm.At(0).U32(0x1000, 0x1000, 0x1020, 0, 0x1030, 0x1020).Build(t),
		optOmapToSource: asm.At(0).U32(0x1000, 0x1000, 0x1020, 0x1030).Build(t),
	}
	f, _ := openWith(t, p.build(t), Options{Search: true})
	var names []string
	if err := f.EachFirst(func(fn *symbolize.Function) error { names = append(names, fn.Name); return nil }); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(names), "[f0 f16 f48 f64 f80 f96 f112]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
