package formats

import (
	"strings"
	"testing"

	"crashglass/core/testkit/readme"
)

// README.md names each format in the row of the system whose files it has.
func TestReadme(t *testing.T) {
	symbols := readme.Systems(t, "symbols of its own")
	for kind, f := range All {
		if says := symbols[strings.ToLower(f.System)]; f.System != "" && !strings.Contains(says, string(kind)) {
			t.Errorf("README.md says %q of %s, which has %s", says, f.System, kind)
		}
	}
}
