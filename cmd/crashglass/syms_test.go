package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crashglass/core/process/module"
)

func TestSymsFails(t *testing.T) {
	dir := t.TempDir()
	sym := file(t, dir, "app.sym", []byte(smallSym))
	text := file(t, dir, "text.txt", []byte("a text\n"))
	noise := file(t, dir, "noise", []byte("\x00\x01\x02\x03\xfe\xff noise \x80\x81\x82\x83"))
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"syms":                     "crashglass syms: name a library or debug file\n",
		"syms " + sym:              "symbols: this is a Breakpad symbol file already\n",
		"syms -arch sparc " + sym:  "this is not for sparc, but for amd64\n",
		"syms " + text:             filepath.ToSlash(text) + ": this is a text file, not a library or debug file\n",
		"syms " + noise:            filepath.ToSlash(noise) + ": this is neither a library nor a debug file\n",
		"syms " + dir + "/empty":   dir + "/empty: this is a folder\n",
		"syms " + dir + "/nowhere": "nowhere: " + systemSays(dir+"/nowhere") + "\n",
	} {
		out, errs, status := crashglass(strings.Fields(args)...)
		if status == exitOK || out != "" || !strings.HasSuffix(errs, want) {
			t.Errorf("%s: status %d, output %q, errors %q, want %q", args, status, out, errs, want)
		}
	}
}

// A fat file has slices for several variants of a CPU; the exact one is taken, or the only one.
func TestPick(t *testing.T) {
	slice := func(archs ...string) (out []module.Module) {
		for _, arch := range archs {
			out = append(out, module.Module{Arch: arch})
		}
		return out
	}
	for _, tt := range []struct {
		mods []module.Module
		arch string
		want string // the slice, or the error
	}{
		{slice("arm64", "arm64e"), "arm64e", "arm64e"},
		{slice("arm64e", "arm64"), "arm64", "arm64"},
		{slice("amd64", "arm64e"), "arm64", "arm64e"},
		{slice("arm64e"), "", "arm64e"},
		{slice("arm64", "arm64e"), "", "arm64"},
		{slice("x86", "arm64e", "amd64"), "", "amd64"},
		{slice("x86", "arm64e"), "", "arm64e"},
		{slice("arm", "x86"), "", "arm"},
		{nil, "", "this is neither a library nor a debug file"},
		{slice("arm64"), "arm64e", "this is not for arm64e, but for arm64"},
	} {
		m, err := pick(tt.mods, tt.arch)
		if err != nil && err.Error() != tt.want || err == nil && m.Arch != tt.want {
			t.Errorf("%v of %v: %v, %v, want %s", tt.arch, tt.mods, m, err, tt.want)
		}
	}
}

// The parts of split DWARF are found in a folder and below it, also by dump_syms' name, and in any order of
// the arguments. One of another program, or a damaged one, does no harm.
func TestSymsOfParts(t *testing.T) {
	const data = "../../symbols/testdata/"
	part, err := os.ReadFile(data + "split-one.dwo")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "obj", "lib"), 0o777); err != nil {
		t.Fatal(err)
	}
	file(t, filepath.Join(dir, "obj", "lib"), "renamed.dwo", part)
	file(t, dir, "noise.dwo", []byte("noise"))
	file(t, dir, "notes.txt", []byte("notes"))
	for _, args := range [][]string{
		{"syms", data + "split.elf", dir}, {"syms", dir, data + "split.elf"}, {"as", "dump_syms", data + "split.elf", dir},
	} {
		out, errs, status := crashglass(args...)
		if status != exitOK || !strings.Contains(out, "\nFUNC ") || strings.Contains(errs, "split DWARF") {
			t.Errorf("%v: status %d, output %.200q, errors %q", args, status, out, errs)
		}
	}
}

// The object files of a debug map are found in a folder, also in static libraries.
func TestSymsOfDebugMap(t *testing.T) {
	const data = "../../symbols/formats/macho/testdata/debugmap"
	out, errs, status := crashglass("syms", data+"/program", data)
	for _, want := range []string{"\nFUNC 330 20 0 f\n", "\nFUNC 3d0 1e 0 twice\n"} {
		if status != exitOK || !strings.Contains(out, want) || errs != "" {
			t.Errorf("status %d, output %.300q, errors %q, want %q", status, out, errs, want)
		}
	}
}

// A part alone has no module. The message says what to add.
func TestSymsOfPartAlone(t *testing.T) {
	const part = "../../symbols/testdata/split-one.dwo"
	out, errs, status := crashglass("syms", part)
	if want := "crashglass: " + part + ": this is a part of a program's debug information: name the program, too\n"; status != exitInput || out != "" || errs != want {
		t.Errorf("status %d, output %.200q, errors %q", status, out, errs)
	}
}

// A .dSYM bundle is a folder. Its debug file is found from each of its folders, and also in a copy
// of the innermost one.
func TestSymsOfBundle(t *testing.T) {
	const bundle = "../../../shared/corpus/public/native/symbolic/macos/crash.dSYM"
	debug, err := os.ReadFile(bundle + "/Contents/Resources/DWARF/crash")
	if err != nil {
		t.Skip("no corpus: ", err)
	}
	alone := filepath.Join(t.TempDir(), "DWARF")
	if err := os.Mkdir(alone, 0o777); err != nil {
		t.Fatal(err)
	}
	file(t, alone, "crash", debug)
	remapped := filepath.Join(t.TempDir(), "crash.dSYM")
	if err := os.MkdirAll(filepath.Join(remapped, "Contents", "Resources", "DWARF"), 0o777); err != nil {
		t.Fatal(err)
	}
	file(t, filepath.Join(remapped, "Contents", "Resources", "DWARF"), "crash", debug)
	file(t, filepath.Join(remapped, "Contents", "Resources"), "67E9247C-814E-392B-A027-DBDE6748FCBF.plist", []byte("<plist><dict><key>DBGSourcePathRemapping</key></dict></plist>"))
	for _, path := range []string{bundle, bundle + "/Contents", bundle + "/Contents/Resources/", bundle + "/Contents/Resources/DWARF", bundle + "/Contents/Resources/DWARF/crash", alone, remapped} {
		out, errs, status := crashglass("syms", path)
		if status != exitOK || !strings.HasPrefix(out, "MODULE mac x86_64 67E9247C814E392BA027DBDE6748FCBF0 crash\n") || errs != "" {
			t.Errorf("%s: status %d, output %.80q, errors %q", path, status, out, errs)
		}
	}
}

// The files that restore hidden names are found from each folder of a bundle, and from the debug
// file in it.
func TestDebugFilesInBundle(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "App.app.dSYM")
	resources := filepath.Join(dir, "Contents", "Resources")
	if err := os.MkdirAll(filepath.Join(resources, "DWARF"), 0o777); err != nil {
		t.Fatal(err)
	}
	plist := file(t, resources, "4C4C44B4-5555-3144-A123-79DDFF72D80D.plist", nil)
	debug := file(t, filepath.Join(resources, "DWARF"), "App", nil)
	for _, path := range []string{dir, filepath.Join(dir, "Contents"), resources, filepath.Join(resources, "DWARF"), debug} {
		if got := debugFiles([]string{path}); !slices.Equal(got, []string{debug, plist}) {
			t.Errorf("%s: %q", path, got)
		}
	}
	if got := debugFiles([]string{plist}); !slices.Equal(got, []string{plist}) {
		t.Errorf("%q", got)
	}
}

// TestSymsLeavesNothing removes a file that it could not write, and nothing else with that name.
func TestSymsLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	sym := file(t, dir, "app.sym", []byte(smallSym))
	link, target := filepath.Join(dir, "link"), filepath.Join(dir, "target")
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no links here: ", err)
	}
	for name, kept := range map[string]bool{filepath.Join(dir, "file"): false, link: true} {
		if _, errs, status := crashglass("syms", "-o", name, sym); status == exitOK {
			t.Errorf("%s: %q", name, errs)
		}
		if _, err := os.Lstat(name); (err == nil) != kept {
			t.Errorf("%s: %v, want it kept: %v", name, err, kept)
		}
	}
}

// TestSyms makes symbol files of libraries and debug files, and has them read.
func TestSyms(t *testing.T) {
	native := corpus + "/public/native/"
	if _, err := os.Stat(native); err != nil {
		t.Skip("the corpus is not at " + corpus)
	}
	for _, tt := range []struct {
		files []string
		want  []string
	}{
		{[]string{"breakpad/dump_syms_regtest64.exe", "breakpad/dump_syms_regtest64.pdb"},
			[]string{"MODULE windows x86_64 72E103A85CB249078B76B2E7C06257B13 dump_syms_regtest64.pdb\n", "\nFUNC ", "\nFILE ", "\nSTACK CFI INIT "}},
		{[]string{"breakpad/dump_syms_regtest.pdb"},
			[]string{"MODULE windows x86 9214611565FA4C538FE724A797B860F71 dump_syms_regtest.pdb\n", "\nFUNC ", "\nSTACK WIN 4 "}},
	} {
		args := []string{"syms"}
		for _, f := range tt.files {
			args = append(args, filepath.Join(native, f))
		}
		out, errs, status := crashglass(args...)
		if status != exitOK || errs != "" {
			t.Fatalf("%v: status %d, errors %q", tt.files, status, errs)
		}
		for _, want := range tt.want {
			if !strings.Contains(out, want) {
				t.Errorf("%v: no %q in\n%.2000s", tt.files, want, out)
			}
		}
	}
}

// Files of another build are named, and not written.
func TestSymsOfSeveralBuilds(t *testing.T) {
	one, same := module.Module{Arch: "amd64", DebugFile: "a.pdb", DebugID: "A1"}, module.Module{Arch: "amd64", CodeFile: "a.exe", DebugID: "A1"}
	other, slice := module.Module{Arch: "amd64", DebugID: "B1"}, module.Module{Arch: "arm64", DebugID: "C1"}
	var errs strings.Builder
	c := &cli{err: &errs}
	c.warnOthers([]module.Module{one, same, other, slice, other, {Arch: "amd64"}}, &one)
	if want := "crashglass: B1 is from another build than a.pdb A1, whose symbols are written: pass its file alone for its symbols\n"; errs.String() != want {
		t.Errorf("%q, want %q", errs.String(), want)
	}
}
