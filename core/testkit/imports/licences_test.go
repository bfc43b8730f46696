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

// Whatever is linked into the page, the Worker or the program is distributed
// with them, and its licence has to go along.
func TestLicences(t *testing.T) {
	want := head
	for _, work := range works(t) {
		want += "\n" + strings.Repeat("=", 80) + "\n" + work.name + "\n" + strings.Repeat("=", 80) + "\n\n" + strings.TrimSpace(work.text(t)) + "\n"
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
		t.Errorf("THIRD_PARTY_LICENSES does not fit what is linked:\n%v\nRead the licence of what is new, and write the file with go test ./core/testkit/imports -update", names(works(t)))
	}
}

// A work is something of somebody else's that we distribute.
type work struct {
	name string
	dir  string
}

func works(t *testing.T) []work {
	t.Helper()
	modules := map[string]string{}
	maps.Copy(modules, link(t, "js", "wasm", "wasm/viewer").linkedModules())
	maps.Copy(modules, link(t, "js", "wasm", "wasm/edge").linkedModules())
	for _, goos := range []string{"linux", "darwin", "windows"} {
		maps.Copy(modules, link(t, goos, "amd64", "cmd/crashglass").linkedModules())
	}
	out := []work{{"Go: its runtime, its standard library and wasm_exec.js", build.Default.GOROOT}}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		out = append(out, work{modules[path], moduleDir(modules[path])})
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
		out = append(out, work{name + "@" + manifest.Dependencies[name], root + "/web/node_modules/" + name})
	}
	return out
}

func (w work) text(t *testing.T) string {
	for _, name := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "COPYING"} {
		if text, err := os.ReadFile(filepath.Join(w.dir, name)); err == nil {
			return strings.ReplaceAll(string(text), "\r\n", "\n")
		}
	}
	t.Errorf("%s has no licence in %s", w.name, w.dir)
	return ""
}

func names(works []work) (list string) {
	for _, w := range works {
		list += fmt.Sprintln("\t" + w.name)
	}
	return list
}
