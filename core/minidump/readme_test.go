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
