package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/readme"
)

// README.md says on which systems a reason has the system's own name. 11 is
// SIGSEGV, 1 is EXC_BAD_ACCESS.
func TestReadme(t *testing.T) {
	for system, says := range readme.Systems(t, "reasons") {
		named := false
		for _, code := range []uint32{accessViolation, 11, 1} {
			named = named || !strings.HasPrefix(Reason(&Exception{Code: code}, process.OS(system), &cpu.AMD64), "unknown")
		}
		if named != (says == "yes") {
			t.Errorf("README.md says %q of %s", says, system)
		}
	}
}
