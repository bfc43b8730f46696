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
const allOfCore = "core/base/bin core/base/bug core/base/sorting core/dump/container core/machine/cpu core/cause/crash core/machine/disasm core/machine/effect core/machine/flow core/cause/origin core/dump/minidump core/process/module core/values/expr core/values/natvis core/cause/next core/machine/postfix core/base/ranges core/report core/cause/signature core/process core/stack/symbolize core/values/types core/stack/unwind core/values/variables core/base/version core/cause/waits core/runtimes core/runtimes/goroutines core/runtimes/managed"

// aReport is for readers of reports that are text.
const aReport = "core/base/bin core/base/sorting core/dump/text core/machine/cpu core/process core/process/module"

// aReader is for readers of symbol files.
const aReader = "core/base/bin core/base/bug core/base/sorting core/machine/cpu core/machine/isa core/process/module core/machine/postfix core/base/ranges core/base/recent core/stack/symbolize core/values/types core/stack/unwind core/values/variables"

// mayImport lists the packages of this project that each package may import. A package that is not
// listed may import none.
var mayImport = map[string]string{
	"core/base/bin":             "",
	"core/base/bug":             "",
	"core/base/sorting":         "",
	"core/base/version":         "",
	"core/machine/cpu":          "core/base/bin",
	"core/stack/funcname":       "",
	"core/base/ranges":          "",
	"core/base/recent":          "",
	"core/process/module":       "core/base/ranges core/base/sorting",
	"core/values/expr":          "",
	"core/values/natvis":        "core/values/expr",
	"core/machine/postfix":      "",
	"core/dump/minidump":        "core/base/bin core/machine/cpu core/dump/minidump/format core/process core/process/module",
	"core/dump/minidump/format": "",
	"core/dump/minidump/write":  "core/base/bin core/dump/minidump core/dump/minidump/format core/machine/cpu core/process core/process/module core/base/sorting",
	"core/process":              "core/base/bin core/base/bug core/base/ranges core/machine/cpu core/process/module core/base/sorting",
	"core/dump/log":             "core/base/bin",
	"core/dump/microdump":       "core/base/bin core/dump/log core/dump/minidump core/machine/cpu core/process core/process/module",
	"core/dump/kernel":          "core/base/bin core/machine/cpu core/dump/minidump core/process core/process/bugcheck core/process/module core/base/sorting",
	"core/process/bugcheck":     "",
	"core/dump/elfcore":         "core/base/bin core/machine/cpu core/dump/minidump core/process core/process/module",
	"core/dump/text":            "core/base/bin core/dump/log core/machine/cpu core/process core/process/module",
	"core/dump/text/abrt":       aReport,
	"core/dump/text/android":    aReport,
	"core/dump/text/apple":      aReport,
	"core/dump/text/backtrace":  aReport,
	"core/dump/text/debugger":   aReport,
	"core/dump/text/golang":     aReport,
	"core/dump/text/hotspot":    aReport,
	"core/dump/text/rust":       aReport,
	"core/dump/text/kernellog":  aReport,
	"core/dump/text/markup":     aReport,
	"core/dump/text/oops":       aReport,
	"core/dump/text/managed":    aReport,
	"core/dump/text/sanitizer":  aReport,
	"core/dump/text/stackwalk":  aReport,
	"core/dump/text/systemd":    aReport,
	"core/dump/text/unreal":     aReport,
	"core/dump/text/wer":        aReport,
	"core/dump/text/ruby":       aReport,
	"core/dump/text/windbg":     aReport,
	"core/dump/container": "core/base/bin core/dump/elfcore core/dump/kernel core/dump/microdump core/dump/minidump core/dump/minidump/write core/dump/text core/dump/text/abrt core/dump/text/android core/dump/text/apple core/dump/text/backtrace core/dump/text/debugger core/dump/text/golang core/dump/text/hotspot core/dump/text/kernellog core/dump/text/managed core/dump/text/markup core/dump/text/oops core/dump/text/ruby core/dump/text/rust core/dump/text/sanitizer " +
		"core/dump/text/stackwalk core/dump/text/systemd core/dump/text/unreal core/dump/text/wer core/dump/text/windbg core/process",
	"core/machine/isa":            "core/machine/cpu",
	"core/stack/unwind":           "core/machine/cpu core/machine/flow core/machine/isa core/process core/process/module core/stack/funcname core/machine/postfix",
	"core/stack/symbolize":        "core/process core/process/module",
	"core/cause/crash":            "core/process core/process/bugcheck core/machine/cpu core/process/module core/dump/minidump core/stack/funcname core/stack/symbolize core/report core/base/sorting",
	"core/machine/effect":         "core/machine/cpu",
	"core/machine/disasm":         "core/machine/cpu",
	"core/machine/flow":           "core/machine/cpu",
	"core/runtimes":               "core/machine/cpu core/process",
	"core/runtimes/goroutines":    "core/machine/cpu core/process core/runtimes",
	"core/runtimes/managed":       "core/process core/process/module core/runtimes",
	"core/runtimes/python":        "core/process core/runtimes",
	"core/runtimes/v8":            "core/runtimes",
	"core/report":                 "core/machine/cpu core/process core/stack/symbolize",
	"core/cause/origin":           "core/machine/cpu core/machine/effect core/report core/values/variables",
	"core/cause/signature":        "core/cause/crash core/stack/funcname core/stack/symbolize core/process/module core/report",
	"core/cause/next":             "core/cause/crash core/cause/waits core/process core/process/bugcheck core/process/module core/report",
	"core/report/triage":          "core/stack/funcname core/stack/symbolize core/report core/base/sorting",
	"core/cause/waits":            "core/process core/machine/cpu core/stack/funcname core/report",
	"core/analyze":                allOfCore,
	"core/report/render":          "core/machine/cpu core/process/module core/report core/stack/funcname core/stack/symbolize core/base/sorting",
	"core/sanitize":               "core/analyze core/base/bin core/dump/kernel core/machine/cpu core/machine/disasm core/dump/minidump core/dump/minidump/write core/dump/text/android core/process/module core/report core/process core/base/sorting",
	"symbols/parallel":            "core/base/bug",
	"symbols/search":              "core/base/bin core/base/ranges core/base/recent",
	"symbols/formats/breakpad":    aReader + " symbols/search",
	"symbols/formats/perfmap":     "core/base/sorting",
	"symbols/formats/r8":          "core/stack/symbolize",
	"symbols/formats/pe":          aReader + " symbols/tables/cfi symbols/archives/decompress symbols/formats/dwarf symbols/formats/gopclntab symbols/parallel",
	"symbols/archives/decompress": "core/base/bin core/base/recent",
	"symbols/formats/elf":         aReader + " symbols/tables/cfi symbols/archives/decompress symbols/formats/dwarf symbols/formats/gopclntab symbols/tables/exidx",
	"symbols/formats/gopclntab":   aReader,
	"symbols/formats/macho":       aReader + " symbols/tables/cfi symbols/archives/decompress symbols/formats/dwarf symbols/formats/gopclntab",
	"symbols/formats/dwarf":       aReader + " core/stack/funcname symbols/parallel symbols/search symbols/tables/cfi",
	"symbols/formats/pdb":         aReader + " symbols/parallel symbols/search",
	"symbols/tables/cfi":          aReader + " symbols/search",
	"symbols/tables/exidx":        aReader + " symbols/tables/cfi",
	"symbols/demangle":            "core/stack/funcname symbols/demangle/punycode symbols/demangle/swift",
	"symbols/demangle/swift":      "symbols/demangle/punycode",
	"symbols/demangle/punycode":   "",
	"core/values/types":           "",
	"core/values/variables":       "core/machine/cpu core/process core/values/expr core/values/types core/values/natvis core/base/sorting",
	"symbols/archives/archive":    "core/base/bin symbols/archives/lzx core/base/sorting",
	"symbols/archives/lzx":        "",
	"symbols/layout":              "core/base/bin core/process/module core/base/sorting",
	"symbols/formats/sniff":       "core/base/bin core/dump/text/android symbols/archives/archive",
	"symbols/share/slice":         "core/analyze core/base/bin core/machine/cpu core/process core/process/module core/report core/stack/symbolize core/stack/unwind symbols/formats/breakpad core/base/sorting",
	"symbols/share/capsule":       "core/analyze core/base/bin core/report/render core/report core/sanitize core/base/version symbols/layout symbols/share/slice",
	"symbols/formats":             aReader + " core/process symbols/formats/breakpad symbols/formats/dwarf symbols/formats/elf symbols/formats/gopclntab symbols/layout symbols/formats/macho symbols/formats/pdb symbols/formats/pe symbols/formats/sniff",
	"symbols":                     aReader + " core/dump/container core/machine/cpu core/stack/funcname core/report symbols/archives/archive symbols/demangle symbols/formats symbols/formats/perfmap symbols/formats/r8 symbols/layout symbols/formats/sniff",
	"wasm/internal/bridge":        "",
	"wasm/viewer":                 "wasm/internal/bridge core/analyze core/base/bin core/base/bug core/dump/container core/dump/minidump core/process/module core/values/natvis core/report core/report/render core/runtimes core/runtimes/python core/runtimes/v8 core/sanitize core/values/variables symbols symbols/archives/archive symbols/share/capsule symbols/formats/breakpad symbols/archives/decompress symbols/formats symbols/layout",
	"wasm/edge":                   "wasm/served",
	"wasm/served":                 "",
	"cmd/internal/breakpaddump":   "core/base/bin core/machine/cpu core/dump/minidump core/report/render",
	"cmd/internal/adapter":        "cmd/internal/local core/analyze core/base/bug core/process/module core/report core/report/render core/values/variables",
	"cmd/internal/assistant":      "core/analyze core/base/bug core/base/version core/process/module core/report core/report/render core/sanitize core/values/variables",
	"cmd/internal/lean":           "",
	"cmd/internal/remote":         "core/machine/cpu core/process",
	"cmd/internal/profiler":       "core/machine/cpu core/machine/disasm core/process core/process/module core/report core/stack/symbolize symbols",
	"cmd/internal/page":           "symbols/archives/decompress",
	"cmd/build":                   "cmd/internal/page",
	"cmd/internal/fetch":          "",
	"cmd/internal/local":          "core/process/module core/report symbols/layout",
	"cmd/internal/fetch/download": "cmd/internal/fetch", // and nothing that could read a dump
	"cmd/internal/fetch/plan":     "core/cause/next core/report cmd/internal/fetch",
	"crashdump":                   "core/... symbols/...",
	"cmd/crashglass":              "core/... symbols/... cmd/internal/... wasm/served",
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

// mayReach are the files and folders that may reach a network, and the one that makes a socket of this machine. Those that only
// spell addresses have net/url.
var mayReach = []string{"cmd/crashglass/dapsocket.go", "cmd/crashglass/serve.go", "cmd/crashglass/servefiles.go", "cmd/crashglass/servequeries.go", "cmd/internal/fetch/download", "wasm/edge"}

const reachNetwork = "only what serves, downloads or passes on files reaches the network"

// The one file that may be unsafe: it finds the ends of lines eight bytes at a time.
const mayBeUnsafe = "symbols/formats/breakpad/newline.go"

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
		t.Errorf("only %d files were read", files)
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
		folder, isAll := strings.CutSuffix(entry, "/...")
		return entry == imported || isAll && (imported == folder || strings.HasPrefix(imported, folder+"/"))
	})
}

// floors are the folders from the ground up. A package imports those of its own floor and of the ones below.
var floors = []string{
	"core/base", "core/machine", "core/process", "core/dump", "core/values", "core/stack", "core/runtimes", "core/report", "core/cause",
	"core/analyze", "core/sanitize",
	"symbols/archives", "symbols/layout", "symbols/demangle", "symbols/parallel", "symbols/search", "symbols/tables", "symbols/formats", "symbols", "symbols/share",
}

// floorOf is the index of the floor of a package: that of the longest folder that holds it.
func floorOf(pkg string) int {
	floor := -1
	for i, folder := range floors {
		if (pkg == folder || strings.HasPrefix(pkg, folder+"/")) && (floor < 0 || len(folder) > len(floors[floor])) {
			floor = i
		}
	}
	return floor
}

// The table of imports lists no package above, and every package of core and symbols has a floor.
func TestFloors(t *testing.T) {
	for pkg, imports := range mayImport {
		if !strings.HasPrefix(pkg, "core/") && !strings.HasPrefix(pkg, "symbols") {
			continue
		}
		floor := floorOf(pkg)
		if floor < 0 {
			t.Errorf("%s is on no floor", pkg)
		}
		for _, imported := range strings.Fields(imports) {
			if floorOf(imported) > floor {
				t.Errorf("%s, of %s, may import %s, of %s above it", pkg, floors[floor], imported, floors[floorOf(imported)])
			}
		}
	}
}

// The rules can fail.
func TestComplaints(t *testing.T) {
	for _, test := range []struct{ file, imported, want string }{
		{"core/stack/unwind/walk.go", "crashglass/core/machine/cpu", ""},
		{"core/stack/unwind/walk.go", "crashglass/core/dump/minidump", "the table allows only [core/machine/cpu core/machine/flow core/machine/isa core/process core/process/module core/stack/funcname core/machine/postfix]"},
		{"core/report/report.go", "encoding/json", ""},
		{"core/new/new.go", "crashglass/core/base/bin", "the table allows only []"},
		{"core/base/bin/cursor.go", "unsafe", "the input is hostile"},
		{"symbols/formats/breakpad/newline.go", "unsafe", ""},
		{"symbols/formats/breakpad/scan.go", "unsafe", "the input is hostile"},
		{"symbols/store.go", "os", "there are no files in a browser: they come in as io.ReaderAt"},
		{"symbols/store.go", "crashglass/symbols/formats", ""},
		{"cmd/crashglass/serve.go", "net/http", ""},
		{"cmd/crashglass/walk.go", "net/http", reachNetwork},
		{"cmd/internal/fetch/plan/list.go", "net/http", reachNetwork},
		{"cmd/internal/fetch/download/place.go", "crashglass/core/dump/minidump", "the table allows only [cmd/internal/fetch]"},
		{"cmd/crashglass/main.go", "crashglass/wasm/internal/bridge", "the table allows only [core/... symbols/... cmd/internal/... wasm/served]"},
		{"wasm/edge/main.go", "crashglass/core/report", "the table allows only [wasm/served]"},
		{"wasm/viewer/main.go", "github.com/hack-pad/safejs", "only wasm/internal/bridge may touch JavaScript"},
		{"core/testkit/dump/dump.go", "crashglass/core/testkit/asm", ""},
	} {
		if got := complaint(test.file, test.imported); got != test.want {
			t.Errorf("%s imports %s: %q, want %q", test.file, test.imported, got, test.want)
		}
	}
}
