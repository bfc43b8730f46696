package formats

import (
	"crashglass/core/base/bin"
	"crashglass/symbols/formats/macho"
	"crashglass/symbols/layout"
)

// HiddenNames undoes the names that Apple hid in a build.
type HiddenNames struct{ names *macho.SymbolMap }

// ParseHiddenNames reads a .bcsymbolmap.
func ParseHiddenNames(src bin.Source) (*HiddenNames, error) {
	names, err := macho.ParseSymbolMap(src)
	if err != nil {
		return nil, err
	}
	return &HiddenNames{names}, nil
}

// IsHidden reports whether a function's name is a substitute that Apple's tools wrote for the real
// name.
func IsHidden(name string) bool { return macho.IsHidden(name) }

// hiddenNames are those of a build, or nil.
func (opt Options) hiddenNames(uuid string) *macho.SymbolMap {
	if opt.HiddenNames == nil || layout.UUID(uuid) == "" {
		return nil
	}
	if h := opt.HiddenNames(uuid); h != nil {
		return h.names
	}
	return nil
}
