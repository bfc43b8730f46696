package breakpad

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// A Content is the input of Write. Everything except Module may be missing.
type Content struct {
	Module Module

	Functions func(add func(*symbolize.Function) error) error
	Publics   func(add func(symbolize.Public) error) error
	Frames    func(add func(*unwind.CallFrameTable) error) error
	WinFrames func(add func(unwind.WinFrame) error) error

	// Name, if any, makes a function's name from the source's.
	Name func(string) string
}

// Write writes a symbol file. FILE and INLINE_ORIGIN records come before the
// first record that refers to them rather than at the beginning, so that a
// file of any size is written as its source is read.
//
// Data that a symbol file cannot express is omitted: call frame rules with operators that Breakpad
// lacks, and the mark of signal frames.
//
// Source: Breakpad's docs/symbol_files.md.
func Write(to io.Writer, c Content) error {
	w := writer{Writer: bufio.NewWriterSize(to, 256<<10), c: &c, files: newNumbers("FILE "), origins: newNumbers("INLINE_ORIGIN ")}
	w.module(&c.Module)
	err := w.records()
	return cmp.Or(err, w.Flush())
}

// A writer keeps the numbers of files and of functions that are inlined.
type writer struct {
	*bufio.Writer
	c       *Content
	files   *numbers
	origins *numbers
	line    []byte
	segment segment
	rules   []unwind.Rule // the latest ones
	refs    []int         // numbers that a function's records have
}

func (w *writer) module(m *Module) {
	fmt.Fprintf(w, "MODULE %s %s %s %s\n", orElse(m.OS, "Linux"), orElse(m.Arch, "unknown"), orElse(m.ID, strings.Repeat("0", 33)), orElse(m.Name, "unknown"))
	if m.CodeID != "" {
		fmt.Fprintln(w, strings.TrimRight("INFO CODE_ID "+oneLine(m.CodeID)+" "+oneLine(m.CodeFile), " "))
	}
}

// orElse returns a field, or the placeholder of an empty one.
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
	w.number(f)
	w.line = append(append(w.line[:0], "FUNC "...), multiple(f.Multiple)...)
	w.line = append(appendHex(w.line, f.Start), ' ')
	w.line = append(appendHex(w.line, f.Size), ' ')
	w.line = append(appendHex(w.line, uint64(f.ParamSize)), ' ')
	w.line = append(append(w.line, w.name(f.Name)...), '\n')
	lines, calls := w.refs[:len(f.Lines)], w.refs[len(f.Lines):]
	for i := range f.Inlines {
		w.inline(&f.Inlines[i], calls[2*i], calls[2*i+1])
	}
	for i := range f.Lines {
		w.lineRecord(&f.Lines[i], lines[i])
	}
	_, err := w.Write(w.line)
	return err
}

// number writes the records of the names that a function refers to, where they
// are new, and keeps the numbers: one for each line, and two for each inlined call.
func (w *writer) number(f *symbolize.Function) {
	w.refs = w.refs[:0]
	for i := range f.Lines {
		ref := noFile
		if file := f.Lines[i].File; file != "" {
			ref = w.files.of(w, file, oneLine)
		}
		w.refs = append(w.refs, ref)
	}
	for i := range f.Inlines {
		in := &f.Inlines[i]
		w.refs = append(w.refs, w.files.of(w, cmp.Or(in.CallFile, unknownFile), oneLine), w.origins.of(w, in.Function, w.name))
	}
}

// noFile is the number of no file. A line without a file cannot be written.
const noFile = -1

func appendHex(line []byte, n uint64) []byte { return strconv.AppendUint(line, n, 16) }

func appendDecimal(line []byte, n int) []byte { return strconv.AppendInt(line, int64(n), 10) }

// lineRecord appends a line record, the most frequent record.
func (w *writer) lineRecord(l *symbolize.Line, file int) {
	if l.Size == 0 || file == noFile {
		return
	}
	w.line = append(appendHex(w.line, l.Start), ' ')
	w.line = append(appendHex(w.line, l.Size), ' ')
	w.line = append(appendDecimal(w.line, int(l.Line)), ' ')
	w.line = append(appendDecimal(w.line, file), '\n')
}

// unknownFile is the file of an inlined call with an unknown call site, because the record must
// name a file.
const unknownFile = "<unknown>"

func multiple(m bool) string {
	if m {
		return "m "
	}
	return ""
}

func (w *writer) inline(c *symbolize.InlineCall, file, origin int) {
	if len(c.Ranges) == 0 {
		return
	}
	w.line = append(appendDecimal(append(w.line, "INLINE "...), c.Depth), ' ')
	w.line = append(appendDecimal(w.line, int(c.CallLine)), ' ')
	w.line = append(appendDecimal(w.line, file), ' ')
	w.line = appendDecimal(w.line, origin)
	for _, r := range c.Ranges {
		w.line = appendHex(append(w.line, ' '), r.Start)
		w.line = appendHex(append(w.line, ' '), r.Size)
	}
	w.line = append(w.line, '\n')
}

// name returns a function's name for the file. dump_syms writes the same placeholder for a function
// without a name.
func (w *writer) name(name string) string {
	if w.c.Name != nil {
		name = w.c.Name(name)
	}
	return cmp.Or(oneLine(name), "<name omitted>")
}

// oneLine makes text fit into a line: names may contain any character.
func oneLine(s string) string {
	if isPlain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// isPlain reports whether text can be written as it is, as nearly all can.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
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
		if p.Stated > 0 {
			fmt.Fprintf(w, "%s%x\n", publicSize, p.Stated)
		}
	}
	return nil
}

// The size of the epilogue and the deepest stack are unknown here, and a stack walk does not need them.
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
	_, err := fmt.Fprintf(w, "STACK WIN %d %x %x %x 0 %x %x %x 0 %d %s\n", kind, f.Start, f.Size, f.Prolog, f.ParamSize, f.SavedRegs, f.Locals, has, last)
	return err
}

// numbers assigns numbers to the names in one kind of record. A record is written when its name is
// first needed.
type numbers struct {
	record string         // the record up to its number
	names  map[string]int // as the source has them
	texts  map[string]int // as they are written: different names may look the same
	last   struct {
		name   string
		number int
	}
}

func newNumbers(record string) *numbers {
	return &numbers{record: record, names: map[string]int{}, texts: map[string]int{}}
}

// of returns the number of a name; spell makes the written form. Often the same name is needed
// again.
func (n *numbers) of(w *writer, name string, spell func(string) string) int {
	if n.last.name == name && len(n.names) > 0 {
		return n.last.number
	}
	number, known := n.names[name]
	if !known {
		number = n.spelt(w, spell(name))
		n.names[name] = number
	}
	n.last.name, n.last.number = name, number
	return number
}

func (n *numbers) spelt(w *writer, text string) int {
	number, known := n.texts[text]
	if known {
		return number
	}
	number = len(n.texts)
	n.texts[text] = number
	w.line = append(appendDecimal(append(w.line[:0], n.record...), number), ' ')
	w.line = append(append(w.line, text...), '\n')
	w.Write(w.line) // the Writer keeps its error
	return number
}
