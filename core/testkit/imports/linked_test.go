//go:build !js

package imports

import (
	"fmt"
	"go/build"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A linker follows imports as the Go linker does, but reads every file itself,
// so that the test cache knows what the answer depends on.
type linker struct {
	t       *testing.T
	context build.Context
	modules map[string]string // module path to "path@version"
	from    map[string]string // package linked to the one that first imported it
}

// link follows the imports of one of our packages for one platform.
func link(t *testing.T, goos, goarch, pkg string) *linker {
	t.Helper()
	l := &linker{t: t, context: build.Default, modules: requirements(t), from: map[string]string{}}
	l.context.GOOS, l.context.GOARCH, l.context.CgoEnabled = goos, goarch, false
	l.follow(module+"/"+pkg, "")
	return l
}

func (l *linker) follow(pkg, from string) {
	if l.isStandard(from) && exists(filepath.Join(standard, vendor, pkg)) {
		pkg = vendor + pkg // the standard library's own copy, and no module of ours
	}
	if _, ok := l.from[pkg]; ok || pkg == "unsafe" || pkg == "C" {
		return
	}
	l.from[pkg] = from
	p, err := l.context.ImportDir(l.dir(pkg), 0)
	if err != nil {
		l.t.Fatalf("%s, imported by %s: %v", pkg, from, err)
	}
	for _, imported := range p.Imports {
		l.follow(imported, pkg)
	}
}

// standard is where the standard library's source is, and vendor what it keeps copies in.
var standard = filepath.Join(build.Default.GOROOT, "src")

const vendor = "vendor/"

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// isStandard reports whether a package is neither ours nor a module's.
func (l *linker) isStandard(pkg string) bool {
	return pkg != "" && !strings.HasPrefix(pkg, module+"/") && l.moduleOf(pkg) == ""
}

// dir finds a package: ours, a module's, or the standard library's.
func (l *linker) dir(pkg string) string {
	if ours, ok := strings.CutPrefix(pkg, module+"/"); ok {
		return filepath.Join(root, ours)
	}
	if mod := l.moduleOf(pkg); mod != "" {
		return filepath.Join(moduleDir(l.t, l.modules[mod]), strings.TrimPrefix(pkg, mod))
	}
	return filepath.Join(standard, pkg)
}

// moduleOf is the longest module path that a package lies in, or "".
func (l *linker) moduleOf(pkg string) (mod string) {
	for candidate := range l.modules {
		if (pkg == candidate || strings.HasPrefix(pkg, candidate+"/")) && len(candidate) > len(mod) {
			mod = candidate
		}
	}
	return mod
}

// chain says how a package came in.
func (l *linker) chain(pkg string) string {
	chain := pkg
	for pkg = l.from[pkg]; pkg != ""; pkg = l.from[pkg] {
		chain += " < " + pkg
	}
	return chain
}

// requirements reads go.mod, which lists indirect requirements as well.
func requirements(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string]string{}
	for line := range strings.Lines(string(text)) {
		field := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
		if len(field) >= 2 && strings.HasPrefix(field[1], "v") && strings.Contains(field[0], ".") {
			modules[field[0]] = field[0] + "@" + field[1]
		}
	}
	return modules
}

// modules is the go command's cache of modules. Building for this system downloads only some of
// them: github.com/inconshreveable/mousetrap, for one, is linked on Windows alone.
var modules = sync.OnceValues(func() (cache string, err error) {
	if out, err := inRoot("mod", "download"); err != nil {
		return "", fmt.Errorf("go mod download: %w: %s", err, out)
	}
	if cache := os.Getenv("GOMODCACHE"); cache != "" { // in the key of the test cache: another folder is another result
		return cache, nil
	}
	out, err := inRoot("env", "GOMODCACHE")
	return strings.TrimSpace(string(out)), err
})

func inRoot(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	return cmd.CombinedOutput()
}

// moduleDir is where the go command unpacked a module. Capitals of its path are written as !x.
func moduleDir(t *testing.T, versioned string) string {
	t.Helper()
	cache, err := modules()
	if err != nil {
		t.Fatal(err)
	}
	var escaped strings.Builder
	for _, r := range versioned {
		if r >= 'A' && r <= 'Z' {
			escaped.WriteByte('!')
			r += 'a' - 'A'
		}
		escaped.WriteRune(r)
	}
	return filepath.Join(cache, escaped.String())
}

// What the page loads must stay small, and must have no way to the network of
// its own. The weights are brotli's, measured one at a time.
func TestLinkedIntoThePage(t *testing.T) {
	l := link(t, "js", "wasm", "wasm/viewer")
	for pkg, why := range map[string]string{
		"net":           "who holds a dump cannot reach the network",
		"net/http":      "who holds a dump cannot reach the network; 1.55 MB",
		"html/template": "641 KB",
		"regexp":        "108 KB",
		"log/slog":      "97 KB",
		"testing":       "it is for tests",
	} {
		if _, ok := l.from[pkg]; ok {
			t.Errorf("%s is linked into the page (%s): %s", pkg, why, l.chain(pkg))
		}
	}
	for _, pkg := range []string{"runtime", "syscall/js", module + "/core/analyze"} {
		if _, ok := l.from[pkg]; !ok {
			t.Errorf("%s was not found among the %d packages linked", pkg, len(l.from))
		}
	}
}

// The Worker can reach the network, so no part of the reader of dumps is in it.
func TestLinkedIntoTheWorker(t *testing.T) {
	l := link(t, "js", "wasm", "wasm/edge")
	for _, pkg := range slices.Sorted(maps.Keys(l.from)) {
		if strings.HasPrefix(pkg, module+"/") && pkg != module+"/wasm/edge" && pkg != module+"/wasm/served" {
			t.Errorf("%s is linked into the Worker: %s", pkg, l.chain(pkg))
		}
	}
}
