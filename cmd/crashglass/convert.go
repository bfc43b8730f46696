package main

import (
	"errors"
	"flag"
	"io"

	"crashglass/core/bin"
	"crashglass/core/bug"
	"crashglass/core/elfcore"
	"crashglass/symbols"
)

// convertFlags are the flags of convert.
type convertFlags struct {
	out  string
	full bool
}

func (v *convertFlags) register(f *flag.FlagSet) {
	f.StringVar(&v.out, "o", "", "write to `file` instead of standard output")
	f.BoolVar(&v.full, "full", false, "with all captured memory, not only the stacks")
}

// convertCore writes an ELF core as a minidump, which other programs read, too.
func convertCore(c *cli, args []string) int {
	var v convertFlags
	f := c.flags()
	v.register(f)
	if status, ok := c.parse(f, args); !ok {
		return status
	}
	if f.NArg() != 1 {
		return c.wrong("which core? one at a time")
	}
	files := newFiles(c, false)
	defer files.close()
	view, err := convertFile(files, f.Arg(0), v.full)
	if err == nil {
		err = c.to(files, v.out, func(w io.Writer) error {
			_, err := io.Copy(w, io.NewSectionReader(view, 0, view.Size()))
			return err
		})
	}
	if err != nil {
		c.fail(f.Arg(0), err)
		return exitInput
	}
	return exitOK
}

func convertFile(files *files, path string, full bool) (view bin.Source, err error) {
	defer bug.Catch(&err)
	dumps, err := files.dumps(path)
	switch {
	case err != nil:
		return view, err
	case len(dumps) > 1:
		return view, errors.New("there are several dumps in it: unpack it first")
	case dumps[0].Kind != symbols.ELFCore:
		return view, errors.New("this is " + dumps[0].Kind.Sentence() + ", not an ELF core")
	}
	return elfcore.Minidump(dumps[0].Source, full)
}
