package analyze

import (
	"testing"

	"crashglass/core/minidump"
	"crashglass/core/testkit/readme"
)

// Each system of README.md is one that the analysis tells apart.
func TestReadme(t *testing.T) {
	words := map[string]bool{}
	for p := range minidump.Platform(0x9000) {
		words[osWord(p)] = true
	}
	for system := range readme.Systems(t, "dumps") {
		if !words[system] {
			t.Errorf("no platform is %q", system)
		}
	}
}
