package disasm

import (
	"testing"

	"crashglass/core/testkit/readme"
)

// README.md says which CPUs have instructions that are decoded.
func TestReadme(t *testing.T) {
	var names []string
	for arch := range decoders {
		names = append(names, arch.Name)
	}
	readme.SameCPUs(t, "disassembly", names)
}
