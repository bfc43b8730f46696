package main

import (
	"os"
	"path/filepath"
	"strings"

	"crashglass/core/analyze"
	"crashglass/core/bin"
	"crashglass/core/module"
	"crashglass/core/report"
	"crashglass/symbols/breakpad"
)

type symbolFiles struct{ dirs []string }

func (c *cli) openSymbols(paths []string) (*symbolFiles, int) { return &symbolFiles{paths}, exitOK }
func (s *symbolFiles) close()                                 {}
func (s *symbolFiles) symbols() analyze.Symbols {
	return analyze.SymbolsFunc(func(m *module.Module) (analyze.Source, report.Symbols) {
		name := module.Basename(m.DebugFile)
		for _, d := range s.dirs {
			f, err := os.Open(filepath.Join(d, name, m.DebugID, strings.TrimSuffix(name, ".pdb")+".sym"))
			if err != nil {
				continue
			}
			st, _ := f.Stat()
			b, err := breakpad.Open(bin.NewSource(f, st.Size()), breakpad.Options{})
			if err == nil {
				return b, report.Symbols{State: "matched"}
			}
		}
		return nil, report.Symbols{State: "missing"}
	})
}

type dumpFiles struct{ list []dumpFile }
type dumpFile struct {
	src     bin.Source
	archive []string
}

func (d *dumpFiles) close() {}
func openDumps(file string) (*dumpFiles, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	st, _ := f.Stat()
	return &dumpFiles{[]dumpFile{{bin.NewSource(f, st.Size()), []string{}}}}, nil
}
