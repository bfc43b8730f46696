package symbols

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/readme"
)

// README.md says whose Breakpad files are used: a file for any CPU that package
// cpu has.
func TestReadme(t *testing.T) {
	var names []string
	for _, a := range cpu.All() {
		names = append(names, archOf(a.Name))
	}
	readme.SameCPUs(t, "Breakpad `.sym`", names)
}
