package macho

import (
	"testing"

	"crashglass/core/testkit/readme"
)

// README.md says for which CPUs Mach-O files are read.
func TestReadme(t *testing.T) {
	var names []string
	for cpu := range uint32(64) {
		for _, abi := range []uint32{0, cpu64, cpu64As32} {
			f := &File{h: header{cpu: cpu | abi}}
			names = append(names, f.arch())
		}
	}
	readme.SameCPUs(t, "Mach-O, dSYM", names)
}
