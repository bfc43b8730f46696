package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"crashglass/core/base/bug"
	"crashglass/core/process/module"
	"crashglass/symbols/formats/breakpad"
	"crashglass/symbols/layout"
)

// dumpSymsFlags are the flags of Mozilla's dump_syms 2.3.9 and of Breakpad's three programs. Two
// letters have two meanings. -o is a file for Mozilla's and an operating system for Breakpad's; the
// value shows which is meant. -a is the CPU, except in the newest Breakpad for Linux, where it is a
// switch that keeps the load address.
//
// Source: src/main.rs of mozilla/dump_syms 2.3.9; usage in Breakpad's
// src/tools/linux/dump_syms/dump_syms.cc, src/tools/mac/dump_syms/dump_syms_tool.cc and
// src/tools/windows/dump_syms/dump_syms.cc.
type dumpSymsFlags struct {
	out, store, arch, debug string  // -o, -s, -a and -g
	header, listArch, cfi   bool    // -i, --list-arch and --check-cfi
	edit                    symEdit // all flags that change lines of the symbol file
}

// dumpSyms stands in for Mozilla's dump_syms, and for Breakpad's. Folders among the arguments are
// where Breakpad's program looks for debug files; each other argument becomes one symbol file.
func dumpSyms(c *cli, args []string) int {
	var f dumpSymsFlags
	s := c.standInFor("dump_syms", "dump_syms [OPTIONS] <file>... [folder-of-debug-files]")
	mapping := f.register(s)
	if status, ok := s.parse(args, 1); !ok {
		return status
	}
	if slices.Contains([]string{"Linux", "Android", "mac", "ios", "windows", "Fuchsia"}, f.out) {
		f.edit.os, f.out = f.out, ""
	}
	if err := f.edit.mapped(mapping); err != nil {
		return c.wrong("%v", err)
	}
	c.status = exitOK
	folders, paths := partition(s.Args(), isPlainFolder)
	for _, path := range paths {
		if err := c.dumpSymsOf(path, folders, &f); err != nil {
			c.fail(path, err)
		}
	}
	if len(paths) == 0 {
		return c.wrong("usage: %s", s.usage)
	}
	return c.status
}

// register adds the flags of all four programs. A flag that only Breakpad's have says so in the help.
func (f *dumpSymsFlags) register(s *standIn) *mappingFlags {
	s.StringVarP(&f.out, "output", "o", "", "`file` in place of standard output, or - for that; Breakpad: the operating system of the MODULE line")
	s.StringVarP(&f.store, "store", "s", "", "write NAME/ID/NAME.sym in this `folder`")
	s.StringVarP(&f.arch, "arch", "a", "", "the `CPU` to choose in a file for several CPUs (default x86_64)")
	s.BoolVar(&f.listArch, "list-arch", false, "list the CPUs of a file for several CPUs")
	s.BoolVar(&f.cfi, "check-cfi", false, "fail when there is no call frame information")
	s.BoolVar(&f.edit.inlines, "inlines", false, "write inlined calls")
	s.BoolVarP(&f.edit.inlines, "breakpad-inlines", "d", false, "Breakpad: the same")
	s.BoolVar(&f.edit.inlines, "i", false, "Breakpad for Windows: the same")
	s.BoolVarP(&f.header, "header", "i", false, "Breakpad: write only the MODULE and INFO lines")
	s.BoolVarP(&f.edit.noCFI, "no-cfi", "c", false, "Breakpad: no call frame information")
	s.StringVarP(&f.edit.name, "name", "n", "", "Breakpad: the `name` of the MODULE line")
	s.StringVarP(&f.debug, "dsym", "g", "", "Breakpad: the `dSYM` of the file")
	s.StringVar(&f.edit.extra, "extra-info", "", "one more INFO `line`")
	s.BoolVar(&f.edit.noGenerator, "no-generator", false, "no INFO GENERATOR line")
	s.BoolP("multiple", "m", false, "Breakpad: accepted; a PDB's addresses of several names are marked in any case, those of DWARF never")
	s.BoolP("no-inter", "r", false, "Breakpad: accepted; references between units are followed in any case")
	s.BoolP("v", "v", false, "accepted, without effect")
	s.refuseSwitch("extern", "x", "functions have the names of the debug information; leave this flag out")
	s.VarP(unused{}, "type", "t", "accepted, without effect")
	s.VarP(unused{}, "jobs", "j", "accepted, without effect")
	s.ignoreValues("verbose")
	s.ignore("pe")
	for _, name := range []string{"debug-id", "code-id", "symbol-server"} {
		s.refuse(name, "this program does not use the network; download the file first, by `crashglass fetch`, and name it")
	}
	s.refuse("mapping-file", "name the same rules with --mapping-src and --mapping-dest")
	return registerMapping(s)
}

// partition divides a list in two, and keeps the order of both.
func partition(all []string, first func(string) bool) (yes, no []string) {
	for _, s := range all {
		if first(s) {
			yes = append(yes, s)
		} else {
			no = append(no, s)
		}
	}
	return yes, no
}

// dumpSymsOf writes the symbol file of one file, or with --list-arch the CPUs that it is for. The
// files that belong to it are opened, too: the last of them, before the parts in folders, names the library.
func (c *cli) dumpSymsOf(path string, folders []string, f *dumpSymsFlags) (err error) {
	defer bug.Catch(&err)
	files := newFiles(c)
	defer files.close()
	paths := append(withDebugFiles(path, folders), bundled(f.debug)...)
	library := paths[len(paths)-1]
	for _, folder := range folders {
		paths = append(paths, partsIn(folder)...)
	}
	for _, p := range paths {
		if _, err := files.add(p); err != nil {
			return err
		}
	}
	mods := files.store.Modules()
	if f.listArch {
		return listArchs(c.out, filepath.Base(path), mods)
	}
	m, err := pick(mods, cmp.Or(archNames[f.arch], f.arch))
	if err != nil {
		return err
	}
	f.edit.code = codeLine(mods, m, library)
	made, err := f.symbolFile(files, m)
	if err != nil {
		return err
	}
	target, err := f.target(made)
	if err != nil {
		return err
	}
	return c.toFile(files, target, made.text.Bytes())
}

// A madeSyms is a symbol file with the fields of its MODULE line.
type madeSyms struct {
	text     bytes.Buffer // all of it, because --check-cfi may still refuse the file
	id, name string       // the debug ID, and the name that --name may have replaced
}

// symbolFile fails when the file has no call frame information and --check-cfi requires it; a STACK WIN record counts, too.
func (f *dumpSymsFlags) symbolFile(files *files, m *module.Module) (*madeSyms, error) {
	made := &madeSyms{}
	editor := &symEditor{symEdit: f.edit, w: &made.text, header: f.header}
	if err := files.store.Export(editor, m); err != nil {
		return nil, err
	}
	if err := editor.flush(); err != nil {
		return nil, err
	}
	if f.cfi && !editor.frames {
		return nil, errors.New("there is no call frame information in this file")
	}
	made.id, made.name = m.DebugID, editor.stored
	return made, nil
}

// target returns where a symbol file is written: into a store, whose folder it creates, to the
// named file, or to standard output (""). In a store, the .sym replaces the ending of a PDB only:
// app.pdb becomes app.sym, and libapp.so becomes libapp.so.sym.
func (f *dumpSymsFlags) target(made *madeSyms) (string, error) {
	if f.store == "" {
		return f.out, nil
	}
	m := module.Module{DebugFile: made.name, DebugID: made.id}
	if layout.Place(&m) == "" {
		return "", errors.New("it has no name or no debug ID, so it has no path in a symbol store")
	}
	name := module.Basename(made.name)
	folder := filepath.Join(f.store, name, made.id)
	return filepath.Join(folder, strings.TrimSuffix(name, ".pdb")+".sym"), os.MkdirAll(folder, 0o777)
}

// codeLine returns the INFO CODE_ID record, which names the library of a debug file, or "" if no file
// of the same build has a code ID. Symbol servers of Windows find the library by this ID.
func codeLine(mods []module.Module, m *module.Module, path string) string {
	for i := range mods {
		if o := &mods[i]; o.DebugID == m.DebugID && o.CodeID != "" && m.DebugID != "" {
			return strings.TrimSpace("INFO CODE_ID " + strings.ToUpper(o.CodeID) + " " + oneLine(cmp.Or(module.Basename(o.CodeFile), filepath.Base(path))))
		}
	}
	return ""
}

// archNames maps the originals' names of CPUs to the project's. armv7 and armv7s are Apple's names of
// two variants of arm.
var archNames = map[string]string{"x86_64": "amd64", "i386": "x86", "i686": "x86", "aarch64": "arm64", "armv7": "arm", "armv7s": "arm"}

// listArchs names the CPUs of a universal file as `dump_syms --list-arch` does, each once. Symbol files
// call amd64 x86_64.
//
// Source: src/mac.rs of mozilla/dump_syms 2.3.9.
func listArchs(w io.Writer, name string, mods []module.Module) error {
	var archs []string
	for _, m := range mods {
		arch := breakpad.ArchWord(m.Arch)
		if !slices.Contains(archs, arch) {
			archs = append(archs, arch)
		}
	}
	noun := "architecture"
	if len(archs) > 1 {
		noun += "s"
	}
	_, err := fmt.Fprintf(w, "%s contains the following %s:\n%s\n", name, noun, strings.Join(archs, ", "))
	return err
}
