package unwind

import (
	"strings"

	"crashglass/core/stack/funcname"
)

// Withhold returns the name for a function in a symbol file without names, so that walks stay the
// same. Names that a walk looks for stay, because every program of the system has them, and the
// name of a split-off part still marks a part. Any other name becomes instead.
func Withhold(name, instead string) string {
	if bare := funcname.Bare(name); outermostFunctions[bare] || appleFunctions[bare] || returnsFromSignal(name) {
		return name
	}
	if fn := (Function{Name: name}); fn.isPart() {
		return instead + ".cold"
	}
	return instead
}

// returnsFromSignal reports whether signal handlers of any system return to a function with that
// name.
func returnsFromSignal(name string) bool {
	for _, t := range targets {
		for i := range t.trampolines {
			if t.trampolines[i].isNamed(name) {
				return true
			}
		}
	}
	return false
}

// isNamed reports whether a function with that name is the trampoline. Linkers of some systems add
// an underscore in front.
func (t *trampoline) isNamed(function string) bool {
	for _, name := range t.names {
		if strings.TrimPrefix(function, "_") == strings.TrimPrefix(name, "_") {
			return true
		}
	}
	return false
}
