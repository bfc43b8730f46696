package elf

import (
	"testing"

	"crashglass/core/testkit/readme"
)

// README.md says for which CPUs ELF files are read.
func TestReadme(t *testing.T) {
	var names []string
	for machine := range uint16(1024) {
		for _, is64 := range []bool{false, true} {
			f := &File{h: header{machine: machine, is64: is64}}
			names = append(names, f.arch())
		}
	}
	readme.SameCPUs(t, "ELF, DWARF", names)
}
