package dwarf

import (
	"path"
	"slices"
	"strings"
)

// path is the name of a file of a line program, with its folder, "" when there
// is none. Files are counted from 1 up to version 4; 0 is then the unit's own.
// Folder 0 is that of the compiler, in version 5 as an entry of the table.
func (l *lines) path(file uint32) string {
	if uint64(file) < uint64(len(l.paths)) && l.paths[file] != "" {
		return l.paths[file]
	}
	h := &l.head
	i := uint64(file)
	if h.version < 5 {
		i--
		if file == 0 {
			return l.clean("", l.unit.readText(l.unit.name))
		}
	}
	if h.version == 0 || i >= uint64(len(h.files)) {
		return ""
	}
	e := h.files[i]
	name := l.clean(l.dir(e.dir), l.lineText(e.name))
	if len(l.paths) == 0 {
		l.paths = slices.Grow(l.paths, len(h.files)+1)[:len(h.files)+1]
	}
	l.paths[file] = name
	return name
}

func (l *lines) dir(i uint64) string {
	if l.head.version < 5 {
		i--
	}
	if i >= uint64(len(l.head.dirs)) {
		return ""
	}
	return l.lineText(l.head.dirs[i])
}

// lineText reads a text that a program refers to.
func (l *lines) lineText(r ref) string {
	if r.form != formString {
		return l.unit.readText(r)
	}
	text, err := l.unit.group.section("line").text(r.v)
	if err != nil {
		l.unit.group.file.note("%v", err)
	}
	return text
}

// clean joins a name with its folders. dump_syms removes "." and "..", as
// people would; with symbolic links that may name another file.
func (l *lines) clean(dir, name string) string {
	if name == "" || isAbsolute(name) {
		return tidy(name)
	}
	if !isAbsolute(dir) {
		dir = join(l.unit.readText(l.unit.dir), dir)
	}
	return tidy(join(dir, name))
}

func join(dir, name string) string {
	switch {
	case dir == "":
		return name
	case name == "":
		return dir
	case strings.HasSuffix(dir, "/") || strings.HasSuffix(dir, `\`):
		return dir + name
	case isWindows(dir) && !strings.Contains(dir, "/"):
		return dir + `\` + name
	}
	return dir + "/" + name
}

// tidy leaves the paths of Windows as they are.
func tidy(name string) string {
	if strings.HasPrefix(name, "/") {
		return path.Clean(name)
	}
	return name
}

func isAbsolute(name string) bool { return strings.HasPrefix(name, "/") || isWindows(name) }

// isWindows reports whether a path begins with a drive, or is one of a network.
func isWindows(name string) bool {
	return len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/') || strings.HasPrefix(name, `\\`)
}
