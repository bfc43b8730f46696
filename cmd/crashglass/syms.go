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

	"crashglass/core/base/bug"
	"crashglass/core/process/module"
	"crashglass/symbols"
)

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
		Use:     "syms [flags] FILE [DEBUGFILE | FOLDER]...",
		Short:   "a Breakpad symbol file of a library or debug file",
		Example: "  crashglass syms -o app.sym app.exe app.pdb",
	}
	return c.command(cmd, "name a library or debug file", s.register, func(args []string) int { return c.symsOf(args, &s) })
}

// symsOf makes a Breakpad symbol file from a library and its debug file, if that is separate.
func (c *cli) symsOf(args []string, s *symsFlags) int {
	files := newFiles(c)
	defer files.close()
	if err := c.syms(files, args, s); err != nil {
		c.fail(args[0], err)
	}
	return c.status
}

// A named file without symbols is an error. The files of one build complete each other: a library has the unwind rules, its PDB the names.
func (c *cli) syms(files *files, paths []string, s *symsFlags) (err error) {
	defer bug.Catch(&err)
	whole, parts := partition(debugFiles(paths), func(path string) bool { return !isPart(path) })
	isParts := false
	for _, path := range append(whole, parts...) { // the first one says whose symbols are written
		src, err := files.source(path)
		if err != nil {
			return fmt.Errorf("%s: %w", visible(path), err)
		}
		items := files.store.Add(filepath.ToSlash(path), src)
		for _, item := range items {
			isParts = isParts || item.Use == symbols.IsSymbols
			switch {
			case item.Left > 0 && len(items) > 1:
				c.fail(item.Name, errors.New(item.Message))
			case item.Use == symbols.Nothing && (!isDebugFile(path) || isPart(path)) && !slices.Contains(paths, path):
				// a property list of the bundle without hidden names, or a damaged part, which the user did not name
			case item.Use == symbols.Nothing:
				return fmt.Errorf("%s: %s", item.Name, aboutSyms.Replace(item.Message))
			case item.Message != "":
				c.warn(item.Name, item.Message)
			}
		}
	}
	mods := files.store.Modules()
	if len(mods) == 0 && isParts {
		return errors.New("this is a part of a program's debug information: name the program, too")
	}
	m, err := pick(mods, s.arch)
	if err != nil {
		return err
	}
	if archs := archsOf(mods); s.arch == "" && len(archs) > 1 {
		c.say(fmt.Sprintf("this is for %s: the symbols for %s are written; choose others with --arch", strings.Join(archs, ", "), m.Arch))
	}
	if err := c.to(files, s.out, func(w io.Writer) error { return files.store.Export(w, m) }); err != nil {
		return err
	}
	c.warnOthers(files.store.Modules(), m)
	c.warnFlaws(files.store.Flaws(m))
	return nil
}

// aboutSyms makes messages about files that are no dumps into messages about files that are not for syms.
var aboutSyms = strings.NewReplacer(", not a dump", ", not a library or debug file", "neither a dump nor a symbol file", "neither a library nor a debug file",
	"a dump or a symbol file", "a library or a debug file")

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

// A slice of a variant is taken when the file has no slice of the CPU itself: arm64e has signed pointers, and x86_64h is for Haswell (mach/machine.h of XNU).
var kindsOfCPU = map[string]string{"arm64e": "arm64", "x86_64h": "amd64"}

// preferred are the CPUs of which one is chosen in a file for several. dump_syms chooses the CPU that it
// runs on, so that its result depends on the machine.
var preferred = []string{"amd64", "arm64", "arm64e"}

func archsOf(mods []module.Module) (archs []string) {
	for i := range mods {
		if !slices.Contains(archs, mods[i].Arch) {
			archs = append(archs, mods[i].Arch)
		}
	}
	return archs
}

// pick returns the module of a CPU or, if none is named, of the preferred one. Several files may belong
// to one build.
func pick(mods []module.Module, arch string) (*module.Module, error) {
	archs := archsOf(mods)
	if len(mods) == 0 {
		return nil, errors.New("this is neither a library nor a debug file")
	}
	if arch == "" {
		arch = archs[0]
		if i := slices.IndexFunc(preferred, func(arch string) bool { return slices.Contains(archs, arch) }); i >= 0 {
			arch = preferred[i]
		}
	}
	for _, fits := range []func(string) bool{
		func(have string) bool { return have == arch },
		func(have string) bool { return kindsOfCPU[have] == arch },
	} {
		if i := slices.IndexFunc(mods, func(m module.Module) bool { return fits(m.Arch) }); i >= 0 {
			return &mods[i], nil
		}
	}
	return nil, fmt.Errorf("this is not for %s, but for %s", arch, strings.Join(archs, ", "))
}
