//go:build !js

package imports

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/build"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write THIRD_PARTY_LICENSES anew")

const notices = root + "/THIRD_PARTY_LICENSES"

const head = `This product contains the following works of others. Each is followed by its licence.
go test ./core/testkit/imports -update writes this file.
`

// programs is the heading of the works that the page does not contain. The page's build divides the file there, because
// a first visit loads the licences.
const programs = "Of crashglass, the program for the command line, and not of the page:"

// Code that is linked into the page, the Worker or the program is distributed with them, and so
// must be its licence.
func TestLicences(t *testing.T) {
	page, program := works(t)
	want := head
	for _, work := range page {
		want += work.notice(t)
	}
	want += "\n" + programs + "\n"
	for _, work := range program {
		want += work.notice(t)
	}
	if *update {
		if err := os.WriteFile(notices, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(notices)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("THIRD_PARTY_LICENSES does not fit what is linked:\n%v%v\n"+
			"Read the licence of what is new, and write the file with go test ./core/testkit/imports -update", names(page), names(program))
	}
}

// A work is a third party's code that is distributed with the project.
type work struct {
	name string
	dirs []string // where licences may be: its root, and the packages that are linked
}

// works are those of the page and the Worker, and those that only the program has.
func works(t *testing.T) (page, program []work) {
	t.Helper()
	page = linked(t, link(t, "js", "wasm", "wasm/viewer"), link(t, "js", "wasm", "wasm/edge"))
	inPage := func(w work) bool { return slices.ContainsFunc(page, func(p work) bool { return p.name == w.name }) }
	for _, w := range linked(t, link(t, "linux", "amd64", "cmd/crashglass"), link(t, "darwin", "amd64", "cmd/crashglass"),
		link(t, "windows", "amd64", "cmd/crashglass")) {
		if !inPage(w) {
			program = append(program, w)
		}
	}
	goItself := work{"Go: its runtime, its standard library and wasm_exec.js", []string{build.Default.GOROOT}}
	return slices.Concat([]work{goItself}, page, npm(t)), program
}

// linked lists the modules of others that programs contain.
func linked(t *testing.T, linkers ...*linker) (out []work) {
	dirs := map[string][]string{}
	for _, l := range linkers {
		for pkg := range l.from {
			if mod := l.moduleOf(pkg); mod != "" && !strings.HasPrefix(pkg, vendor) {
				name := l.modules[mod]
				dirs[name] = append(dirs[name], l.dir(pkg))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(dirs)) {
		all := append(dirs[name], moduleDir(t, name))
		slices.Sort(all) // the root is the shortest, so it comes first
		out = append(out, work{name, slices.Compact(all)})
	}
	return out
}

// npm lists what the page's script is bundled from: the dependencies, not those for development.
func npm(t *testing.T) (out []work) {
	text, err := os.ReadFile(root + "/web/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(root + "/web/node_modules"); err != nil {
		t.Skip("web/node_modules is not there: ./build.sh build installs it")
	}
	for _, name := range slices.Sorted(maps.Keys(manifest.Dependencies)) {
		out = append(out, work{name + "@" + manifest.Dependencies[name], []string{root + "/web/node_modules/" + name}})
	}
	return out
}

// notice is the part of the file about a work.
func (w work) notice(t *testing.T) string {
	line := strings.Repeat("=", 80)
	return "\n" + line + "\n" + w.name + "\n" + line + "\n\n" + w.text(t) + "\n"
}

// text is the licence of a work, followed by those of parts that have their own.
func (w work) text(t *testing.T) string {
	var texts []string
	for _, dir := range w.dirs {
		for _, name := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENSE-MIT.txt", "COPYING"} {
			if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
			}
		}
	}
	if len(texts) == 0 {
		t.Errorf("%s has no licence in %s", w.name, w.dirs)
	}
	return strings.Join(texts, "\n\n"+strings.Repeat("-", 80)+"\n\n")
}

func names(works []work) (list string) {
	for _, w := range works {
		list += fmt.Sprintln("\t" + w.name)
	}
	return list
}
