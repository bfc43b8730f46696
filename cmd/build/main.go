// Command build builds, serves and releases Crashglass, on Linux, macOS and Windows. It needs Go, and Node for what is
// in web/. Where there is bash, `./build.sh VERB` calls it, and has the tests.
//
//	go run ./cmd/build VERB
//
// What is built lands in build/ (parts, logs, tools) and dist/ (the page), what npm installs in web/node_modules. Read main.go first, which has the
// verbs; build.go has the parts of a build, release.go and packages.go what a release has, and run.go how programs are run.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

type verb struct {
	name, args, about string
	run               func(args []string)
}

// verbs are listed by help, except for those without a description, which are parts of others.
var verbs = []verb{
	{"serve", "[PORT]", "build everything and serve the page on 127.0.0.1 (8080, or a free port)", serve},
	{"build", "", "the page as a folder, dist/, that any static host can serve, and as one file, dist/viewer.html", none(buildAll)},
	{"library", "", "build/library, the npm package crashglass", none(library)},
	{"vscode", "", "build/crashglass.vsix, the extension for VS Code", none(vscode)},
	{"program", "", "build/crashglass, with the page inside", none(program)},
	{"release", "VERSION", "build/release/VERSION: archives for six systems, packages, dist/, viewer.html, the extension, what they are made of, sums", release},
	{"try_release", "[VERSION]", "makes one twice, compares them byte for byte, and starts the programs in empty roots", tryRelease},
	{"publish", "VERSION", "a release on GitHub with the files of build/release/VERSION; a workflow calls it", publish},
	{"test_go", "", "go vet and the Go tests: what needs no browser and no shell", none(testGo)},
	{"verify", "DIST", "whether DIST is what its SHA256SUMS says, and what this tree builds", verify},
	{"size", "", "what the WebAssembly weighs, against its budget", none(size)},
	{"edge", "[PORT]", "serve dist/ by the Cloudflare Worker, under workerd on 127.0.0.1", edge},
	{"packages", "", "", none(packages)},
	{"wasm", "", "", none(buildWasm)},
	{"page", "", "", none(buildPage)},
	{"worker", "", "", none(buildEdge)},
	{"package", "", "", none(buildLibrary)},
	{"extension", "", "", none(buildExtension)},
	{"bare_program", "", "", none(buildProgram)},
	{"budget", "", "", none(withinBudget)},
}

// A failure ends a verb. Its text is for the user.
type failure struct{ error }

func must(err error) {
	if err != nil {
		panic(failure{err})
	}
}

func get[T any](value T, err error) T {
	must(err)
	return value
}

// need ends the verb unless a condition holds.
func need(holds bool, text string, args ...any) {
	if !holds {
		must(fmt.Errorf(text, args...))
	}
}

// errUsage ends a verb that is called with the wrong arguments.
var errUsage = errors.New("wrong arguments")

func none(do func()) func([]string) {
	return func(args []string) {
		need(len(args) == 0, "%w", errUsage)
		do()
	}
}

func main() { os.Exit(start(os.Args[1:])) }

// start runs one verb in the root of the tree and returns the exit code.
func start(args []string) int {
	if len(args) == 0 || args[0] == "help" {
		help(os.Stdout)
		return 0
	}
	for _, v := range verbs {
		if v.name == args[0] {
			return status(v, attempt(func() { enter(); v.run(args[1:]) }))
		}
	}
	fmt.Fprintf(os.Stderr, "there is no verb %s: ./build.sh help lists them\n", args[0])
	return 2
}

func attempt(do func()) (err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			f, ok := thrown.(failure)
			if !ok {
				panic(thrown)
			}
			err = f.error
		}
	}()
	do()
	return nil
}

func status(v verb, err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, err)
	if !errors.Is(err, errUsage) {
		return 1
	}
	fmt.Fprintf(os.Stderr, "usage: ./build.sh %s %s\n", v.name, v.args)
	return 2
}

func help(out io.Writer) {
	for _, v := range verbs {
		if v.about != "" {
			fmt.Fprintf(out, "./build.sh %-21s %s\n", v.name+" "+v.args, v.about)
		}
	}
}

// enter makes the root of the tree the working folder, and the folder of the logs.
func enter() {
	must(os.Chdir(filepath.Dir(output("go", "env", "GOMOD"))))
	must(os.MkdirAll(logs, 0o755))
}
