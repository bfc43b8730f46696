package elfcore

import (
	"strings"
	"testing"

	"crashglass/core/testkit/readme"
)

// README.md says which CPUs have cores, and that Linux alone has them.
func TestReadme(t *testing.T) {
	var names []string
	for _, m := range machines {
		names = append(names, m.layout.Arch.Name)
	}
	readme.SameCPUs(t, "ELF core", names)
	for system, dumps := range readme.Systems(t, "dumps") {
		if strings.Contains(dumps, "ELF core") != (system == "linux") {
			t.Errorf("README.md says %q of %s", dumps, system)
		}
	}
}
