package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump/write"
	"crashglass/core/process"
	"crashglass/symbols"
	"crashglass/symbols/formats/sniff"
)

type convertFlags struct {
	out   string
	full  bool // all captured memory, as MiniDumpWithFullMemory
	local localFlags
}

func (v *convertFlags) register(f *pflag.FlagSet) {
	f.StringVarP(&v.out, "output", "o", "", "write to `file` instead of standard output")
	f.BoolVar(&v.full, "full", false, "include all captured memory, not only the stacks")
	v.local.register(f)
}

// convertCommand writes a core in the format that WinDbg, lldb and crash reporters read.
func convertCommand(c *cli) *cobra.Command {
	var v convertFlags
	cmd := &cobra.Command{
		Use:   "convert [flags] CORE [FILE...]",
		Short: "an ELF core as a minidump",
		Long: "Writes an ELF core as a minidump, which other programs read, too.\n\n" +
			"A core often lacks the code of files. The code around program counters is read from the files of this machine, and\n" +
			"from the programs and libraries that you name as FILE. A core that QEMU wrote has no build IDs: they are read from\n" +
			"the files that you name.",
		Example: "  crashglass convert -o crash.dmp core.1234",
	}
	return c.command(cmd, "name one core", v.register, func(args []string) int { return c.convert(args, &v) })
}

// convert writes an ELF core as a minidump, which other programs read, too.
func (c *cli) convert(args []string, v *convertFlags) int {
	if v.out == "" && isTerminal(c.out) {
		return c.wrong("a dump is no text for a terminal: name a file with --output")
	}
	files := newLocalFiles(c, &v.local, nil)
	if files == nil {
		return exitInput
	}
	defer files.close()
	in, ok := files.onlyInput(c, args, "name one core")
	if !ok {
		return c.status
	}
	if err := c.convertInput(files, in, v); err != nil {
		c.fail(in.path, err)
	}
	files.sayUnused(c)
	return c.status
}

// convertInput writes one core as a minidump.
// With --full, the minidump is read from the core while it is written, and is never in memory.
func (c *cli) convertInput(files *files, in input, v *convertFlags) error {
	return files.one(in, func(d symbols.Item) error {
		if d.Kind == sniff.Minidump {
			return errors.New("this is a minidump already: convert makes one of an ELF core")
		}
		sessions, err := analyze.OpenAll(d.Source)
		if err != nil {
			return err
		}
		p := sessions[0].Process()
		if p.Lacks.Has(process.Copy) {
			return errors.New("this is " + d.Kind.Sentence() + ", not an ELF core")
		}
		files.unused(sessions[0].Modules())
		files.identify(p)
		addCode(p, d.Source, sessions[0].Code(files.store))
		view, notes, err := v.minidump(p)
		if err != nil {
			return err
		}
		for _, n := range p.Notes {
			if n.Where == "" { // it has a place in the core
				notes = append(notes, n.Err)
			}
		}
		for _, err := range notes {
			c.warn(in.path, err.Error())
		}
		return c.to(files, v.out, func(w io.Writer) error {
			_, err := io.Copy(w, io.NewSectionReader(view, 0, view.Size()))
			return err
		})
	})
}

// minidump returns a process as a minidump, with notes about memory that was left out.
func (v *convertFlags) minidump(p *process.Process) (bin.Source, []error, error) {
	if !v.full {
		return write.Stacks(p)
	}
	view, err := write.Whole(p)
	return view, nil, err
}

// identify sets the build IDs of modules without one, by the names of the files of the command line. A core of QEMU's user
// emulation lacks the headers of its files, and with them the build IDs. Other programs do not find a file by its name alone.
func (f *files) identify(p *process.Process) {
	ids := f.store.CodeIDs()
	for i := range p.Modules {
		m := &p.Modules[i]
		if id, err := hex.DecodeString(ids[m.Name()]); err == nil && len(id) > 0 && m.ByName {
			m.SetBuildID(id, binary.LittleEndian)
		}
	}
}

// addCode adds the code around the program counters that a core lacks, from the files of its modules: the kernel leaves
// out what it finds in files, and the minidump goes where these files are not.
func addCode(p *process.Process, core bin.Source, code func(addr uint64, p []byte) int) {
	ranges, extra, done := p.Memory.Ranges(), []byte(nil), map[uint64]bool{}
	for i := range p.Threads {
		r := p.Threads[i].Registers
		if r == nil {
			continue
		}
		pc, known := r.Regs.Get(r.Arch.PC)
		if _, _, has := p.Memory.Range(pc); has || !known || done[pc] {
			continue
		}
		done[pc] = true
		data := make([]byte, 2*write.CodeAround)
		for _, from := range []uint64{pc - min(pc, write.CodeAround), pc} { // the module may begin between them
			if n := code(from, data[:min(uint64(len(data)), pc-from+write.CodeAround)]); n > int(pc-from) {
				ranges = append(ranges, process.Range{Base: from, Location: process.Location{RVA: uint64(core.Size()) + uint64(len(extra)), Size: uint64(n)}})
				extra = append(extra, data[:n]...)
				break
			}
		}
	}
	if len(extra) > 0 {
		both := bin.NewSource(appended{core, extra}, core.Size()+int64(len(extra)))
		p.Memory = process.NewMemory(process.NewPager(both), p.BigEndian, ranges, func(error) {})
	}
}

// An appended is a file with more bytes behind it.
type appended struct {
	bin.Source
	extra []byte
}

// ReadAt implements io.ReaderAt.
func (a appended) ReadAt(p []byte, off int64) (n int, err error) {
	if left := a.Size() - off; left > 0 {
		if n, err = a.Source.ReadAt(p[:min(int64(len(p)), left)], off); n == len(p) || int64(n) < left {
			return n, err
		}
	}
	k, err := bytes.NewReader(a.extra).ReadAt(p[n:], off+int64(n)-a.Size())
	return n + k, err
}
