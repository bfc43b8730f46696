package main

import (
	"github.com/spf13/pflag"

	"crashglass/cmd/internal/local"
	"crashglass/symbols"
)

// localFlags are the flags about files of this machine.
type localFlags struct {
	off  bool
	root string // "" is this machine itself
}

func (l *localFlags) register(f *pflag.FlagSet) {
	f.BoolVar(&l.off, "no-local", false, "do not search this machine for the files of modules")
	f.StringVar(&l.root, "local-root", "", "search this `folder`, such as the root of a container, for the files of modules, instead of this machine")
}

// localFiles returns the files of this machine or of --local-root, nil for none. Other programs do not search, and
// neither do tests.
func (c *cli) localFiles(l *localFlags) (symbols.Local, error) {
	switch {
	case l.root != "":
		return local.At(l.root)
	case l.off || c.machine == nil:
		return nil, nil
	}
	return c.machine, nil
}
