package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"crashglass/core/version"
)

// commit is set by the linker: -ldflags "-X main.commit=...". Without it, the revision that the go
// command recorded is used.
var commit string

// versionLine returns the version, commit and platform of this build, which a bug report needs.
func versionLine() string {
	c := commit
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				c = cmp.Or(c, s.Value)
			}
		}
	}
	return fmt.Sprintf("crashglass %s (commit %s, %s, %s/%s)", version.Number(), cmp.Or(c, "unknown"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
