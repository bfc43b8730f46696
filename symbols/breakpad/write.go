package breakpad

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"crashglass/core/symbolize"
	"crashglass/core/unwind"
)

// A Content is what Write writes. All of it but Module may be missing.
type Content struct {
	Module Module

	Functions func(add func(*symbolize.Function) error) error
	Publics   func(add func(symbolize.Public) error) error
	Frames    func(add func(*unwind.CallFrameTable) error) error
	WinFrames func(add func(unwind.WinFrame) error) error

	// Name, if any, makes a function's name of what the source has.
	Name func(string) string
}

// Write writes a symbol file. FILE and INLINE_ORIGIN records come before the
// first record that refers to them rather than at the beginning, so that a
// file of any size is written as its source is read.
//
// What a symbol file cannot say is left out: call frame rules with operators
// that Breakpad does not have, and that a frame was entered by the system.
//
// Source: Breakpad's docs/symbol_files.md.
func Write(to io.Writer, c Content) error {
	w := writer{Writer: bufio.NewWriterSize(to, 256<<10), c: &c, files: map[string]int{}, origins: map[string]int{}}
	w.module(&c.Module)
	err := w.records()
	return cmp.Or(err, w.Flush())
}

// A writer keeps the numbers of files and of functions that are inlined.
type writer struct {
	*bufio.Writer
	c       *Content
	files   map[string]int
	origins map[string]int
	line    []byte
	rows    []byte // of rules, as it was last needed
}

func (w *writer) module(m *Module) {
	fmt.Fprintf(w, "MODULE %s %s %s %s\n", orElse(m.OS, "Linux"), orElse(m.Arch, "unknown"), orElse(m.ID, strings.Repeat("0", 33)), orElse(m.Name, "unknown"))
	if m.CodeID != "" {
		fmt.Fprintln(w, strings.TrimRight("INFO CODE_ID "+oneLine(m.CodeID)+" "+oneLine(m.CodeFile), " "))
	}
}

// orElse is a field, or what stands for one that is empty.
func orElse(s, instead string) string { return cmp.Or(oneLine(s), instead) }

func (w *writer) records() error {
	if list := w.c.Functions; list != nil {
		if err := list(w.function); err != nil {
			return err
		}
	}
	if err := w.publics(); err != nil {
		return err
	}
	if list := w.c.Frames; list != nil {
		if err := list(w.callFrames); err != nil {
			return err
		}
	}
	if list := w.c.WinFrames; list != nil {
		return list(w.winFrame)
	}
	return nil
}

func (w *writer) function(f *symbolize.Function) error {
	if f.Size == 0 {
		return nil
	}
	for _, l := range f.Lines {
		if l.File != "" {
			w.number(w.files, "FILE", l.File)
		}
	}
	for i := range f.Inlines {
		w.number(w.files, "FILE", cmp.Or(f.Inlines[i].CallFile, unknownFile))
		w.number(w.origins, "INLINE_ORIGIN", w.name(f.Inlines[i].Function))
	}
	w.line = append(w.line[:0], "FUNC "...)
	w.line = append(w.line, multiple(f.Multiple)...)
	w.line = fmt.Appendf(w.line, "%x %x %x %s\n", f.Start, f.Size, f.ParamSize, w.name(f.Name))
	for i := range f.Inlines {
		w.inline(&f.Inlines[i])
	}
	for _, l := range f.Lines {
		if l.Size > 0 && l.File != "" { // a line of no file cannot be said
			w.lineRecord(&l)
		}
	}
	_, err := w.Write(w.line)
	return err
}

// lineRecord appends what is the most frequent record.
func (w *writer) lineRecord(l *symbolize.Line) {
	w.line = append(strconv.AppendUint(w.line, l.Start, 16), ' ')
	w.line = append(strconv.AppendUint(w.line, l.Size, 16), ' ')
	w.line = append(strconv.AppendUint(w.line, uint64(l.Line), 10), ' ')
	w.line = append(strconv.AppendInt(w.line, int64(w.files[oneLine(l.File)]), 10), '\n')
}

// unknownFile is where a call was inlined that nobody knows the place of: the
// record must name a file.
const unknownFile = "<unknown>"

func multiple(m bool) string {
	if m {
		return "m "
	}
	return ""
}

func (w *writer) inline(c *symbolize.InlineCall) {
	if len(c.Ranges) == 0 {
		return
	}
	w.line = fmt.Appendf(w.line, "INLINE %d %d %d %d", c.Depth, c.CallLine, w.files[oneLine(cmp.Or(c.CallFile, unknownFile))], w.origins[w.name(c.Function)])
	for _, r := range c.Ranges {
		w.line = fmt.Appendf(w.line, " %x %x", r.Start, r.Size)
	}
	w.line = append(w.line, '\n')
}

// number gives a name its number and writes the record that says so, once.
func (w *writer) number(numbers map[string]int, record, name string) {
	name = oneLine(name)
	if _, known := numbers[name]; known {
		return
	}
	numbers[name] = len(numbers)
	fmt.Fprintf(w, "%s %d %s\n", record, len(numbers)-1, name)
}

// name is a function's name as the file has it. dump_syms has the same words
// for a function without a name.
func (w *writer) name(name string) string {
	if w.c.Name != nil {
		name = w.c.Name(name)
	}
	return cmp.Or(oneLine(name), "<name omitted>")
}

// oneLine makes text that a line can hold: names may contain anything.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// publics writes the symbols in the order of addresses, which other readers
// expect.
func (w *writer) publics() error {
	var all []symbolize.Public
	if list := w.c.Publics; list != nil {
		if err := list(func(p symbolize.Public) error { all = append(all, p); return nil }); err != nil {
			return err
		}
	}
	slices.SortFunc(all, func(a, b symbolize.Public) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Name, b.Name))
	})
	for _, p := range all {
		fmt.Fprintf(w, "PUBLIC %s%x %x %s\n", multiple(p.Multiple), p.Start, p.ParamSize, w.name(p.Name))
	}
	return nil
}

// winFrame writes a STACK WIN record. The sizes of prologue and epilogue and
// the deepest stack are of no use to a stack walk, and not known here.
func (w *writer) winFrame(f unwind.WinFrame) error {
	kind := 0
	if f.FrameData {
		kind = 4
	}
	last, has := "0", 0
	if f.Program != "" {
		last, has = oneLine(f.Program), 1
	} else if f.AllocatesEBP {
		last = "1"
	}
	_, err := fmt.Fprintf(w, "STACK WIN %d %x %x 0 0 %x %x %x 0 %d %s\n", kind, f.Start, f.Size, f.ParamSize, f.SavedRegs, f.Locals, has, last)
	return err
}
