package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"crashglass/core/version"
)

// commit is set by the linker: -ldflags "-X main.commit=...". Without it, what
// the go command noted is used.
var commit string

// versionLine says which build this is.
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
