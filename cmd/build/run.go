package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// logs is the folder of the outputs of commands.
const logs = "build/log"

// command prepares a program that uses the terminal of this one. A setting VAR=value is one of its environment.
func command(settings []string, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), settings...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd
}

func run(name string, args ...string) { finish(command(nil, name, args...)) }

// finish runs a command to its end. Its own output says what failed.
func finish(cmd *exec.Cmd) {
	err := cmd.Run()
	need(err == nil, "%s: %w", strings.Join(cmd.Args[:min(3, len(cmd.Args))], " "), err)
}

// output returns what a program prints, without the last line break.
func output(name string, args ...string) string { return read(command(nil, name, args...)) }

func read(cmd *exec.Cmd) string {
	var out bytes.Buffer
	cmd.Stdout = &out
	finish(cmd)
	return strings.TrimRight(out.String(), "\r\n")
}

// logged runs a command with its output in a log of that name.
func logged(log string, cmd *exec.Cmd) {
	file := get(os.Create(filepath.Join(logs, log)))
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	err := cmd.Run()
	need(err == nil, "%s: %w; see %s", log, err, file.Name())
}

// inFolder lets a command run in a folder.
func inFolder(folder string, cmd *exec.Cmd) *exec.Cmd {
	cmd.Dir = folder
	return cmd
}

// script prepares a TypeScript program of web/, on any Node that Vite runs on.
func script(args ...string) *exec.Cmd {
	return inFolder("web", command(nil, "node", append([]string{"test/run.js"}, args...)...))
}

// untilStopped runs a server, which ends with this program.
func untilStopped(name string, args ...string) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); ctx.Err() == nil {
		must(err)
	}
}

// treeFiles returns the files of this tree. Git lists a deleted one until its removal is staged.
func treeFiles() (there []string) {
	listed := output("git", "ls-files", "-co", "--exclude-standard", "-z")
	for name := range strings.SplitSeq(listed, "\x00") {
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
			there = append(there, name)
		}
	}
	return there
}

// copyTree makes a copy of this tree that uses the same npm packages.
func copyTree(folder string) {
	must(os.RemoveAll(folder))
	for _, name := range treeFiles() {
		copyFile(name, filepath.Join(folder, name), get(os.Stat(name)).Mode())
	}
	must(os.Symlink(absolute("web/node_modules"), filepath.Join(folder, "web/node_modules")))
}

func copyFile(from, to string, mode fs.FileMode) { write(to, get(os.ReadFile(from)), mode) }

// write writes a file, and the folders that it is in.
func write(name string, data []byte, mode fs.FileMode) {
	must(os.MkdirAll(filepath.Dir(name), 0o755))
	must(os.WriteFile(name, data, mode))
}

func emptied(folder string) string {
	must(os.RemoveAll(folder))
	must(os.MkdirAll(folder, 0o755))
	return folder
}

func absolute(name string) string { return get(filepath.Abs(name)) }

func sameFile(name, want string) bool {
	got, err := os.ReadFile(name)
	return err == nil && string(got) == want
}

// bin names a program of npm packages.
func bin(modules, name string) string {
	if runtime.GOOS == "windows" {
		name += ".cmd"
	}
	return filepath.Join(modules, "node_modules/.bin", name)
}

// needNode checks for a Node that Vite runs on. The condition is Vite's own, which package.json repeats as "engines".
func needNode() {
	found, _ := exec.Command("node", "--version").Output()
	version := strings.TrimSpace(string(found))
	var major, minor int
	fmt.Sscanf(version, "v%d.%d", &major, &minor)
	need(major == 20 && minor >= 19 || major == 22 && minor >= 12 || major >= 24,
		"Node 20.19, 22.12 or 24 and later is needed; found: %s.\nInstall it: https://nodejs.org/en/download, or as a package of your system.", version)
	_, err := exec.LookPath("npm")
	need(err == nil, "npm is needed beside Node. Install it: apt-get install npm, or the package of your system.")
}

// npmTools installs programs of npm into a folder, unless it has them.
func npmTools(folder string, packages ...string) {
	const mark = "/.installed"
	wanted := strings.Join(packages, " ")
	if sameFile(folder+mark, wanted) {
		return
	}
	flags := []string{"install", "--prefix", emptied(folder), "--no-audit", "--no-fund", "--omit=optional", "--loglevel=error"}
	run("npm", append(flags, packages...)...)
	write(folder+mark, []byte(wanted), 0o644)
}

// packages installs what web/ needs. The lock file's copy in node_modules is written last, so an interrupted installation is done again.
func packages() {
	needNode()
	const modules, mark = "web/node_modules", "web/node_modules/.installed"
	lock := get(os.ReadFile("web/package-lock.json"))
	if sameFile(mark, string(lock)) {
		return
	}
	// npm empties a folder before it fills it: through a link that would be the folder of another checkout.
	if info, err := os.Lstat(modules); err == nil && info.Mode()&os.ModeSymlink != 0 {
		must(os.Remove(modules))
	}
	fmt.Println("Installing the npm packages of web/")
	finish(inFolder("web", command(nil, "npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")))
	write(mark, lock, 0o644)
}
