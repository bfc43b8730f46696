//go:build !js

package imports

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	root   = "../../.."
	module = "crashglass"
)

// allOfCore is for packages that may use all of core.
const allOfCore = "core/bin core/bug core/container core/cpu core/crash core/decimal core/disasm core/minidump core/module core/natvis core/next core/postfix core/ranges core/report core/signature core/snapshot core/symbolize core/types core/unwind core/variables core/version core/waits"

// aReader is for readers of symbol files.
const aReader = "core/bin core/bug core/isa core/module core/postfix core/ranges core/recent core/symbolize core/types core/unwind core/variables"

// mayImport lists the packages of this project that each package may import. A package that is not
// listed may import none.
var mayImport = map[string]string{
	"core/bin":                    "",
	"core/bug":                    "",
	"core/version":                "",
	"core/cpu":                    "core/bin",
	"core/funcname":               "",
	"core/ranges":                 "",
	"core/recent":                 "",
	"core/module":                 "core/ranges",
	"core/natvis":                 "",
	"core/postfix":                "",
	"core/minidump":               "core/bin core/cpu core/minidump/format core/module",
	"core/minidump/format":        "",
	"core/minidump/write":         "core/minidump core/minidump/format",
	"core/snapshot":               "core/minidump",
	"core/microdump":              "core/bin core/minidump core/minidump/write core/snapshot",
	"core/elfcore":                "core/bin core/cpu core/minidump core/minidump/write core/snapshot",
	"core/container":              "core/bin core/elfcore core/microdump core/minidump core/snapshot",
	"core/isa":                    "core/cpu",
	"core/unwind":                 "core/cpu core/isa core/module core/funcname core/postfix",
	"core/symbolize":              "core/module",
	"core/crash":                  "core/cpu core/module core/minidump core/funcname",
	"core/disasm":                 "core/cpu",
	"core/report":                 "",
	"core/signature":              "core/module core/report",
	"core/next":                   "core/report",
	"core/triage":                 "core/report",
	"core/waits":                  "core/cpu core/funcname core/report",
	"core/analyze":                allOfCore,
	"core/render":                 "core/module core/report",
	"core/sanitize":               "core/analyze core/bin core/cpu core/minidump core/minidump/write core/module core/report core/snapshot",
	"symbols/breakpad":            aReader,
	"symbols/pe":                  aReader + " core/cpu symbols/cfi symbols/dwarf",
	"symbols/decompress":          "core/bin",
	"symbols/elf":                 aReader + " symbols/cfi symbols/decompress symbols/dwarf symbols/exidx",
	"symbols/macho":               aReader + " core/cpu symbols/cfi symbols/decompress symbols/dwarf",
	"symbols/dwarf":               aReader + " symbols/cfi symbols/demangle",
	"symbols/pdb":                 aReader,
	"symbols/cfi":                 aReader,
	"symbols/exidx":               aReader,
	"symbols/demangle":            "core/decimal symbols/demangle/swift",
	"symbols/demangle/swift":      "",
	"core/types":                  "",
	"core/decimal":                "",
	"core/variables":              "core/cpu core/decimal core/types core/natvis",
	"symbols/archive":             "core/bin symbols/lzx",
	"symbols/lzx":                 "",
	"symbols/layout":              "core/bin core/module",
	"symbols/sniff":               "core/bin symbols/archive",
	"symbols/slice":               "core/analyze core/bin core/module core/report core/symbolize core/unwind symbols/breakpad",
	"symbols/capsule":             "core/analyze core/bin core/render core/report core/sanitize core/version symbols/layout symbols/slice",
	"symbols/formats":             aReader + " symbols/breakpad symbols/elf symbols/layout symbols/macho symbols/pdb symbols/pe symbols/sniff",
	"symbols":                     aReader + " core/cpu core/report symbols/archive symbols/demangle symbols/formats symbols/layout symbols/sniff",
	"wasm/internal/bridge":        "",
	"wasm/viewer":                 "wasm/internal/bridge core/analyze core/bin core/bug core/container core/minidump core/module core/natvis core/report core/render core/sanitize core/variables symbols symbols/archive symbols/capsule symbols/breakpad symbols/decompress symbols/formats symbols/layout",
	"wasm/edge":                   "wasm/served",
	"wasm/served":                 "",
	"cmd/internal/breakpaddump":   "core/bin core/cpu core/minidump core/render",
	"cmd/internal/fetch":          "",
	"cmd/internal/fetch/download": "cmd/internal/fetch", // and nothing that could read a dump
	"cmd/internal/fetch/plan":     "core/next core/report cmd/internal/fetch",
	"cmd/crashglass":              "core/* symbols symbols/* cmd/internal/* cmd/internal/fetch/* wasm/served",
}

// nowhere lists the imports that are forbidden in core and symbols, with the reason.
var nowhere = map[string]string{
	"syscall/js":                   "it is tested natively, and only wasm/ may touch JavaScript",
	"github.com/hack-pad/safejs":   "only wasm/internal/bridge may touch JavaScript",
	"github.com/syumai/workers":    "who can reach the network cannot hold a dump",
	"net":                          "who holds a dump cannot reach the network",
	"net/http":                     "who holds a dump cannot reach the network",
	"os":                           "there are no files in a browser: they come in as io.ReaderAt",
	"os/exec":                      "there are no programs in a browser",
	"syscall":                      "there is no system in a browser",
	"unsafe":                       "the input is hostile",
	"regexp":                       "it weighs 108 KB in the page, compressed",
	"html/template":                "it weighs 641 KB in the page, compressed",
	"log/slog":                     "it weighs 97 KB in the page, compressed, and a log could hold what was in a dump",
	"log":                          "a log could hold what was in a dump",
	"github.com/google/go-cmp/cmp": "it is for tests",
}

// mayReach are the files and folders that may reach a network. Those that only
// spell addresses have net/url.
var mayReach = []string{"cmd/crashglass/serve.go", "cmd/crashglass/servefiles.go", "cmd/internal/fetch/download", "wasm/edge"}

const reachNetwork = "only what serves, downloads or passes on files reaches the network"

// The one file that may be unsafe: it finds the ends of lines eight bytes at a time.
const mayBeUnsafe = "symbols/breakpad/newline.go"

// The files are read here rather than by running "go list": the test cache
// sees files that a test opens, but not what a child process reads, so the
// other way round a broken rule still prints "ok (cached)".
func TestImports(t *testing.T) {
	files := 0
	err := fs.WalkDir(os.DirFS(root), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{"node_modules", "build", "dist", ".git", "testdata"}, d.Name()) {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		files++
		for _, complaint := range complaints(t, file) {
			t.Error(complaint)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Errorf("only %d files were looked at", files)
	}
}

func complaints(t *testing.T, file string) (out []string) {
	parsed, err := parser.ParseFile(token.NewFileSet(), path.Join(root, file), nil, parser.ImportsOnly)
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return nil
	}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if why := complaint(file, imported); why != "" {
			out = append(out, file+" imports "+imported+": "+why)
		}
	}
	return out
}

// complaint says why file must not import something, or "".
func complaint(file, imported string) string {
	pkg := path.Dir(file)
	if ours, ok := strings.CutPrefix(imported, module+"/"); ok {
		if strings.HasPrefix(pkg, "core/testkit/") { // for tests, and no part of any program
			return ""
		}
		if !allowed(mayImport[pkg], ours) {
			return "the table allows only [" + mayImport[pkg] + "]"
		}
		return ""
	}
	if imported == "github.com/hack-pad/safejs" && pkg != "wasm/internal/bridge" {
		return "only wasm/internal/bridge may touch JavaScript"
	}
	if (imported == "net" || imported == "net/http") && !strings.HasPrefix(pkg, "core/") && !strings.HasPrefix(pkg, "symbols") &&
		!slices.Contains(mayReach, file) && !slices.Contains(mayReach, pkg) {
		return reachNetwork
	}
	if !strings.HasPrefix(pkg, "core/") && pkg != "symbols" && !strings.HasPrefix(pkg, "symbols/") {
		return ""
	}
	if strings.HasPrefix(pkg, "core/testkit/") || imported == "unsafe" && file == mayBeUnsafe {
		return ""
	}
	return nowhere[imported]
}

func allowed(table, imported string) bool {
	return slices.ContainsFunc(strings.Fields(table), func(entry string) bool {
		parent, isAll := strings.CutSuffix(entry, "/*")
		return entry == imported || isAll && path.Dir(imported) == parent
	})
}

// The rules can fail.
func TestComplaints(t *testing.T) {
	for _, test := range []struct{ file, imported, want string }{
		{"core/unwind/walk.go", "crashglass/core/cpu", ""},
		{"core/unwind/walk.go", "crashglass/core/minidump", "the table allows only [core/cpu core/isa core/module core/funcname core/postfix]"},
		{"core/report/report.go", "encoding/json", ""},
		{"core/new/new.go", "crashglass/core/bin", "the table allows only []"},
		{"core/bin/cursor.go", "unsafe", "the input is hostile"},
		{"symbols/breakpad/newline.go", "unsafe", ""},
		{"symbols/breakpad/scan.go", "unsafe", "the input is hostile"},
		{"symbols/sniff.go", "os", "there are no files in a browser: they come in as io.ReaderAt"},
		{"symbols/sniff.go", "crashglass/symbols/formats", ""},
		{"cmd/crashglass/serve.go", "net/http", ""},
		{"cmd/crashglass/walk.go", "net/http", reachNetwork},
		{"cmd/internal/fetch/plan/list.go", "net/http", reachNetwork},
		{"cmd/internal/fetch/download/place.go", "crashglass/core/minidump", "the table allows only [cmd/internal/fetch]"},
		{"cmd/crashglass/main.go", "crashglass/wasm/internal/bridge", "the table allows only [core/* symbols symbols/* cmd/internal/* cmd/internal/fetch/* wasm/served]"},
		{"wasm/edge/main.go", "crashglass/core/report", "the table allows only [wasm/served]"},
		{"wasm/viewer/main.go", "github.com/hack-pad/safejs", "only wasm/internal/bridge may touch JavaScript"},
		{"core/testkit/dump/dump.go", "crashglass/core/testkit/asm", ""},
	} {
		if got := complaint(test.file, test.imported); got != test.want {
			t.Errorf("%s imports %s: %q, want %q", test.file, test.imported, got, test.want)
		}
	}
}
