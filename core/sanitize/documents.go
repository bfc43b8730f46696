package sanitize

import (
	"slices"
	"strings"

	"crashglass/core/process/module"
	"crashglass/core/report"
)

// maskedFile replaces the path of a mapped file that is no code: a document, an image, a database.
const maskedFile = "[file]"

// systemFolders are the folders of the system's files.
//
// Sources: hier(7); Android's partitions; nix.dev for /nix/store.
var systemFolders = []string{
	"/usr/bin/", "/usr/lib", "/usr/libexec/", "/usr/share/", "/lib", "/bin/", "/sbin/", "/nix/store/",
	"/system/", "/system_ext/", "/vendor/", "/product/", "/apex/", "/dev/ashmem/", "/dev/dri/", "/dev/nvidia", "/dev/kgsl", "/dev/zero",
}

// code has the paths of the program's code: its modules, and files mapped as executable.
type code map[string]bool

// add records a path. Modules and maps may spell it differently.
func (c code) add(path string) {
	if path != "" {
		c[path], c[module.Basename(path)] = true, true
	}
}

// path returns the part of a mapping's path that stays.
func (c code) path(path string) string {
	plain := strings.TrimSuffix(path, " (deleted)")
	isSystem := func(folder string) bool { return strings.HasPrefix(plain, folder) }
	switch {
	case plain == "" || plain[0] == '[' || c[plain] || slices.ContainsFunc(systemFolders, isSystem): // names of the kernel are in brackets
		return path
	}
	return maskedFile
}

// mapColumns is the number of columns before the name in a line of /proc/PID/maps.
const mapColumns = 5

// cutMapping splits a line of /proc/PID/maps before the name. It reports false for unexpected
// columns.
func cutMapping(line string) (head, name string, ok bool) {
	at := 0
	for range mapColumns {
		n := strings.IndexByte(line[at:], ' ')
		if n < 0 {
			n = len(line) - at
		}
		if n == 0 {
			return "", "", false
		}
		at = min(at+n+1, len(line))
	}
	columns := strings.Fields(line[:at])
	hex := strings.Trim(columns[0]+columns[2]+columns[3]+columns[4], "0123456789abcdefABCDEF-:") == ""
	ok = hex && strings.Trim(columns[1], "rwxps-") == ""
	name = strings.TrimLeft(line[at:], " ")
	return line[:len(line)-len(name)], name, ok
}

// maps keeps the lines of /proc/PID/maps, and the names of files with code.
func (m *masks) maps(text string) string {
	for line := range strings.Lines(text) {
		if head, name, ok := cutMapping(strings.TrimRight(line, "\n\x00")); ok && strings.Contains(head, "x") {
			m.addCode(strings.TrimSuffix(name, " (deleted)"))
		}
	}
	return eachLine(text, func(line string) (string, bool) {
		head, name, ok := cutMapping(line)
		if !m.names {
			name = m.path(m.code.path(name))
		}
		return head + maskSecrets(name), ok
	})
}

func (m *masks) addCode(path string) {
	if m.code == nil {
		m.code = code{}
	}
	m.code.add(path)
}

func (c *cleaner) findCode() {
	mods, _ := c.f.ModuleRecords()
	for i := range mods {
		c.text.addCode(mods[i].Name)
	}
}

func (m *masks) findCode(r *report.Report) {
	for i := range r.Modules {
		m.addCode(r.Modules[i].Path)
	}
	for i := range r.MemoryRegions {
		if g := &r.MemoryRegions[i]; strings.Contains(g.Protection, "x") {
			m.addCode(g.Name)
		}
	}
}
