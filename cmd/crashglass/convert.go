package main

import (
	"encoding/hex"
	"errors"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/core/bug"
	"crashglass/core/elfcore"
	"crashglass/symbols"
	"crashglass/symbols/sniff"
)

// convertFlags are the flags of convert.
type convertFlags struct {
	out  string
	full bool
}

func (v *convertFlags) register(f *pflag.FlagSet) {
	f.StringVarP(&v.out, "output", "o", "", "write to `file` instead of standard output")
	f.BoolVar(&v.full, "full", false, "include all captured memory, not only the stacks")
}

func convertCommand(c *cli) *cobra.Command {
	var v convertFlags
	cmd := &cobra.Command{
		Use:     "convert [flags] CORE [FILE...]",
		Short:   "an ELF core as a minidump",
		Long:    "Writes an ELF core as a minidump, which other programs read, too.\n\nA core that QEMU wrote has no build IDs. They are read from the programs and libraries that you name as FILE.",
		Example: "  crashglass convert -o crash.dmp core.1234",
	}
	return c.command(cmd, v.register, func(args []string) int { return c.convert(args, &v) })
}

// convert writes an ELF core as a minidump, which other programs read, too.
func (c *cli) convert(args []string, v *convertFlags) int {
	if len(args) == 0 {
		return c.wrong("name one core")
	}
	if v.out == "" && isTerminal(c.out) {
		return c.wrong("a dump is no text for a terminal: name a file with --output")
	}
	files := newFiles(c, false)
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

// convertInput writes one core as a minidump. A second core is refused, because there is one output.
func (c *cli) convertInput(files *files, in input, v *convertFlags) (err error) {
	defer bug.Catch(&err)
	done := false
	return files.with(in, func(d symbols.Item) error {
		switch {
		case done:
			return errSeveral
		case d.Kind == sniff.Minidump:
			return errors.New("this is a minidump already: convert makes one of an ELF core")
		case d.Kind != sniff.ELFCore:
			return errors.New("this is " + d.Kind.Sentence() + ", not an ELF core")
		}
		done = true
		view, notes, err := elfcore.Minidump(d.Source, elfcore.Options{Full: v.full, BuildIDs: files.buildIDs()})
		if err != nil {
			return err
		}
		for _, note := range notes {
			c.warn(in.path, note.Error())
		}
		return c.to(files, v.out, func(w io.Writer) error {
			_, err := io.Copy(w, io.NewSectionReader(view, 0, view.Size()))
			return err
		})
	})
}

// buildIDs returns the build IDs of the given files, by file name.
func (f *files) buildIDs() map[string][]byte {
	out := map[string][]byte{}
	for name, id := range f.store.CodeIDs() {
		if bytes, err := hex.DecodeString(id); err == nil {
			out[name] = bytes
		}
	}
	return out
}
