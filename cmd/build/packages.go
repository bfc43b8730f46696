package main

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/template"
)

// descriptions are what package managers read. They refer to the archives of a release by address and digest.
var descriptions = []string{"crashglass.rb", "crashglass.json", "winget/Crashglass.Crashglass.yaml", "winget/Crashglass.Crashglass.installer.yaml",
	"winget/Crashglass.Crashglass.locale.en-US.yaml", "PKGBUILD"}

// nfpm makes Debian packages. Later releases also make MSIX packages, by modules that not every proxy of Go modules serves.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4"

// packages writes the packages. A release without an address has no descriptions.
func (r *made) packages() {
	if r.Home == "" {
		fmt.Println("CRASHGLASS_HOME is not set: no formula and no manifests, which refer to that address")
	}
	for _, name := range descriptions {
		if r.Home != "" {
			r.write("packages/"+name, filled(name, r))
		}
	}
	for _, arch := range []string{"amd64", "arm64"} {
		r.debian(arch)
	}
}

func filled(name string, figures any) []byte {
	var b bytes.Buffer
	must(get(template.ParseFiles("release/packages/"+name)).Execute(&b, figures))
	return b.Bytes()
}

// Plain is the version as pacman allows it, without dashes.
func (r *made) Plain() string { return strings.ReplaceAll(r.Version, "-", "_") }

// URL is the address of an archive.
func (r *made) URL(archive string) string {
	return r.Home + "/releases/download/v" + r.Version + "/crashglass-" + archive
}

// Host is that of the project's address. Maintainers of packages need an address of mail, and this one receives none.
func (r *made) Host() string { return cmp.Or(get(url.Parse(r.Home)).Hostname(), "localhost") }

// Sum is the digest of an archive. If the release does not have it, the template fails.
func (r *made) Sum(archive string) (string, error) {
	data, err := os.ReadFile(filepath.Join(r.folder, "crashglass-"+archive))
	return digest(data), err
}

// debian makes a Debian package from the files of an archive, and from those that Debian's policy adds.
func (r *made) debian(arch string) {
	folder := emptied("build/debian/" + arch)
	copyFile("build/programs/crashglass-linux-"+arch+"/crashglass", folder+"/crashglass", 0o755)
	for _, f := range r.shared {
		write(folder+"/"+f.name, f.data, f.mode)
	}
	write(folder+"/crashglass.1.gz", gzipped(get(os.ReadFile(folder+"/crashglass.1"))), 0o644)
	write(folder+"/changelog.gz", gzipped(filled("changelog", r)), 0o644)
	write(folder+"/nfpm.yaml", filled("nfpm.yaml", struct {
		*made
		Arch, Folder string
	}{r, arch, folder}), 0o644)
	name := "crashglass_" + r.Version + "_" + arch + ".deb"
	logged("nfpm-"+arch, command(nil, "go", "run", nfpm, "package", "-f", folder+"/nfpm.yaml", "-p", "deb", "-t", filepath.Join(r.folder, name)))
}

// linters check what package managers read. Each one is run where it is installed.
var linters = []struct{ files, command string }{
	{"packages/crashglass.rb", "ruby -c"},
	// makepkg reads and sets variables, and ends at the first command that fails.
	{"packages/PKGBUILD", "shellcheck --shell=bash --exclude=SC2034,SC2154,SC2164"},
	{"packages/PKGBUILD", "namcap"},
	{"packages/crashglass.json", "jq --exit-status .version"},
	{"packages/winget", "winget validate --manifest"},
	{"*.deb", "lintian --fail-on error,warning"},
}

// lint checks the packages of a release, and names the linters that are missing.
func lint(folder string) {
	for _, l := range linters {
		args := strings.Fields(l.command)
		if _, err := exec.LookPath(args[0]); err != nil {
			fmt.Printf("%s: not checked, %s is missing\n", l.files, args[0])
			continue
		}
		for _, file := range get(filepath.Glob(filepath.Join(folder, l.files))) {
			run(args[0], append(args[1:], file)...)
		}
	}
}
