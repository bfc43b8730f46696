package main

import (
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
	"crashglass/core/sanitize"
	"crashglass/symbols"
	"crashglass/symbols/formats/sniff"
)

type convertFlags struct {
	out   string
	to    string // "minidump" or "core"
	full  bool   // all captured memory, as MiniDumpWithFullMemory
	local localFlags
}

func (v *convertFlags) register(f *pflag.FlagSet) {
	f.StringVarP(&v.out, "output", "o", "", "write to `file` instead of standard output")
	f.StringVar(&v.to, "to", "minidump", "the `kind` of file to write: minidump (of a core) or core (of any other dump)")
	f.BoolVar(&v.full, "full", false, "include all captured memory in a minidump, not only the stacks; a core has all")
	v.local.register(f)
}

// convertCommand writes a core as a minidump, which WinDbg, lldb and crash reporters read, or the reverse for gdb.
func convertCommand(c *cli) *cobra.Command {
	var v convertFlags
	cmd := &cobra.Command{
		Use:   "convert [flags] DUMP [FILE...]",
		Short: "an ELF core as a minidump, or a minidump as an ELF core",
		Long: "Writes an ELF core as a minidump or, with --to core, a minidump as an ELF core, which gdb, lldb and Ghidra read.\n" +
			"A complete dump of the Windows kernel becomes a small one.\n\n" +
			"A core often lacks the code of files. The code around program counters is read from the files of this machine, and\n" +
			"from the programs and libraries that you name as FILE. A core that QEMU wrote has no build IDs: they are read from\n" +
			"the files that you name.\n\n" +
			"A minidump lacks the list by which debuggers find libraries. With the program at hand, here or as FILE, its core has\n" +
			"that list. An exception of Windows or macOS becomes the closest signal.",
		Example: "  crashglass convert -o crash.dmp core.1234\n  crashglass convert --to core -o core crash.dmp ./program && gdb ./program core",
	}
	return c.command(cmd, "name one dump", v.register, func(args []string) int { return c.convert(args, &v) })
}

// convert writes one dump as a file of the other kind.
func (c *cli) convert(args []string, v *convertFlags) int {
	if v.to != "minidump" && v.to != "core" {
		return c.wrong("no kind of file %q: use minidump or core", v.to)
	}
	if (v.out == "" || v.out == "-") && isTerminal(c.out) {
		return c.wrong("a dump is no text for a terminal: name a file with --output")
	}
	files := newLocalFiles(c, &v.local, nil)
	if files == nil {
		return exitInput
	}
	defer files.close()
	in, ok := files.onlyInput(c, args, "name one dump")
	if !ok {
		return c.status
	}
	if err := c.convertInput(files, in, v); err != nil {
		c.fail(in.path, err)
	}
	files.sayUnused(c)
	return c.status
}

// convertInput writes one dump. All captured memory is read from the dump while it is written, and is never in memory.
func (c *cli) convertInput(files *files, in input, v *convertFlags) error {
	return files.one(in, func(d symbols.Item) error {
		if d.Kind == sniff.Minidump && v.to != "core" {
			return errors.New("this is a minidump already: --to core makes an ELF core of it")
		}
		sessions, err := analyze.OpenAll(d.Source)
		if err != nil {
			return err
		}
		p := sessions[0].Process()
		if v.to != "core" && p.Event.IsBugCheck() {
			return c.smallDump(files, sessions[0], v.out)
		}
		if v.to != "core" && p.Lacks.Has(process.Copy) {
			return errors.New("this is " + d.Kind.Sentence() + ", not an ELF core")
		}
		files.unused(sessions[0].Modules())
		files.identify(p)
		code := sessions[0].Code(files.store)
		p.Memory = p.Memory.With(codeAroundPCs(p, code))
		view, notes, err := files.converted(p, d.Kind, v, code)
		if err != nil {
			return err
		}
		for _, n := range p.Notes {
			if n.Where == "" { // it has a place in the dump
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

// smallDump writes a dump of the Windows kernel as a small one, with all memory of its stacks.
func (c *cli) smallDump(files *files, s *analyze.Session, out string) error {
	files.unused(s.Modules())
	small, err := cleaned(s, files.store, sanitize.Options{Memory: true, Names: true})
	if err != nil {
		return err
	}
	return c.toFile(files, out, small.Data)
}

// converted returns a process as a file of the other kind, with notes about memory that was left out.
func (f *files) converted(p *process.Process, kind sniff.Kind, v *convertFlags, code func(addr uint64, p []byte) int) (view bin.Source, notes []error, err error) {
	switch {
	case v.to == "core":
		view, err = f.core(p, kind, code)
	case v.full:
		view, err = write.Whole(p)
	default:
		return write.Stacks(p)
	}
	return view, notes, err
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

// codeAroundPCs returns the code around the program counters that a dump lacks, from the files of its modules: the kernel leaves
// out what it finds in files, and the new dump goes where these files are not.
func codeAroundPCs(p *process.Process, code func(addr uint64, p []byte) int) (blocks []process.Block) {
	done := map[uint64]bool{}
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
				blocks = append(blocks, process.Block{Addr: from, Data: data[:n]})
				break
			}
		}
	}
	return blocks
}
