package main

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"crashglass/core/bug"
	"crashglass/core/container"
	"crashglass/core/minidump"
	"crashglass/core/render"
)

// maxMemory is how much memory is shown unless more is asked for: that of any
// dump that was made to be sent, and the beginning of one with all memory.
const maxMemory = 64 << 20

// dump writes every stream of dumps, decoded as far as its format is known.
func dump(c *cli, args []string) int {
	f := c.flags()
	memory := f.Uint64("memory", maxMemory, "`bytes` of memory shown, stacks included")
	if status, ok := c.parse(f, args); !ok {
		return status
	}
	if f.NArg() == 0 {
		return c.wrong("which dump?")
	}
	files := newFiles(c, false)
	defer files.close()
	status := exitOK
	for _, file := range f.Args() {
		if err := c.dumpFile(files, file, *memory); err != nil {
			c.fail(file, err)
			status = exitInput
		}
	}
	return status
}

func (c *cli) dumpFile(files *files, file string, memory uint64) (err error) {
	defer bug.Catch(&err)
	dumps, err := files.dumps(file)
	if err != nil {
		return err
	}
	for _, d := range dumps {
		opened, err := container.OpenAll(d.Source)
		if err != nil {
			return err
		}
		for _, f := range opened {
			if err := c.dumpOne(f, memory); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *cli) dumpOne(f *minidump.File, memory uint64) error {
	p := &dumper{printer{bufio.NewWriter(c.out)}, f, memory}
	p.header()
	first := map[minidump.StreamType]int{}
	for i, s := range f.Streams() {
		if n, again := first[s.Type]; again {
			p.printf("\nStream %d: %#x %s, %d bytes at %#x: not read, stream %d has the same type\n", i, uint32(s.Type), s.Type.Name(), s.Size, s.RVA, n)
			continue
		}
		first[s.Type] = i
		p.stream(i, s)
	}
	return p.w.Flush()
}

// A dumper writes the streams of one dump.
type dumper struct {
	printer
	f      *minidump.File
	memory uint64 // bytes of memory that may still be shown
}

func (p *dumper) header() {
	if m := p.f.Microdump(); m != nil {
		p.printf("Microdump\n")
		p.value("  ", m)
		return
	}
	if c := p.f.Core(); c != nil {
		p.printf("%s\n", c.Kind)
		p.value("  ", c)
	}
	p.printf("Header\n")
	p.value("  ", p.f.Header())
	p.damage(p.f.Damage())
}

// stream writes one entry of the directory: decoded, where its kind is known,
// as text, or as bytes.
func (p *dumper) stream(i int, s minidump.Stream) {
	p.printf("\nStream %d: %#x %s, %d bytes at %#x\n", i, uint32(s.Type), s.Type.Name(), s.Size, s.RVA)
	v, err := p.f.Decode(s.Type)
	if errors.Is(err, minidump.ErrNoReader) {
		v, err = p.f.Bytes("stream", s.Location)
	}
	switch v := v.(type) {
	case minidump.Text:
		p.lines(string(v))
	case []byte:
		p.hex("  ", 0, v)
	default:
		p.value("  ", v)
	}
	p.damage(err)
}

// damage says what could not be read.
func (p *dumper) damage(err error) {
	if err != nil && !errors.Is(err, minidump.ErrNoStream) {
		p.printf("  damaged: %s\n", oneLine(err.Error()))
	}
}

// lines writes text with its line ends; a NUL separates values.
func (p *dumper) lines(text string) {
	for line := range strings.SplitSeq(strings.TrimRight(strings.ReplaceAll(text, "\x00", "\n"), "\n"), "\n") {
		p.printf("  %s\n", render.Escape(line))
	}
}

// printer writes lines; its writer remembers the first error.
type printer struct{ w *bufio.Writer }

func (p printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }
