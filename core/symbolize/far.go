package symbolize

import (
	"slices"
	"strings"
)

// reach is the distance behind a linker symbol within which code counts as that function. Few
// functions are larger.
const reach = 1 << 16

// notFunctions are linker symbols that name a section or the file itself.
var notFunctions = []string{
	"_mh_execute_header", "__mh_execute_header", "_mh_dylib_header", "__mh_dylib_header", "__executable_start",
	"__ImageBase", "_text", "_stext", "_etext", "__etext", "__bss_start", "_end", "__text", "_init", "_fini", "__dso_handle",
}

// Far reports whether a location's name does not describe rel: the nearest linker symbol below is
// more than 64 KiB away, or it names a section (".text", or "<.text ELF section in x>" as
// Breakpad's dump_syms writes it) or the file.
func (l *Location) Far(rel uint64) bool {
	if strings.HasPrefix(l.Function, ".") || strings.HasPrefix(l.Function, "<.") || slices.Contains(notFunctions, l.Function) {
		return true
	}
	return l.Public && rel-l.Start > reach
}
