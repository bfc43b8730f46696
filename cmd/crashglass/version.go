package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// version and commit are set by the linker: -ldflags "-X main.version=1.2.3
// -X main.commit=...". Without them, what the go command noted is used.
var version, commit string

// versionLine says which build this is.
func versionLine() string {
	v, c := version, commit
	if info, ok := debug.ReadBuildInfo(); ok {
		v = cmp.Or(v, released(info.Main.Version))
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				c = cmp.Or(c, s.Value)
			}
		}
	}
	return fmt.Sprintf("crashglass %s (commit %s, %s, %s/%s)", cmp.Or(v, "unreleased"), cmp.Or(c, "unknown"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// released is a module version, unless it is what the go command writes for
// a tree that has none.
func released(v string) string {
	if v == "(devel)" {
		return ""
	}
	return v
}
