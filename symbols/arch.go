package symbols

import "strings"

// archNames are the names of CPUs in MODULE records, in lower case, that are
// not those of package cpu. Breakpad's dump_syms takes them from the format:
// src/common/dwarf_cu_to_module.cc, mac/dump_syms.cc, windows/pdb_source_line_writer.cc.
var archNames = map[string]string{
	"x86_64": "amd64", "x86_64h": "amd64", "i386": "x86", "i486": "x86", "i586": "x86", "i686": "x86",
	"arm64e": "arm64", "aarch64": "arm64", "armv6": "arm", "armv7": "arm", "armv7s": "arm", "armv7k": "arm",
	"sparcv9": "sparc", "powerpc": "ppc", "powerpc64": "ppc64",
}

// knownArchs are the names that say something. dump_syms writes "unknown" and
// people write what they like; that is no reason to refuse a file.
var knownArchs = map[string]bool{
	"x86": true, "amd64": true, "arm": true, "arm64": true, "mips": true, "mips64": true,
	"ppc": true, "ppc64": true, "riscv": true, "riscv64": true, "sparc": true,
}

// archOf is the CPU that a file says it is for, or "".
func archOf(name string) string {
	name = strings.ToLower(name)
	if known, ok := archNames[name]; ok {
		name = known
	}
	if !knownArchs[name] {
		return ""
	}
	return name
}

// otherArch reports whether a file is for another CPU than a module, as far as
// both are known.
func otherArch(file, module string) bool {
	return file != "" && module != "" && file != module
}
