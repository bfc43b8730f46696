package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// systems are those that a release has programs for.
var systems = []string{"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "windows-arm64"}

// largest is the size in bytes that a program of a release must not exceed.
const largest = 25_000_000

// warm is what programs of a release compile with inlining, beside hot: what `syms` runs for each record of native files. With all of it inlined, a
// program has 1.8 MB more, and `syms` needs 5 % less time.
const warm = "strings strconv sort bufio io unicode/... compress/... github.com/klauspost/... github.com/therootcompany/... github.com/ianlancetaylor/... " +
	"MODULE/symbols MODULE/symbols/formats/... MODULE/symbols/tables/... MODULE/symbols/archives/... MODULE/symbols/demangle"

var versions = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.-]+)?$`)

type made struct {
	Version string
	Home    string // the address of the project, where releases are downloaded; "" if it has none
	folder  string
	changes string  // what is new
	shared  []entry // the files that each archive has beside the program
}

// release makes all files of a release. Its version has to be in the changelog.
func release(args []string) {
	need(len(args) == 1 && versions.MatchString(args[0]), "%w: a version is like 1.2.3", errUsage)
	r := &made{Version: args[0], Home: os.Getenv("CRASHGLASS_HOME"), folder: "build/release/" + args[0]}
	r.changes = changes(string(get(os.ReadFile("CHANGELOG.md"))), r.Version)
	must(os.Setenv("CRASHGLASS_VERSION", r.Version))
	emptied(r.folder)
	buildAll()
	embedPage()
	r.manual()
	for _, system := range systems {
		r.archive(system)
	}
	r.write("dist.tar.gz", tarball(under("dist", filesOf("dist"))))
	buildLibrary()
	r.write("crashglass-npm.tgz", tarball(under("package", filesOf("build/library"))))
	buildExtension()
	copyFile(packExtension(), filepath.Join(r.folder, "crashglass.vsix"), 0o644)
	r.write("CHANGES.md", []byte(r.changes))
	for _, name := range []string{"dist/viewer.html", "LICENSE", "THIRD_PARTY_LICENSES", "release/Containerfile"} {
		r.write(filepath.Base(name), get(os.ReadFile(name)))
	}
	r.bill()
	r.packages()
	r.write("SHA256SUMS", []byte(sumsOf(filesOf(r.folder))))
	fmt.Println(r.folder)
}

func (r *made) write(name string, data []byte) { write(filepath.Join(r.folder, name), data, 0o644) }

func changes(changelog, version string) string {
	var section strings.Builder
	inside := false
	for line := range strings.Lines(changelog) {
		if strings.HasPrefix(line, "## ") {
			inside = strings.Fields(line)[1] == version
		}
		if inside {
			section.WriteString(line)
		}
	}
	need(section.Len() > 0, "CHANGELOG.md has no section of version %s: write one, or rename \"Unreleased\"", version)
	return section.String()
}

// publish has GitHub's own program make a release of the files that were built.
func publish(args []string) {
	need(len(args) == 1 && versions.MatchString(args[0]), "%w: a version is like 1.2.3", errUsage)
	folder := "build/release/" + args[0]
	gh := []string{"release", "create", "v" + args[0], "--verify-tag", "--title", args[0], "--notes-file", folder + "/CHANGES.md"}
	if strings.Contains(args[0], "-") {
		gh = append(gh, "--prerelease")
	}
	for _, f := range filesOf(folder) {
		gh = append(gh, folder+"/"+f.name)
	}
	run("gh", gh...)
}

func newest(changelog string) string {
	for line := range strings.Lines(changelog) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "##" && versions.MatchString(fields[1]) {
			return fields[1]
		}
	}
	return ""
}

// completions are the names that shells find the completion scripts by.
var completions = [][2]string{{"bash", "crashglass"}, {"zsh", "_crashglass"}, {"fish", "crashglass.fish"}, {"powershell", "crashglass.ps1"}}

// manual has the program write its manual page and its completion scripts. That of this system writes those of all.
func (r *made) manual() {
	r.shared = []entry{{"crashglass.1", []byte(output("go", "run", "./cmd/crashglass", "man") + "\n"), 0o644}}
	for _, shell := range completions {
		text := output("go", "run", "./cmd/crashglass", "completion", shell[0])
		r.shared = append(r.shared, entry{"completions/" + shell[1], []byte(text + "\n"), 0o644})
	}
	for _, name := range []string{"LICENSE", "THIRD_PARTY_LICENSES"} {
		r.shared = append(r.shared, entry{name, get(os.ReadFile(name)), 0o644})
	}
}

// archive builds the program for a system, and writes its archive in the usual format of that system.
func (r *made) archive(system string) {
	folder, file, pack, end := "crashglass-"+system, "crashglass", tarball, ".tar.gz"
	if strings.HasPrefix(system, "windows-") {
		file, pack, end = "crashglass.exe", zipped, ".zip"
	}
	built := filepath.Join("build/programs", folder, file)
	compile(target(system), "-s -w", built, inlined(hot+" "+warm)...)
	program := get(os.ReadFile(built))
	need(len(program) <= largest, "%s has %d bytes, at most %d are allowed", folder, len(program), largest)
	r.write(folder+end, pack(under(folder, append(r.shared, entry{file, program, 0o755}))))
}

func target(system string) []string {
	goos, arch, _ := strings.Cut(system, "-")
	return []string{"GOOS=" + goos, "GOARCH=" + arch}
}

// Tools that say what a program is made of. Both are of the OWASP CycloneDX project.
var billTools = []string{"@cyclonedx/cdxgen@12.8.4", "@cyclonedx/cyclonedx-npm@6.0.1"}

func (r *made) bill() {
	const tools = "build/tools/sbom"
	npmTools(tools, billTools...)
	parts := absolute(emptied("build/sbom"))
	args := []string{"pack/sbom.ts", r.Version, parts + "/linked"}
	var linked strings.Builder
	for _, system := range append([]string{"js-wasm"}, systems...) {
		linked.WriteString(linkedModules(system) + "\n")
		file := parts + "/go-" + system + ".json"
		logged("sbom-"+system, command(append(target(system), "FETCH_LICENSE=false"), bin(tools, "cdxgen"),
			"-t", "go", "--no-recurse", "--no-install-deps", "--spec-version", "1.6", "-o", file, "."))
		args = append(args, file)
	}
	write(parts+"/linked", []byte(linked.String()), 0o644)
	finish(inFolder("web", command(nil, bin("../"+tools, "cyclonedx-npm"), "--omit", "dev", "--package-lock-only", "--output-reproducible",
		"--spec-version", "1.6", "--of", "JSON", "-o", parts+"/npm.json")))
	r.write("crashglass.cdx.json", []byte(read(script(append(args, parts+"/npm.json")...))+"\n"))
}

// linkedModules lists the modules that are linked into a program besides this one, MODULE@VERSION.
func linkedModules(system string) string {
	pkg := "./cmd/crashglass"
	if system == "js-wasm" {
		pkg = "./wasm/viewer"
	}
	return read(command(append(target(system), "CGO_ENABLED=0"), "go", "list", "-deps",
		"-f", "{{with .Module}}{{if .Version}}{{.Path}}@{{.Version}}{{end}}{{end}}", pkg))
}

// tryRelease makes a release twice, the second time in another folder and without what Go has built before, and starts its programs.
func tryRelease(args []string) {
	args = append(args, newest(string(get(os.ReadFile("CHANGELOG.md")))))
	version := args[0]
	if os.Getenv("CRASHGLASS_HOME") == "" {
		must(os.Setenv("CRASHGLASS_HOME", "https://crashglass.example"))
	}
	release(args[:1])
	folder, other := "build/release/"+version, "build/again"
	lint(folder)
	copyTree(other)
	settings := []string{"CRASHGLASS_COMMIT=" + commit(), "GOCACHE=" + absolute(other) + "/build/go-cache"}
	finish(inFolder(other, command(settings, "go", "run", "./cmd/build", "release", version)))
	differ := different(folder, other+"/"+folder)
	need(len(differ) == 0, "two builds of one tree differ: %s", strings.Join(differ, ", "))
	must(os.RemoveAll(other))
	if runtime.GOOS == "linux" {
		run("release/start.sh", folder, version)
	}
}

// verify builds the same tree in another place, and compares. What it says is about DIST; what it needs is this tree.
func verify(args []string) {
	need(len(args) == 1, "%w", errUsage)
	_, err := os.Stat(filepath.Join(args[0], "SHA256SUMS"))
	need(err == nil, "%w: %s has no SHA256SUMS", errUsage, args[0])
	const other = "build/verify"
	packages()
	copyTree(other)
	finish(inFolder(other, command(nil, "go", "run", "./cmd/build", "build")))
	finish(script("pack/verify.ts", absolute(args[0]), absolute(other+"/dist")))
	must(os.RemoveAll(other))
}
