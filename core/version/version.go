// Package version is the number of this build, which the program, the page and
// every report name.
package version

import (
	"runtime/debug"
	"strings"
)

// number is set by the linker: -ldflags "-X crashglass/core/version.number=1.2.3".
var number string

// Number is the number of this build: that of a release, that of the module where
// the go command noted one (go install, go build in a clone), and "dev" otherwise.
func Number() string {
	if number != "" {
		return number
	}
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") {
		return info.Main.Version[1:]
	}
	return "dev"
}

// Name is the program with its number.
func Name() string { return "Crashglass " + Number() }
