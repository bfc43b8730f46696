package unwind

import (
	"strings"

	"crashglass/core/funcname"
)

// Withhold is what a symbol file may call a function whose name it does not
// tell, so that walks are the same: names that a walk looks for stay, since
// every program of the system has them, and a part that was split off a function
// stays one. Any other name becomes instead.
func Withhold(name, instead string) string {
	if bare := funcname.Bare(name); outermostFunctions[bare] || appleFunctions[bare] || returnsFromSignal(name) {
		return name
	}
	if fn := (Function{Name: name}); fn.isPart() {
		return instead + ".cold"
	}
	return instead
}

// returnsFromSignal reports whether signal handlers of some system return to a
// function of that name.
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

// isNamed reports whether a function of that name is the trampoline. Linkers
// of some systems put an underscore in front.
func (t *trampoline) isNamed(function string) bool {
	for _, name := range t.names {
		if strings.TrimPrefix(function, "_") == strings.TrimPrefix(name, "_") {
			return true
		}
	}
	return false
}
