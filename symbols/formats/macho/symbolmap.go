package macho

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"crashglass/core/base/bin"
)

// A SymbolMap has the names that Apple hid when it compiled an application's bitcode. Such a build
// has __hidden#160_ in place of each name or path, which stands for a line of the map. A nil map
// has none.
//
// Source: LLVM's tools/dsymutil/SymbolMap.cpp.
type SymbolMap struct {
	lines []string
	plain bool // version 1.0: symbols have no underscore in front
}

const (
	hiddenPrefix = "__hidden#"
	mapHeader    = "BCSymbolMap Version: "
	maxMap       = 256 << 20
)

// ParseSymbolMap reads a .bcsymbolmap: a line with its version, then one for
// each name.
func ParseSymbolMap(src bin.Source) (*SymbolMap, error) {
	if src.Size() > maxMap {
		return nil, fmt.Errorf("macho: bcsymbolmap: %d bytes, the limit is %d", src.Size(), maxMap)
	}
	data, err := src.ReadUpTo("macho: bcsymbolmap", 0, uint64(src.Size()))
	if err != nil {
		return nil, err
	}
	head, rest, _ := strings.Cut(string(data), "\n")
	version, ok := strings.CutPrefix(strings.TrimRight(head, "\r"), mapHeader)
	if !ok || version != "1.0" && version != "2.0" {
		return nil, fmt.Errorf("macho: bcsymbolmap at 0x0: the version is %q, not 1.0 or 2.0", version)
	}
	return &SymbolMap{lines: strings.Split(strings.ReplaceAll(rest, "\r\n", "\n"), "\n"), plain: version == "1.0"}, nil
}

// IsHidden reports whether Apple replaced a name by a number ("__hidden#160_").
func IsHidden(name string) bool { return strings.HasPrefix(name, hiddenPrefix) }

// text returns what a name stands for, or the name. Names of Objective-C begin
// with \1, which says that they have no underscore.
func (m *SymbolMap) text(name string) string {
	if m == nil || !IsHidden(name) {
		return name
	}
	digits, _, _ := strings.Cut(name[len(hiddenPrefix):], "_")
	i, err := strconv.ParseUint(digits, 10, 32)
	if err != nil || i >= uint64(len(m.lines)) || m.lines[i] == "" {
		return name
	}
	return m.lines[i]
}

// symbol is the same for a name of the symbol table, without the underscore
// that Mach-O has in front.
func (m *SymbolMap) symbol(name string) string {
	text := m.text(name)
	if text == name {
		return name
	}
	if plain, ok := strings.CutPrefix(text, "\x01"); ok || m.plain {
		return plain
	}
	return strings.TrimPrefix(text, "_")
}

// path restores a path. Each of its parts may be hidden, and a hidden part may stand for several.
func (m *SymbolMap) path(p string) string {
	if m == nil || !strings.Contains(p, hiddenPrefix) {
		return p
	}
	out := ""
	for part := range strings.SplitSeq(p, "/") {
		switch part = m.text(part); {
		case strings.HasPrefix(part, "/"):
			out = part
		case out == "" && p[0] != '/':
			out = part
		default:
			out = path.Join(out, "/", part)
		}
	}
	return out
}
