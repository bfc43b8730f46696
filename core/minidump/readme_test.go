package minidump

import (
	"strings"
	"testing"

	"crashglass/core/testkit/readme"
)

// README.md says which CPUs and systems have minidumps and microdumps.
func TestReadme(t *testing.T) {
	var full, micro []string
	for p := range layouts {
		full = append(full, p.String())
	}
	for _, p := range microProcessors {
		micro = append(micro, p.String())
	}
	readme.SameCPUs(t, "minidump", full)
	readme.SameCPUs(t, "microdump", micro)
	for system, dumps := range readme.Systems(t, "dumps") {
		_, known := microPlatforms[map[string]string{"android": "A", "linux": "L"}[system]]
		if says := strings.Contains(dumps, "microdump"); says != known {
			t.Errorf("README.md says %q of %s", dumps, system)
		}
	}
}
