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

// Code that is linked into the page, the Worker or the program is distributed with them, and so
// must be its licence.
func TestLicences(t *testing.T) {
	want := head
	for _, work := range works(t) {
		want += "\n" + strings.Repeat("=", 80) + "\n" + work.name + "\n" + strings.Repeat("=", 80) + "\n\n" + work.text(t) + "\n"
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
		t.Errorf("THIRD_PARTY_LICENSES does not fit what is linked:\n%v\n"+
			"Read the licence of what is new, and write the file with go test ./core/testkit/imports -update", names(works(t)))
	}
}

// A work is a third party's code that is distributed with the project.
type work struct {
	name string
	dirs []string // where licences may be: its root, and the packages that are linked
}

func works(t *testing.T) []work {
	t.Helper()
	linkers := []*linker{link(t, "js", "wasm", "wasm/viewer"), link(t, "js", "wasm", "wasm/edge")}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		linkers = append(linkers, link(t, goos, "amd64", "cmd/crashglass"))
	}
	dirs := map[string][]string{}
	for _, l := range linkers {
		for pkg := range l.from {
			if mod := l.moduleOf(pkg); mod != "" && !strings.HasPrefix(pkg, vendor) {
				name := l.modules[mod]
				dirs[name] = append(dirs[name], l.dir(pkg))
			}
		}
	}
	out := []work{{"Go: its runtime, its standard library and wasm_exec.js", []string{build.Default.GOROOT}}}
	for _, name := range slices.Sorted(maps.Keys(dirs)) {
		linked := append(dirs[name], moduleDir(t, name))
		slices.Sort(linked) // the root is the shortest, so it comes first
		out = append(out, work{name, slices.Compact(linked)})
	}
	return append(out, npm(t)...)
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
