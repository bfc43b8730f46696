package dwarf

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

// inOrder makes units whose code is in the order of the file. Each has a function, and a text of size
// bytes.
func inOrder(t *testing.T, units uint64, size int) (sections map[string][]byte, headers []uint64) {
	var info, aranges []byte
	for n := range units {
		headers = append(headers, uint64(len(info)))
		aranges = append(aranges, set(t, len(info), 0x1000+16*n, 16)...)
		info = append(info, unit4(func(s *asm.Section) {
			s.U8(1).U64(0x1000 + 16*n).U32(16)
			s.U8(2).Bytes(text(fmt.Sprint("f", n))).U64(0x1000 + 16*n).U32(16)
			s.U8(3).Bytes(text(strings.Repeat("x", size))).U8(0)
		}).Build(t)...)
	}
	return map[string][]byte{"info": info, "aranges": aranges, "abbrev": abbrevs(
		decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formData4}),
		decl(2, tagSubprogram, 0, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formData4}),
		decl(3, tagVariable, 0, attr{atName, formString}),
	)}, headers
}

// counted counts what is read of a section.
type counted struct {
	io.ReaderAt
	calls, bytes int
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	c.calls++
	c.bytes += len(p)
	return c.ReaderAt.ReadAt(p, off)
}

// openCounted opens sections, and counts what is read of the units.
func openCounted(sections map[string][]byte, opt Options) (*File, *counted) {
	out := Sections{}
	for name, data := range sections {
		out[name] = source(data)
	}
	c := &counted{ReaderAt: out["info"]}
	out["info"] = bin.NewSource(c, out["info"].Size())
	return Open(out, opt), c
}

var errPending = errors.New("later")

// waiting never lets all headers be read.
func waiting() Options {
	return Options{Search: true, BeforeRead: func(int64) error { return errPending }}
}

// TestAskReadsOneUnit reads as little of a file of 64 MB as of one of 1 MB.
func TestAskReadsOneUnit(t *testing.T) {
	for _, units := range []uint64{256, 16 << 10} {
		sections, _ := inOrder(t, units, 4000)
		f, read := openCounted(sections, waiting())
		for _, n := range []uint64{0, units / 3, units - 1} {
			before := *read
			fn, ok := f.Function(0x1000 + 16*n + 7)
			if !ok || fn.Name != fmt.Sprint("f", n) {
				t.Fatalf("unit %d: %+v, %v", n, fn, ok)
			}
			if calls, bytes := read.calls-before.calls, read.bytes-before.bytes; calls > 4 || bytes > 80<<10 {
				t.Errorf("%d units: %d calls and %d bytes for one address", units, calls, bytes)
			}
		}
		if _, ok := f.Function(0x10); ok || f.Unanswered() != 1 {
			t.Errorf("%d questions have no answer, want 1", f.Unanswered())
		}
	}
}

// TestAskIsNeverWrong damages every byte of .debug_aranges, and shifts it: what
// is found is what the whole file says.
func TestAskIsNeverWrong(t *testing.T) {
	const units = 6
	sections, _ := inOrder(t, units, 10)
	whole := open(sections, Options{})
	right := sections["aranges"]
	found := 0
	for at := range right {
		for _, flip := range []byte{0x01, 0x10, 0x80} {
			sections["aranges"] = append([]byte{}, right...)
			sections["aranges"][at] ^= flip
			f := open(sections, waiting())
			for n := range uint64(units) {
				want, _ := whole.Function(0x1000 + 16*n)
				if got, ok := f.Function(0x1000 + 16*n); ok {
					if found++; got != want {
						t.Fatalf("byte %#x ^ %#x: %+v, want %+v", at, flip, got, want)
					}
				}
			}
		}
	}
	if found == 0 {
		t.Error("nothing is found")
	}
}

// TestAskWithoutHint reads all headers where .debug_aranges has no set for the
// unit of an address, in parts, and says the same then.
func TestAskWithoutHint(t *testing.T) {
	const units = 2000
	sections, headers := inOrder(t, units, 4000)
	lost := len(sections["aranges"]) / units
	sections["aranges"] = sections["aranges"][lost:] // the first unit's
	parts := 0
	f := open(sections, Options{Search: true, BeforeRead: func(done int64) error {
		if parts++; parts%2 == 0 {
			return errPending
		}
		return nil
	}})
	for range 2 * units {
		if fn, ok := f.Function(0x1008); ok {
			if fn.Name != "f0" || parts < 8 || f.Unanswered() < 4 {
				t.Errorf("%+v after %d parts, %d were left", fn, parts, f.Unanswered())
			}
			return
		}
	}
	t.Errorf("no answer, %d headers", len(headers))
}

// TestAskIsCompared gives an answer that a unit without a set contradicts: its
// function begins later. When all headers are read, that is told.
func TestAskIsCompared(t *testing.T) {
	sections, _ := inOrder(t, 3, 10)
	sections["info"] = append(sections["info"], unit4(func(s *asm.Section) {
		s.U8(1).U64(0x1000).U32(0x30)
		s.U8(2).Bytes(text("inside")).U64(0x1014).U32(4).U8(0)
	}).Build(t)...)
	f := open(sections, Options{Search: true})
	if fn, _ := f.Function(0x1015); fn.Name != "f1" {
		t.Fatalf("%+v", fn)
	}
	if n, err := f.Scan(); n != 1 || err != nil || len(f.Notes()) != 1 {
		t.Errorf("%d answers differ, %v, %q", n, err, f.Notes())
	}
	if fn, _ := f.Function(0x1015); fn.Name != "inside" {
		t.Errorf("%+v", fn)
	}
}

// FuzzAsk has any bytes as .debug_aranges: what is found with them is what the
// whole file says.
func FuzzAsk(f *testing.F) {
	const units = 6
	t := &testing.T{}
	sections, _ := inOrder(t, units, 10)
	right := sections["aranges"]
	f.Add(right)
	f.Add(right[48:])
	f.Add(append(append([]byte{}, right[48:96]...), right...))
	f.Fuzz(func(t *testing.T, aranges []byte) {
		damaged := map[string][]byte{"info": sections["info"], "abbrev": sections["abbrev"], "aranges": aranges}
		whole, searched := open(damaged, Options{}), open(damaged, waiting())
		for rel := uint64(0x1000); rel < 0x1000+16*units; rel += 5 {
			got, ok := searched.Function(rel)
			if want, _ := whole.Function(rel); ok && got != want {
				t.Fatalf("at %#x: %+v, want %+v", rel, got, want)
			}
		}
		if n, err := searched.Scan(); n > 0 || err != nil {
			t.Fatalf("%d answers differ, %v", n, err)
		}
	})
}

// TestAskBeforeTheImage has a base inside of the first function. A function that
// begins before its image has no address that could be said, searched or not.
func TestAskBeforeTheImage(t *testing.T) {
	sections, _ := inOrder(t, 4, 10)
	for what, opt := range map[string]Options{"searched": {Search: true, Base: 0x1008}, "whole": {Base: 0x1008}} {
		f := open(sections, opt)
		if fn, ok := f.Function(9); !ok || fn.Name != "f1" || fn.Start != 8 {
			t.Errorf("%s: the second function is %+v, %v", what, fn, ok)
		}
		if fn, ok := f.Function(1); ok {
			t.Errorf("%s: the first function is %+v", what, fn)
		}
		if loc, ok := f.Locate(1); ok {
			t.Errorf("%s: the first function is at %+v", what, loc)
		}
	}
}

// TestAskWithoutAranges has no .debug_aranges, as clang and rustc leave it out. The
// headers of all units are read in parts, and the question is open meanwhile.
func TestAskWithoutAranges(t *testing.T) {
	const units = 2000
	sections, _ := inOrder(t, units, 4000)
	delete(sections, "aranges")
	parts := 0
	f := open(sections, Options{Search: true, BeforeRead: func(done int64) error {
		if parts++; parts%2 == 0 {
			return errPending
		}
		return nil
	}})
	queries := 0
	for ; queries < 100; queries++ {
		if fn, ok := f.Function(0x1007); ok {
			if fn.Name != "f0" {
				t.Errorf("%+v", fn)
			}
			break
		}
	}
	if queries == 0 || f.Unanswered() != queries {
		t.Errorf("%d queries before there was an answer, %d without one", queries, f.Unanswered())
	}
}
