package microdump

import (
	"strings"
	"testing"

	"crashglass/core/testkit/readme"
)

// README.md says which CPUs and systems have microdumps.
func TestReadme(t *testing.T) {
	var names []string
	for _, p := range microProcessors {
		names = append(names, p.String())
	}
	readme.SameCPUs(t, "microdump", names)
	for system, dumps := range readme.Systems(t, "dumps") {
		_, known := microSystems[map[string]string{"android": "A", "linux": "L"}[system]]
		if says := strings.Contains(dumps, "microdump"); says != known {
			t.Errorf("README.md says %q of %s", dumps, system)
		}
	}
}
