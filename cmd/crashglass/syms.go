package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/core/bug"
	"crashglass/core/module"
	"crashglass/symbols"
)

// symsFlags are the flags of syms.
type symsFlags struct {
	out, arch string // arch is a name of package cpu, or "" for the only CPU
}

// register adds the flags. dump_syms' flags that change records are in asdumpsyms.go.
func (s *symsFlags) register(f *pflag.FlagSet) {
	f.StringVarP(&s.out, "output", "o", "", "write to `file` instead of standard output")
	f.StringVar(&s.arch, "arch", "", "the `CPU` to choose in a file for several CPUs: amd64, arm64, x86, ...")
}

// symsCommand writes symbol files for crash servers and other programs. crashglass itself reads
// libraries and debug files as they are.
func symsCommand(c *cli) *cobra.Command {
	var s symsFlags
	cmd := &cobra.Command{
		Use:     "syms [flags] FILE [DEBUGFILE]",
		Short:   "a Breakpad symbol file of a library or debug file",
		Example: "  crashglass syms -o app.sym app.exe app.pdb",
	}
	return c.command(cmd, s.register, func(args []string) int { return c.symsOf(args, &s) })
}

// symsOf makes a Breakpad symbol file from a library and its debug file, if that is separate.
func (c *cli) symsOf(args []string, s *symsFlags) int {
	if len(args) == 0 {
		return c.wrong("name a library or debug file")
	}
	files := newFiles(c, false)
	defer files.close()
	if err := c.syms(files, args, s); err != nil {
		c.fail(args[0], err)
		return exitInput
	}
	return exitOK
}

// syms writes the symbols of files as one Breakpad .sym file. A named file without symbols is an error.
// The files of one build complete each other: a library has the unwind rules, its PDB the names.
func (c *cli) syms(files *files, paths []string, s *symsFlags) (err error) {
	defer bug.Catch(&err)
	for _, path := range debugFiles(paths) {
		src, err := files.source(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, item := range files.store.Add(filepath.ToSlash(path), src) {
			switch {
			case item.Use == symbols.Nothing && !isDebugFile(path) && !slices.Contains(paths, path):
				// a property list of the bundle without hidden names, which the user did not name
			case item.Use == symbols.Nothing:
				return fmt.Errorf("%s: %s", item.Name, strings.Replace(item.Message, ", not a dump", ", not a library or debug file", 1))
			case item.Message != "":
				c.warn(item.Name, item.Message)
			}
		}
	}
	mods := files.store.Modules()
	m, err := pick(mods, s.arch)
	if err != nil {
		return err
	}
	if err := c.to(files, s.out, func(w io.Writer) error { return files.store.Export(w, m) }); err != nil {
		return err
	}
	c.warnOthers(files.store.Modules(), m)
	c.warnFlaws(files.store.Flaws(m))
	return nil
}

// warnFlaws says why a symbol file is incomplete: the input is damaged, or parts of it were not
// given.
func (c *cli) warnFlaws(flaws []string) {
	for _, flaw := range flaws[:min(len(flaws), maxSaid)] {
		c.say(flaw)
	}
	if more := len(flaws) - maxSaid; more > 0 {
		c.say(fmt.Sprintf("%d more defects", more))
	}
}

// warnOthers names the files of other builds, which are ignored.
func (c *cli) warnOthers(mods []module.Module, m *module.Module) {
	said := map[string]bool{m.DebugID: true, "": true}
	for i := range mods {
		if o := &mods[i]; o.Arch == m.Arch && !said[o.DebugID] {
			said[o.DebugID] = true
			c.say(fmt.Sprintf("%s is from another build than %s, whose symbols are written: pass its file alone for its symbols", buildName(o), buildName(m)))
		}
	}
}

// buildName returns a module's name, if it has one, and its debug ID.
func buildName(m *module.Module) string {
	return strings.TrimSpace(cmp.Or(module.Basename(m.DebugFile), module.Basename(m.CodeFile)) + " " + m.DebugID)
}

// kindsOfCPU maps a variant to its CPU. A slice of a variant is taken when the file has no slice of
// the CPU itself: arm64e has signed pointers, and x86_64h is for Haswell (mach/machine.h of XNU).
var kindsOfCPU = map[string]string{"arm64e": "arm64", "x86_64h": "amd64"}

// pick returns the module of a CPU, or the only module. Several files may belong to one build.
func pick(mods []module.Module, arch string) (*module.Module, error) {
	var archs []string
	var found *module.Module
	for i := range mods {
		if !slices.Contains(archs, mods[i].Arch) {
			archs = append(archs, mods[i].Arch)
		}
		if found == nil && (arch == "" || mods[i].Arch == arch) {
			found = &mods[i]
		}
	}
	for i := range mods {
		if found == nil && arch != "" && kindsOfCPU[mods[i].Arch] == arch {
			found = &mods[i]
		}
	}
	switch {
	case len(mods) == 0:
		return nil, errors.New("this is neither a library nor a debug file")
	case found == nil:
		return nil, fmt.Errorf("this is not for %s, but for %s", arch, strings.Join(archs, ", "))
	case arch == "" && len(archs) > 1:
		return nil, fmt.Errorf("this is for %s: choose one with --arch", strings.Join(archs, ", "))
	}
	return found, nil
}
