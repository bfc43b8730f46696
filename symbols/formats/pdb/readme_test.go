package pdb

import (
	"maps"
	"slices"
	"testing"

	"crashglass/core/testkit/readme"
)

// README.md says for which CPUs PDB files are read.
func TestReadme(t *testing.T) {
	readme.SameCPUs(t, "PDB", slices.Collect(maps.Values(archs)))
}
