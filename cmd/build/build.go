package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"

	"crashglass/cmd/internal/page"
)

// budget is in bytes of the .xz that the page loads: disassembly, native files, ELF cores, variables with readers of 12 libraries, verdicts,
// what threads wait for, NatVis, slices and capsules, and reports that are text of fourteen makers. A first visit has a limit of its own, 2.75 MB in each engine.
const budget = 2400000

// hot is what is compiled with inlining: the runtime, what scans symbol files, and what that calls for each byte or record. Everything
// else runs a few times for a crash, or never; without inlining there is 7 % less to load.
const hot = "runtime internal/runtime/... internal/bytealg sync/... bytes cmp encoding/binary hash/... maps slices syscall/js " +
	"MODULE/core/base/bin MODULE/core/base/recent MODULE/symbols/search MODULE/symbols/formats/breakpad"

// inlined returns options of go build that compile packages with inlining, and all others without. The last -gcflags that fits a package counts.
func inlined(packages string) []string {
	options := []string{"-gcflags=all=-l"}
	for _, pattern := range strings.Fields(strings.ReplaceAll(packages, "MODULE", module())) {
		options = append(options, "-gcflags="+pattern+"=")
	}
	return options
}

// module returns the path of this module, which a fork may change.
func module() string {
	info, _ := debug.ReadBuildInfo()
	return info.Main.Path
}

// number is the option of the linker that sets the number of a release.
func number() string {
	if version := os.Getenv("CRASHGLASS_VERSION"); version != "" {
		return " -X " + module() + "/core/base/version.number=" + version
	}
	return ""
}

// commit returns the commit of this tree, for --version; "" without git. A tree that has changed since says so. A copy of a tree has no git:
// CRASHGLASS_COMMIT names its commit.
func commit() string {
	if known := os.Getenv("CRASHGLASS_COMMIT"); known != "" {
		return known
	}
	found, _ := exec.Command("git", "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty").Output()
	return strings.TrimSpace(string(found))
}

// wasm compiles a program for the browser. Tables of lines are a fourteenth of what is loaded, and only tracebacks read them.
func wasm(pkg, out string, flags ...string) {
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w" + number()}, flags...)
	args = append(args, inlined(hot)...)
	finish(command([]string{"GOOS=js", "GOARCH=wasm"}, "go", append(args, "-o", out+".full", pkg)...))
	run("go", "run", "./cmd/internal/lean", out+".full", out)
}

// buildWasm makes the engine of the page. The loader has to be that of the compiler, so it is taken from there.
func buildWasm() {
	wasm("./wasm/viewer", "build/viewer.wasm", "-modfile="+tablesAsData())
	copyFile(filepath.Join(output("go", "env", "GOROOT"), "lib/wasm/wasm_exec.js"), "build/wasm_exec.js", 0o644)
}

func buildPage() { finish(script("pack/main.ts")) }

// buildLibrary makes the npm package of the engine.
func buildLibrary() { finish(script("pack/library.ts")) }

// vsce packs extensions for VS Code. The time of their files is that of every release's.
const (
	vsce          = "@vscode/vsce@4.1.0"
	vsceTime      = "SOURCE_DATE_EPOCH=315532800"
	extensionFile = "build/crashglass.vsix"
)

// buildExtension makes the extension for VS Code, as a folder.
func buildExtension() { finish(script("pack/vscode.ts")) }

// packExtension packs the folder, and returns the name of the file.
func packExtension() string {
	const tools = "build/tools/vsce"
	npmTools(tools, vsce)
	pack := command([]string{vsceTime, "TZ=UTC"}, bin(absolute(tools), "vsce"), "package", "--no-dependencies", "--allow-missing-repository", "-o", absolute(extensionFile))
	logged("vsce", inFolder("build/vscode", pack))
	return extensionFile
}

func vscode() {
	buildAll()
	buildExtension()
	fmt.Println(packExtension())
}

func library() {
	packages()
	buildWasm()
	buildLibrary()
	fmt.Println("build/library")
}

func buildAll() {
	packages()
	buildWasm()
	buildPage()
}

// programTags: the page is inside, and HTTP/2 is not. That has 0.56 MB, and only downloads of symbol files could use it.
const programTags = "page,nethttpomithttp2"

// compile builds the program with the page inside.
func compile(settings []string, linker, out string, flags ...string) {
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-tags", programTags, "-ldflags=" + linker + " -X main.commit=" + commit() + number()}, flags...)
	finish(command(append(settings, "CGO_ENABLED=0"), "go", append(args, "-o", out, "./cmd/crashglass")...))
}

// embedPage puts the page where the program is built with it.
func embedPage() { must(page.Store(os.DirFS("dist"), "cmd/crashglass/page")) }

func buildProgram() { buildNamed() }

// buildNamed builds the program and returns its name, as this system starts it.
func buildNamed() string {
	name := "build/crashglass" + output("go", "env", "GOEXE")
	embedPage()
	compile(nil, "", name)
	return name
}

func program() {
	buildAll()
	fmt.Println(buildNamed())
}

// buildEdge makes the Worker, its glue and the configuration in build/edge, ready for workerd.
func buildEdge() {
	const folder = "build/edge/"
	run("go", "run", "github.com/syumai/workers/cmd/workers-assets-gen", "-mode=go", "-o", "build/edge")
	wasm("./wasm/edge", folder+"app.wasm")
	for _, name := range []string{"bounded.mjs", "workerd.capnp", "wrangler.jsonc"} {
		copyFile("wasm/edge/"+name, folder+name, 0o644)
	}
	write(folder+"worker.mjs", append(get(os.ReadFile(folder+"worker.mjs")), "import \"./bounded.mjs\";\n"...), 0o644)
}

// serve builds everything and serves the page until it is stopped.
func serve(args []string) {
	port := portOf(args)
	buildAll()
	name := buildNamed()
	if !isFree(port) {
		port = "0" // any
	}
	untilStopped(name, "serve", "--addr", "127.0.0.1:"+port)
}

func edge(args []string) {
	port := portOf(args)
	need(isFree(port), "port %s is taken; name another: ./build.sh edge 8081", port)
	buildAll()
	buildEdge()
	fmt.Printf("http://127.0.0.1:%s/\n", port)
	untilStopped(bin("web", "workerd"), "serve", "build/edge/workerd.capnp", "--socket-addr", "http=127.0.0.1:"+port, "--directory-path", "dist="+absolute("dist"))
}

// portOf returns the port of the arguments, 8080 if there is none.
func portOf(args []string) string {
	args = append(args, "8080")
	_, err := strconv.ParseUint(args[0], 10, 16)
	need(len(args) <= 2 && err == nil, "%w", errUsage)
	return args[0]
}

func isFree(port string) bool {
	l, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err == nil {
		l.Close()
	}
	return err == nil
}

func size() {
	buildAll()
	sizes()
}

// sizes prints the bytes of the engine, as it is and in each compressed form, and returns those of the .xz, which is folded (web/pack/fold.ts).
func sizes() (xz int64) {
	for _, form := range [][2]string{{"raw", ""}, {"gzip", ".gz"}, {"brotli", ".br"}, {"xz", ".xz"}} {
		files := get(filepath.Glob("dist/assets/viewer-*.wasm" + form[1]))
		need(len(files) == 1, "dist/assets has %d files viewer-*.wasm%s, not one", len(files), form[1])
		xz = get(os.Stat(files[0])).Size()
		fmt.Printf("%-6s %9d bytes", form[0], xz)
		if form[0] == "xz" {
			fmt.Printf(" of a budget of %d", budget)
		}
		fmt.Println()
	}
	return xz
}

func withinBudget() { need(sizes() <= budget, "the engine is larger than its budget") }

func testGo() {
	run("go", "vet", "./...")
	run("go", "test", "./...")
}

// The disassembler of PowerPC has a table of 1,300 instructions, and before it two errors that a call makes. Once a call has run, Go's compiler
// (cmd/compile/internal/staticinit, seenMutation) fills a table by code, here of 490 KB. With constants for errors the table is data.
const (
	disassemblers = "golang.org/x/arch"
	ofPowerPC     = "ppc64/ppc64asm/decode.go"
	calledErrors  = "= fmt.Errorf("
	ofRISCV       = "riscv64/riscv64asm/csr_string.go"
	constants     = "\ntype constant string\n\nfunc (c constant) Error() string { return string(c) }\n\nvar _ = fmt.Errorf\n"
)

// The names of RISC-V's registers are parts of one text, and a map of these is filled by code, here of 63 KB. As texts of their own they are data.
var (
	allNames   = regexp.MustCompile(`(?m)^const _CSR_name = ("[^"]*")$`)
	partOfName = regexp.MustCompile(`_CSR_name\[(\d+):(\d+)\]`)
)

// tablesAsData copies the disassemblers to build/, changes the errors and names there, and returns the module file that names the copy.
func tablesAsData() string {
	const folder, file, checksums = "build/arch", "build/wasm.mod", "build/wasm.sum"
	run("go", "mod", "download", disassemblers)
	must(os.RemoveAll(folder))
	must(os.CopyFS(folder, os.DirFS(output("go", "list", "-m", "-f", "{{.Dir}}", disassemblers))))
	text, ok := withConstants(string(get(os.ReadFile(filepath.Join(folder, ofPowerPC)))))
	need(ok, "%s has no error that a call makes; a copy is no longer needed", ofPowerPC)
	write(filepath.Join(folder, ofPowerPC), []byte(text), 0o644)
	text, ok = withTexts(string(get(os.ReadFile(filepath.Join(folder, ofRISCV)))))
	need(ok, "%s has no names that are parts of a text", ofRISCV)
	write(filepath.Join(folder, ofRISCV), []byte(text), 0o644)
	copyFile("go.mod", file, 0o644)
	copyFile("go.sum", checksums, 0o644)
	run("go", "mod", "edit", "-replace", disassemblers+"=./"+folder, file)
	return file
}

// withConstants makes the errors of a file constants, and reports whether it had any that a call makes.
func withConstants(text string) (string, bool) {
	return strings.ReplaceAll(text, calledErrors, "error = constant(") + constants, strings.Contains(text, calledErrors)
}

// withTexts makes the names of a file texts, and reports whether it had any that are parts of one.
func withTexts(text string) (string, bool) {
	all := allNames.FindStringSubmatch(text)
	if all == nil {
		return text, false
	}
	name := get(strconv.Unquote(all[1]))
	return partOfName.ReplaceAllStringFunc(text, func(part string) string {
		at := partOfName.FindStringSubmatch(part)
		return strconv.Quote(name[get(strconv.Atoi(at[1])):get(strconv.Atoi(at[2]))])
	}), true
}
