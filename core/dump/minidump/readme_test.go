package minidump

import (
	"testing"

	"crashglass/core/testkit/readme"
)

// README.md says which CPUs have minidumps.
func TestReadme(t *testing.T) {
	var names []string
	for p := range layouts {
		names = append(names, p.String())
	}
	readme.SameCPUs(t, "minidump", names)
}

// Each system of README.md is one that a dump names.
func TestReadmeSystems(t *testing.T) {
	words := map[string]bool{}
	for _, os := range systems {
		words[string(os)] = true
	}
	for system := range readme.Systems(t, "dumps") {
		if !words[system] {
			t.Errorf("no platform is %q", system)
		}
	}
}
