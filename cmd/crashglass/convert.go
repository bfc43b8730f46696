package main

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/core/base/bin"
	"crashglass/core/dump/container"
	"crashglass/core/dump/minidump/write"
	"crashglass/core/process"
	"crashglass/symbols"
	"crashglass/symbols/formats/sniff"
)

// convertFlags are the flags of convert.
type convertFlags struct {
	out  string
	full bool // all captured memory, as MiniDumpWithFullMemory
}

func (v *convertFlags) register(f *pflag.FlagSet) {
	f.StringVarP(&v.out, "output", "o", "", "write to `file` instead of standard output")
	f.BoolVar(&v.full, "full", false, "include all captured memory, not only the stacks")
}

// convertCommand writes a core in the format that WinDbg, lldb and crash reporters read.
func convertCommand(c *cli) *cobra.Command {
	var v convertFlags
	cmd := &cobra.Command{
		Use:   "convert [flags] CORE [FILE...]",
		Short: "an ELF core as a minidump",
		Long: "Writes an ELF core as a minidump, which other programs read, too.\n\n" +
			"A core that QEMU wrote has no build IDs. They are read from the programs and libraries that you name as FILE.",
		Example: "  crashglass convert -o crash.dmp core.1234",
	}
	return c.command(cmd, "name one core", v.register, func(args []string) int { return c.convert(args, &v) })
}

// convert writes an ELF core as a minidump, which other programs read, too.
func (c *cli) convert(args []string, v *convertFlags) int {
	if v.out == "" && isTerminal(c.out) {
		return c.wrong("a dump is no text for a terminal: name a file with --output")
	}
	files := newFiles(c)
	defer files.close()
	in, ok := files.onlyInput(c, args, "name one core")
	if !ok {
		return c.status
	}
	if err := c.convertInput(files, in, v); err != nil {
		c.fail(in.path, err)
	}
	return c.status
}

// convertInput writes one core as a minidump.
// With --full, the minidump is read from the core while it is written, and is never in memory.
func (c *cli) convertInput(files *files, in input, v *convertFlags) error {
	return files.one(in, func(d symbols.Item) error {
		if d.Kind == sniff.Minidump {
			return errors.New("this is a minidump already: convert makes one of an ELF core")
		}
		dumps, err := container.OpenAll(d.Source)
		if err != nil {
			return err
		}
		p := dumps[0].Process
		if p.Lacks.Has(process.Copy) {
			return errors.New("this is " + d.Kind.Sentence() + ", not an ELF core")
		}
		files.identify(p)
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
