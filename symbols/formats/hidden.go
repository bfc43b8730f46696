package formats

import (
	"bytes"
	"path"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/symbols/formats/macho"
	"crashglass/symbols/formats/sniff"
	"crashglass/symbols/layout"
)

// HiddenNames undoes the names that Apple hid in a build.
type HiddenNames = macho.SymbolMap

// ParseHiddenNames reads a .bcsymbolmap.
func ParseHiddenNames(src bin.Source) (*HiddenNames, error) { return macho.ParseSymbolMap(src) }

// IsHidden reports whether a function's name is a substitute that Apple's tools wrote for the real
// name.
func IsHidden(name string) bool { return macho.IsHidden(name) }

// hiddenNames are those of a build, or nil.
func (opt Options) hiddenNames(uuid string) *HiddenNames {
	if opt.HiddenNames == nil || layout.UUID(uuid) == "" {
		return nil
	}
	return opt.HiddenNames(uuid)
}

// symbolMap is the kind of a file with the names that Apple hid.
const symbolMap = sniff.Kind("bcsymbolmap")

// maxPlist bounds a property list. Those of dSYMs have some hundred bytes.
const maxPlist = 64 << 10

// A Clue is a file that helps to undo hidden names: the map of a build's names or, with an
// Original, a dSYM's property list, which names the build whose map applies.
type Clue struct{ UUID, Original string }

// ClueOf reads such a file, which is known by the UUID in its name, and reports
// whether it is one.
func ClueOf(k sniff.Kind, name string, src bin.Source) (c Clue, ok bool) {
	name = module.Basename(name)
	c.UUID = layout.UUID(name)
	if c.UUID == "" || k == symbolMap {
		return c, c.UUID != ""
	}
	if k == sniff.Text && strings.EqualFold(path.Ext(name), ".plist") {
		c.Original = OriginalOf(src)
	}
	return c, c.Original != ""
}

// OriginalOf returns DBGOriginalUUID from a dSYM's property list: the UUID of the build before
// Apple compiled its bitcode. The map belongs to that build.
func OriginalOf(src bin.Source) string {
	data, err := src.ReadUpTo("property list", 0, uint64(min(src.Size(), maxPlist)))
	if err != nil {
		return ""
	}
	_, after, ok := bytes.Cut(data, []byte("<key>DBGOriginalUUID</key>"))
	_, after, ok2 := bytes.Cut(after, []byte("<string>"))
	value, _, ok3 := bytes.Cut(after, []byte("</string>"))
	if !ok || !ok2 || !ok3 {
		return ""
	}
	return layout.UUID(strings.TrimSpace(string(value)))
}
