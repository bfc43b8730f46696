package main

import (
	"crashglass/core/analyze"
	"crashglass/core/report"
	"crashglass/core/report/render"
)

// noNetwork explains why a process that holds a dump downloads no symbols.
const noNetwork = "a process that holds a dump does not use the network; download symbols by `crashglass fetch`, and name their folder "

// rustFlags are the flags of rust-minidump's minidump-stackwalk 0.27 that change its output.
//
// Source: struct Cli in minidump-stackwalk/src/main.rs of rust-minidump 0.27.
type rustFlags struct {
	human, json, dump, pretty, brief bool
	cyborg, out                      string   // files; cyborg is that of the JSON beside the text
	symbols                          []string // of --symbols-path; paths behind the dump are the same
}

// stackwalkRust stands in for rust-minidump's minidump-stackwalk. Its four output formats exclude each
// other, as in the original (the group output-format of its command line), and --human is the default.
func stackwalkRust(c *cli, args []string) int {
	var f rustFlags
	s := c.standInFor("minidump-stackwalk", "minidump-stackwalk [FLAGS] <minidump> [symbols-path]...")
	f.register(s)
	if status, ok := s.parse(args, 0); !ok {
		return status
	}
	if s.NArg() == 0 {
		return c.wrong("usage: %s", s.usage)
	}
	if modes := count(f.human, f.json, f.dump, f.cyborg != ""); modes > 1 {
		return c.wrong("--human, --json, --cyborg and --dump exclude each other: choose one")
	}
	dump, symbols := s.Arg(0), append(f.symbols, s.Args()[1:]...)
	if f.dump {
		return c.dump([]string{dump}, f.out, everyStream(dumpMemory(f.brief)))
	}
	return c.walkAs(walkAs{dump, symbols, f.brief && !f.json}, func(files *files, _ *analyze.Session, r *report.Report) error {
		if f.cyborg != "" {
			if err := c.writeForm(files, f.cyborg, r, jsonForm(f.pretty)); err != nil {
				return err
			}
		}
		if f.json {
			return c.writeForm(files, f.out, r, jsonForm(f.pretty))
		}
		return c.writeForm(files, f.out, r, humanForm(render.Rust, f.brief))
	})
}

// register adds the flags. The ignored ones concern logs, caches, the terminal and debug information
// next to the program; crashglass reads the latter in any case. --symbols-url would send requests.
func (f *rustFlags) register(s *standIn) {
	s.BoolVar(&f.human, "human", false, "text for reading (the default)")
	s.BoolVar(&f.json, "json", false, "JSON in rust-minidump's schema, plus fields of crashglass")
	s.BoolVar(&f.pretty, "pretty", false, "indent the JSON")
	s.StringVar(&f.cyborg, "cyborg", "", "text for reading, and JSON to this `file`")
	s.BoolVar(&f.dump, "dump", false, "every stream, decoded")
	s.BoolVar(&f.brief, "brief", false, "--human: only the crashing thread; --dump: no memory")
	s.StringVar(&f.out, "output-file", "", "`file` in place of standard output")
	s.StringArrayVar(&f.symbols, "symbols-path", nil, "symbol `path`; may be repeated")
	s.ignore("no-color", "no-interactive", "recover-function-args", "use-local-debuginfo")
	s.refuseSwitch("help-markdown", "", "use --help")
	s.ignoreValues("features", "verbose", "log-file", "symbols-cache", "symbols-tmp", "symbols-download-timeout-secs", "evil-json", "raw-json")
	s.refuse("symbols-url", noNetwork+"with --symbols-path")
}

// count returns how many of several flags are set.
func count(flags ...bool) (n int) {
	for _, f := range flags {
		if f {
			n++
		}
	}
	return n
}

// dumpMemory is how many bytes of memory --dump shows: none with --brief, as in the original.
func dumpMemory(brief bool) uint64 {
	if brief {
		return 0
	}
	return maxMemory
}
