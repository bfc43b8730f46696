package symbols

import (
	"strings"

	"crashglass/core/cpu"
)

// archNames maps names of CPUs in MODULE records, in lower case, that differ from the names in
// package cpu. Breakpad's dump_syms takes them from the format: src/common/dwarf_cu_to_module.cc,
// mac/dump_syms.cc, windows/pdb_source_line_writer.cc.
var archNames = map[string]string{
	"x86_64": "amd64", "x86_64h": "amd64", "i386": "x86", "i486": "x86", "i586": "x86", "i686": "x86",
	"arm64e": "arm64", "aarch64": "arm64", "armv6": "arm", "armv7": "arm", "armv7s": "arm", "armv7k": "arm",
	"sparcv9": "sparc", "powerpc": "ppc", "powerpc64": "ppc64",
}

// archOf returns the CPU in a file's MODULE record, or "". dump_syms writes "unknown" for a CPU
// that it does not know; that is no reason to refuse a file.
func archOf(name string) string {
	name = strings.ToLower(name)
	if known, ok := archNames[name]; ok {
		name = known
	}
	if cpu.ByName(name) == nil {
		return ""
	}
	return name
}

// otherArch reports whether a file and a module have different CPUs, if both are known.
func otherArch(file, module string) bool {
	return file != "" && module != "" && file != module
}
