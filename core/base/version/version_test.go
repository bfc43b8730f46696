package version

import (
	"runtime/debug"
	"testing"
)

// A release has the number that the linker was given, whatever the go command
// notes of the module.
func TestRelease(t *testing.T) {
	defer func(was string) { number = was }(number)
	number = "1.2.3"
	if Number() != "1.2.3" || Name() != "Crashglass 1.2.3" {
		t.Errorf("%q, %q", Number(), Name())
	}
}

// A test is no release: its module has no version, and "dev" says so.
func TestDevelopment(t *testing.T) {
	defer func(was string) { number = was }(number)
	number = ""
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version[0] == 'v' {
		t.Skipf("this module has the version %s", info.Main.Version)
	}
	if Number() != "dev" || Name() != "Crashglass dev" {
		t.Errorf("%q, %q", Number(), Name())
	}
}
