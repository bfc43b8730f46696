// Package version has the number of this build, for the program, the page and every report. Without
// a release number it says "dev"; it never fails, and it is not the version of the report's schema.
package version

import (
	"runtime/debug"
	"strings"
	"sync"
)

// number is set by the linker: -ldflags "-X crashglass/core/base/version.number=1.2.3".
var number string

// Number returns the number of this build: that of a release, that of the module if the go command
// recorded one (go install, go build in a clone), and "dev" otherwise.
func Number() string {
	if number != "" {
		return number
	}
	return recorded()
}

// recorded parses what the go command recorded once: every report has the number.
var recorded = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") {
		return info.Main.Version[1:]
	}
	return "dev"
})

// Name returns the program's name with its number.
func Name() string { return "Crashglass " + Number() }
