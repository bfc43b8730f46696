package pe

import (
	"maps"
	"slices"
	"testing"

	"crashglass/core/testkit/readme"
)

// README.md says for which CPUs images are read. Those for arm have names alone.
func TestReadme(t *testing.T) {
	readme.SameCPUs(t, "PE", slices.Collect(maps.Values(archs)))
	if says := readme.CPUs(t, "PE")["arm"]; says != "names" {
		t.Errorf("README.md says %q of arm", says)
	}
}
