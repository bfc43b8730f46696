package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/core/base/bin"
	"crashglass/core/dump/container"
	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/core/report/render"
	"crashglass/symbols"
)

// maxMemory is the default of --memory. It covers all stacks of a dump that was made to be sent,
// and the beginning of a dump with all memory. A byte takes four or five in the output.
const (
	maxMemory  = 8 << 20
	shownBytes = 5
)

// dumpCommand shows every stream, also of types that walk does not need, for users who look for
// damage or write dumps themselves.
func dumpCommand(c *cli) *cobra.Command {
	var memory uint64
	var out string
	cmd := &cobra.Command{
		Use:     "dump [flags] DUMP...",
		Short:   "every stream of a dump, decoded",
		Example: "  crashglass dump crash.dmp | less",
	}
	return c.command(cmd, "name a dump", func(f *pflag.FlagSet) {
		f.StringVarP(&out, "output", "o", "", "write to `file` instead of standard output")
		f.Uint64Var(&memory, "memory", maxMemory, "`bytes` of memory shown, stacks included")
	}, func(args []string) int { return c.dump(args, out, everyStream(memory)) })
}

type dumpForm func(w io.Writer, opened []container.Dump) error

// A file that cannot be read costs one line and exit status 1, and the others are still written.
func (c *cli) dump(args []string, out string, form dumpForm) int {
	files := newFiles(c)
	defer files.close()
	inputs := files.inputs(c, args)
	if len(inputs) == 0 {
		return c.status
	}
	err := c.to(files, out, func(w io.Writer) error {
		return c.each(inputs, out, func(in input) error {
			return files.with(in, func(d symbols.Item) error { return dumpInput(d, w, form) })
		})
	})
	if err != nil {
		c.failOutput(out, err)
	}
	return c.status
}

// dumpInput writes all dumps of a file in a form: a log may have several microdumps.
func dumpInput(d symbols.Item, w io.Writer, form dumpForm) error {
	opened, err := container.OpenAll(d.Source)
	if err != nil {
		return err
	}
	return form(w, opened)
}

// everyStream is the form of the dump command: every stream, decoded if its format is known, and at
// most that many bytes of memory.
func everyStream(memory uint64) dumpForm {
	return func(w io.Writer, opened []container.Dump) error {
		room := int64(render.MaxOutput - 1<<10 + shownBytes*min(memory-min(memory, maxMemory), 1<<40)) // shared by all dumps of a file
		for i := range opened {
			if err := dumpOne(w, &opened[i], memory, &room); err != nil || room < 0 {
				return err
			}
		}
		return nil
	}
}

// dumpOne writes the header and the streams of a dump in the order of its directory. Of two streams of one type
// only the one that readers use is decoded.
func dumpOne(w io.Writer, d *container.Dump, memory uint64, room *int64) error {
	f, err := d.Streams()
	if err != nil {
		return err
	}
	p := &dumper{printer{bufio.NewWriter(w), room}, f, d.Process, memory, bin.NewBudget(leastBytes + 2*f.Size())}
	p.header()
	for i, s := range f.Streams() {
		if p.full() {
			break
		}
		if n, _ := f.Used(s.Type); n != i {
			p.printf("\nStream %d: %#x %s, %d bytes at %#x: not read, stream %d has the same type\n", i, uint32(s.Type), s.Type.Name(), s.Size, s.RVA, n)
			continue
		}
		p.stream(i, s)
	}
	return p.end()
}

// leastBytes is the number of bytes that may be shown of any dump. Thousands of streams may share
// their bytes, so the limit is near the size of the file.
const leastBytes = 1 << 20

type dumper struct {
	printer
	f       *minidump.File // of another file than a minidump: what it is as one
	process *process.Process
	memory  uint64      // bytes of memory that may still be shown
	bytes   *bin.Budget // bytes of unknown format that may still be shown
}

// header writes what is known of the file beyond its streams: all of it for a core or a microdump.
func (p *dumper) header() {
	o := &p.process.Origin
	if o.Detail != nil {
		p.printf("%s%s\n", strings.ToUpper(o.Kind[:1]), o.Kind[1:])
		p.value("  ", o.Detail)
		return
	}
	if p.process.Lacks.Has(process.Places) {
		p.printf("%s\n", o.Kind)
		p.value("  ", *o)
		p.value("  ", struct {
			Writer      string
			Annotations []process.Annotation
			Lacks       process.Lack
		}{p.process.Writer, p.process.Annotations, p.process.Lacks})
	}
	p.printf("Header\n")
	p.value("  ", p.f.Header())
	p.damage(p.f.Damage())
}

// stream writes one entry of the directory: decoded if its type is known, else as text or as bytes.
func (p *dumper) stream(i int, s minidump.Stream) {
	p.printf("\nStream %d: %#x %s, %d bytes", i, uint32(s.Type), s.Type.Name(), s.Size)
	if !p.process.Lacks.Has(process.Places) {
		p.printf(" at %#x", s.RVA)
	}
	p.printf("\n")
	v, err := p.f.Decode(s.Type)
	if errors.Is(err, minidump.ErrNoReader) {
		if p.bytes.Left() == 0 {
			p.printf("  %d more bytes\n", s.Size)
			return
		}
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

// damage writes why a stream could not be read.
func (p *dumper) damage(err error) {
	if err != nil && !errors.Is(err, minidump.ErrNoStream) {
		p.printf("  damaged: %s\n", oneLine(err.Error()))
	}
}

// A NUL ends a line, too: it separates the arguments and variables in /proc/PID/cmdline and environ, which Breakpad copies into streams.
func (p *dumper) lines(text string) {
	for line := range strings.SplitSeq(strings.TrimRight(strings.ReplaceAll(text, "\x00", "\n"), "\n"), "\n") {
		p.printf("  %s\n", render.Escape(line))
	}
}

// A printer writes lines until its limit is used up. Its writer remembers the first error.
type printer struct {
	w    *bufio.Writer
	room *int64 // bytes that may still be written
}

// printf writes text as long as there is room for it. A damaged dump can show the same bytes many times.
func (p *printer) printf(format string, args ...any) {
	if p.full() {
		return
	}
	text := fmt.Sprintf(format, args...)
	if *p.room -= int64(len(text)); !p.full() {
		p.w.WriteString(text)
	}
}

// full reports whether further lines would be dropped.
func (p *printer) full() bool { return *p.room < 0 }

// end writes a line if something was dropped, and flushes.
func (p *printer) end() error {
	if p.full() {
		fmt.Fprintf(p.w, "\nThe rest is left out: the output of this dump exceeds %d MiB. Use --memory to show less or more of its memory.\n", render.MaxOutput>>20)
	}
	return p.w.Flush()
}
