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
	return Options{Waits: true, BeforeRead: func(int64) error { return errPending }}
}

// TestAskBeforeTheImage has a base inside of the first function. A function that
// begins before its image has no address that could be said, large or not.
func TestAskBeforeTheImage(t *testing.T) {
	sections, _ := inOrder(t, 4, 10)
	for what, opt := range map[string]Options{"waits": {Waits: true, Base: 0x1008}, "whole": {Base: 0x1008}} {
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

// The headers of all units of a large file are read in parts, and the question is open meanwhile.
func TestAskInParts(t *testing.T) {
	const units = 2000
	sections, _ := inOrder(t, units, 4000)
	parts := 0
	f := open(sections, Options{Waits: true, BeforeRead: func(done int64) error {
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
