package cpu

import (
	"testing"

	"crashglass/core/testkit/readme"
)

// README.md has a row for each CPU.
func TestReadme(t *testing.T) {
	var names []string
	for _, a := range All() {
		names = append(names, a.Name)
	}
	readme.SameCPUs(t, "CPU", names)
}
