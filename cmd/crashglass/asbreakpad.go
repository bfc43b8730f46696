package main

import (
	"io"

	"crashglass/cmd/internal/breakpaddump"
	"crashglass/core/analyze"
	"crashglass/core/dump/container"
	"crashglass/core/report"
	"crashglass/core/report/render"
)

// stackwalkBreakpad stands in for Breakpad's minidump_stackwalk.
//
// Source: SetupOptions in Breakpad's src/processor/minidump_stackwalk.cc has -b, -c, -h, -m and -s.
// The long names and -d are accepted for wrappers that pass them; -e and -t are those of variants.
func stackwalkBreakpad(c *cli, args []string) int {
	s := c.standInFor("minidump_stackwalk", "minidump_stackwalk [options] <minidump-file> [symbol-path ...]")
	machine := s.BoolP("machine", "m", false, "rows of fields, for programs to read")
	format := s.StringP("format", "f", "human", "`form` of the report: human or machine")
	crashing := s.BoolP("crashing", "c", false, "only the crashing thread")
	brief := s.BoolP("brief", "b", false, "only the crashing thread, without modules")
	contents := s.BoolP("stack", "s", false, "the stack memory of each frame, and the functions that its words point into")
	s.BoolP("pointers", "d", false, "accepted; crashglass walk --explain says what was read of the stack")
	s.refuse("symbol-path", "name symbol paths after the dump")
	s.refuse("symbols-path", "name symbol paths after the dump")
	s.refuseShort("external", "e", noNetwork+"after the dump")
	s.refuseShort("thread", "t", "use `crashglass walk --thread N`")
	if status, ok := s.parse(args, 1); !ok {
		return status
	}
	if *format != "human" && *format != "machine" {
		return c.wrong("no format %q: use human or machine", *format)
	}
	return c.walkAs(walkAs{s.Arg(0), s.Args()[1:], *crashing || *brief}, func(files *files, session *analyze.Session, r *report.Report) error {
		w := &output{c.out, standardOutput}
		switch {
		case *machine || *format == "machine":
			return render.Machine(w, r, render.Options{})
		case *brief:
			return render.BreakpadBrief(w, r)
		case *contents:
			return render.Breakpad(w, r, render.Options{Behind: stackContents(session, files.store, r)})
		}
		return render.Breakpad(w, r, render.Options{})
	})
}

// minidumpDump stands in for Breakpad's minidump_dump.
//
// Source: SetupOptions in Breakpad's src/processor/minidump_dump.cc.
func minidumpDump(c *cli, args []string) int {
	s := c.standInFor("minidump_dump", "minidump_dump [-x] [-h] <minidump>")
	rows := s.BoolP("hexdump", "x", false, "memory as rows of 16 bytes with their characters")
	if status, ok := s.parse(args, 1); !ok {
		return status
	}
	return c.dump(s.Args(), "", asBreakpad(breakpaddump.Options{Rows: *rows}))
}

// The original cannot read cores and microdumps, nor logs with several of them; they are written as `crashglass dump` writes them.
func asBreakpad(opt breakpaddump.Options) dumpForm {
	return func(w io.Writer, opened []container.Dump) error {
		if len(opened) != 1 || opened[0].File == nil {
			return everyStream(maxMemory)(w, opened)
		}
		return breakpaddump.Write(w, opened[0].File, opt)
	}
}

// minidumpToCore stands in for Breakpad's minidump-2-core.
//
// Source: SetupOptions in Breakpad's src/tools/linux/md2core/minidump-2-core.cc.
func minidumpToCore(c *cli, args []string) int {
	s := c.standInFor("minidump-2-core", "minidump-2-core [options] <minidump file>")
	out := s.StringP("output", "o", "", "write to `file` instead of standard output")
	s.BoolP("filename", "f", false, "accepted, without effect: libraries have the names of their files")
	s.BoolP("verbose", "v", false, "accepted, without effect")
	s.refuseSwitch("ids", "i", "use gdb's `set debug-file-directory`, which finds files by their IDs")
	s.refuseShort("sonames", "S", "use gdb's `set solib-search-path`")
	if status, ok := s.parse(args, 1); !ok {
		return status
	}
	return c.convert(s.Args(), &convertFlags{out: *out, to: "core", local: localFlags{off: true}})
}
