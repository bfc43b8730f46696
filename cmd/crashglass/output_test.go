package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"crashglass/core/testkit/corefile"
)

// withOutput are commands that write a file, with the files that each reads then.
var withOutput = map[string]struct{ args, reads []string }{
	"walk":     {[]string{"--symbols", "app.sym", "--symbols", "folder", "--natvis", "a.natvis", "small.dmp"}, []string{"app.sym", "folder/app.sym", "a.natvis", "small.dmp"}},
	"capsule":  {[]string{"--viewer", "viewer.html", "--symbols", "app.sym", "small.dmp"}, []string{"viewer.html", "app.sym", "small.dmp"}},
	"convert":  {[]string{"a.core"}, []string{"a.core"}},
	"dump":     {[]string{"small.dmp"}, []string{"small.dmp"}},
	"sanitize": {[]string{"--symbols", "app.sym", "--symbols", "folder", "small.dmp"}, []string{"app.sym", "folder/app.sym", "small.dmp"}},
	"syms":     {[]string{"app.sym", "other.sym"}, []string{"app.sym", "other.sym"}},
	"triage":   {[]string{"--symbols", "app.sym", "small.dmp"}, []string{"app.sym", "small.dmp"}},
}

// TestEveryOutput checks that the tests of output cover all commands that write a file.
func TestEveryOutput(t *testing.T) {
	all := (&cli{}).root().Commands()
	for i := 0; i < len(all); i++ {
		all = append(all, all[i].Commands()...)
		name := all[i].Name()
		if _, tested := withOutput[name]; tested != (all[i].Flags().Lookup("output") != nil) {
			t.Errorf("%s: tested: %v, but its flags are\n%s", name, tested, all[i].Flags().FlagUsages())
		}
	}
}

// TestOutputIsNoInput names each input file as the output, under each of its names: every file
// stays unchanged, and no temporary file is left.
func TestOutputIsNoInput(t *testing.T) {
	inputs := map[string]string{"small.dmp": string(smallDump(t)), "app.sym": smallSym, "other.sym": smallSym, "viewer.html": smallViewer, "a.natvis": "<AutoVisualizer/>", "a.core": string(corefile.AMD64(t)), "folder/app.sym": smallSym + "PUBLIC 1 0 x\n"}
	for command, tt := range withOutput {
		for _, input := range tt.reads {
			for _, link := range []func(old, name string) error{os.Link, os.Symlink, linked, nil} {
				dir := t.TempDir()
				for name, data := range inputs {
					file(t, dir, name, []byte(data))
				}
				out := filepath.Join(dir, input)
				if link != nil {
					out = filepath.Join(dir, "link")
					if link(filepath.Join(dir, input), out) != nil {
						t.Skip("no links here")
					}
				}
				refuses(t, dir, inputs, append([]string{command, "-o", out}, in(dir, tt.args)...))
			}
		}
	}
}

// linked makes a link to a link.
func linked(old, name string) error {
	return errors.Join(os.Symlink(old, name+"s"), os.Symlink(filepath.Base(name)+"s", name))
}

// in turns arguments that are no flags into paths.
func in(dir string, args []string) (out []string) {
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			a = filepath.Join(dir, a)
		}
		out = append(out, a)
	}
	return out
}

// refuses runs a command whose output is one of its inputs.
func refuses(t *testing.T, dir string, inputs map[string]string, args []string) {
	before := tree(t, dir)
	_, errs, status := crashglass(args...)
	if status != exitInput || !strings.Contains(errs, args[2]+" is also an input: name another file with -o\n") {
		t.Errorf("%q: status %d, errors %q", args, status, errs)
	}
	for name, want := range inputs {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != want {
			t.Errorf("%q: %s has %d bytes, %v", args, name, len(data), err)
		}
	}
	if after := tree(t, dir); after != before {
		t.Errorf("%q: there are %s, were %s", args, after, before)
	}
}

// tree lists the files in a folder.
func tree(t *testing.T, dir string) string {
	var names []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		names = append(names, filepath.Base(path))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

// A failed run leaves the file of an earlier run unchanged. A triage of an unreadable dump does not
// fail: its table has the dump.
func TestOutputFailsWhole(t *testing.T) {
	for command := range withOutput {
		if command == "triage" {
			continue
		}
		dir := t.TempDir()
		old := file(t, dir, "old", []byte("old"))
		bad := file(t, dir, "bad.dmp", []byte("MDMP"))
		if command == "syms" {
			bad = file(t, dir, "bad.dmp", []byte(smallSym))
		}
		if _, errs, status := crashglass(command, "-o", old, bad); status == exitOK || errs == "" {
			t.Errorf("%s: status %d, errors %q", command, status, errs)
		}
		if data, err := os.ReadFile(old); err != nil || string(data) != "old" {
			t.Errorf("%s: %q, %v", command, data, err)
		}
		if all, err := os.ReadDir(dir); err != nil || len(all) != 2 {
			t.Errorf("%s: there are %v, %v", command, all, err)
		}
	}
}

// TestOutputKeeps replaces the target of a link, not the link; the file's mode stays.
func TestOutputKeeps(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	target := file(t, dir, "target", []byte("old"))
	link := filepath.Join(dir, "link")
	if os.Symlink("target", link) != nil || os.Chmod(target, 0o640) != nil {
		t.Skip("no links or modes here")
	}
	for _, out := range []string{link, os.DevNull} {
		if _, errs, status := crashglass("sanitize", "-o", out, dmp); status != exitOK {
			t.Fatalf("%s: %q", out, errs)
		}
	}
	info, err := os.Lstat(target)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm() != 0o640 || info.Size() < 100 {
		t.Errorf("%v, %v", info, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
}

// A file that is written again keeps its mode, whatever the umask; a new one gets the mode of the umask.
func TestOutputMode(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	fresh := file(t, dir, "fresh", nil)
	info, err := os.Stat(fresh)
	if err != nil {
		t.Fatal(err)
	}
	modes := map[string]os.FileMode{"new": info.Mode().Perm() | 0o600}
	for _, mode := range []os.FileMode{0o664, 0o600, 0o646, 0o666, 0o755} {
		name := mode.String()
		if runtime.GOOS == "windows" || os.Chmod(file(t, dir, name, nil), mode) != nil {
			t.Skip("no modes here")
		}
		modes[name] = mode
	}
	for name, mode := range modes {
		out := filepath.Join(dir, name)
		if _, errs, status := crashglass("walk", "-o", out, dmp); status != exitOK {
			t.Fatalf("%s: %q", name, errs)
		}
		if info, err := os.Stat(out); err != nil || info.Mode().Perm() != mode || info.Size() == 0 {
			t.Errorf("%s: %v, want %v; %v", name, info.Mode(), mode, err)
		}
	}
}

// A loop of links is an error, and stays.
func TestOutputLoop(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	loop := filepath.Join(dir, "loop")
	if os.Symlink("other", loop) != nil || os.Symlink("loop", filepath.Join(dir, "other")) != nil {
		t.Skip("no links here")
	}
	before := tree(t, dir)
	_, errs, status := crashglass("walk", "-o", loop, dmp)
	if status != exitInput || !strings.HasPrefix(errs, "crashglass: "+loop+": ") || strings.Count(errs, "\n") != 1 {
		t.Errorf("status %d, errors %q", status, errs)
	}
	if info, err := os.Lstat(loop); err != nil || info.Mode()&fs.ModeSymlink == 0 || tree(t, dir) != before {
		t.Errorf("the link is %v, %v; there are %s", info, err, tree(t, dir))
	}
}

// noRoom is an output that has no room, like /dev/full.
type noRoom struct{}

func (noRoom) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: errors.New("no space left")}
}

// An output that cannot be written is named once, whatever was read.
func TestOutputErrorsNameTheOutput(t *testing.T) {
	inputs := map[string]string{"small.dmp": string(smallDump(t)), "app.sym": smallSym, "viewer.html": smallViewer, "a.core": string(corefile.AMD64(t)), "lib.so": ""}
	for command, args := range map[string][]string{
		"walk": {"small.dmp", "small.dmp"}, "dump": {"small.dmp", "small.dmp"}, "sanitize": {"small.dmp"}, "convert": {"a.core"},
		"capsule": {"--viewer", "viewer.html", "small.dmp"}, "triage": {"small.dmp", "small.dmp"}, "help": {}, "as minidump_stackwalk": {"small.dmp"}, "as minidump_dump": {"small.dmp"},
		"triage --map": {"--jobs", "1", "small.dmp", "small.dmp"},
	} {
		dir := t.TempDir()
		for name, data := range inputs {
			file(t, dir, name, []byte(data))
		}
		words := strings.Fields(command)
		for i, a := range args {
			if inputs[a] != "" {
				args[i] = filepath.Join(dir, a)
			}
		}
		if status := run([]string{words[0], "--help"}, noRoom{}, io.Discard); status != exitInput {
			t.Errorf("%s --help: status %d", words[0], status)
		}
		var errs strings.Builder
		status := run(append(words, args...), noRoom{}, &errs)
		if n := strings.Count(errs.String(), "no space left"); status != exitInput || n != 1 || !strings.Contains(errs.String(), "crashglass: standard output: no space left\n") {
			t.Errorf("%s: status %d, errors %q", command, status, errs.String())
		}
		if _, err := os.Stat("/dev/full"); err != nil || words[0] == "as" || words[0] == "help" { // these have no -o
			continue
		}
		_, text, status := crashglass(append(append(words, "-o", "/dev/full"), args...)...)
		if n := strings.Count(text, "no space left"); status != exitInput || n != 1 || !strings.Contains(text, "crashglass: /dev/full: no space left") {
			t.Errorf("%s -o /dev/full: status %d, errors %q", command, status, text)
		}
	}
}

// An empty path is an input, and not standard output.
func TestEmptyPath(t *testing.T) {
	for _, args := range [][]string{{"walk"}, {"dump"}, {"sanitize"}, {"convert"}, {"triage"}, {"syms"}, {"slice", "--store", t.TempDir()}, {"triage", "--merge"}} {
		_, errs, status := crashglass(append(args, "")...)
		if status != exitInput || strings.Contains(errs, "standard output") || !strings.Contains(errs, `crashglass: "": `+systemSays("")) {
			t.Errorf("%q: status %d, errors %q", args, status, errs)
		}
	}
}
