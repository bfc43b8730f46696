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
	v, c := versionWord(), commit
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				c = cmp.Or(c, s.Value)
			}
		}
	}
	return fmt.Sprintf("crashglass %s (commit %s, %s, %s/%s)", v, cmp.Or(c, "unknown"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// versionWord is the version alone.
func versionWord() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return cmp.Or(version, released(info.Main.Version), "unreleased")
	}
	return cmp.Or(version, "unreleased")
}

// released is a module version, unless it is what the go command writes for
// a tree that has none.
func released(v string) string {
	if v == "(devel)" {
		return ""
	}
	return v
}
