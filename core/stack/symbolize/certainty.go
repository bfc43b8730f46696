package symbolize

import (
	"slices"
	"strings"

	"crashglass/core/process"
)

// A Certainty says how a name stands to an address: whether the code there is that of the function.
// It is decided once, by [Location.Certainty], and every output uses it.
type Certainty uint8

const (
	Unnamed Certainty = iota // the symbols have no name for the address
	Inside                   // within the function's extent, or within the size that its symbol states
	Covered                  // within the unwind rules that begin with the symbol, or at the symbol itself
	Nearest                  // behind the nearest symbol, which has no end, and nothing contradicts
	Beyond                   // behind the end of the nearest symbol: the code is that of another function
	Forced                   // by mismatched symbols, which the user forced
)

// Certain reports whether the name is proved to be that of the code.
func (c Certainty) Certain() bool { return c == Inside || c == Covered }

// Named reports whether the name may be that of the code.
func (c Certainty) Named() bool { return c != Unnamed && c != Beyond }

// Mark is put before a name that is not certain, in all outputs: "~ abort".
const Mark = "~ "

// A Setting is what the dump and other records say of the code at an address.
type Setting struct {
	Rules *Extent // of the unwind rules that cover the address; nil for none
	OS    process.OS
	Wrong bool // the symbols are of another build, and the user forced them
}

// An Extent is the range of the unwind rules that cover an address, relative to the module.
type Extent struct{ Start, Size uint64 }

// reach is the distance behind a linker symbol within which code may be that of the function, if
// nothing says where the function ends. Few functions are larger.
const reach = 1 << 16

// notFunctions are linker symbols that name a section or the file itself.
var notFunctions = []string{
	"_mh_execute_header", "__mh_execute_header", "_mh_dylib_header", "__mh_dylib_header", "__executable_start",
	"__ImageBase", "_text", "_stext", "_etext", "__etext", "__bss_start", "_end", "__text", "__dso_handle",
	"_MIPS_STUBS_", // GNU ld's, at the section .MIPS.stubs
}

// runtimeSections are the C runtime's names of the sections .init and .fini, which state no size. Programs
// without the C runtime have functions of these names.
var runtimeSections = []string{"_init", "_fini"}

// stubSize is the largest stub of a system call of Windows: 32 bytes of x64.
const stubSize = 0x20

// SystemCall reports whether the location is a stub of a system call of Windows: its name has the prefix
// of those of ntdll, or of the one that enters the kernel on x86.
func (l *Location) SystemCall(os process.OS) bool {
	name := l.Function
	return os.IsWindows() && (strings.HasPrefix(name, "Nt") || strings.HasPrefix(name, "Zw") || strings.HasPrefix(name, "KiFast")) && !strings.ContainsAny(name, ":(<")
}

// Certainty says how the location's name stands to the address rel, for which it was found.
//
// Linker symbols of ELF files state a size. PUBLIC records, exports and symbols of Mach-O files do
// not: such a function may end anywhere before the next symbol, and a function that was stripped may
// follow. Compilers emit unwind rules for each function, so rules that begin at another address
// leave the name unproved. They do not disprove it, because a function may have several. The stubs of
// Windows' system calls are leaves, which have no unwind rules on x64, and all have one size.
func (l *Location) Certainty(rel uint64, in Setting) Certainty {
	if certainty := l.certainty(rel, in); !in.Wrong || !certainty.Named() {
		return certainty
	}
	return Forced
}

// certainty is Certainty by symbols of the module's own build.
func (l *Location) certainty(rel uint64, in Setting) Certainty {
	rules := in.Rules
	switch {
	case l.Function == "":
		return Unnamed
	case isSection(l.Function) || slices.Contains(notFunctions, l.Function):
		return Beyond
	case !l.Public || l.Stated > rel-l.Start:
		return Inside
	case l.Stated > 0 || slices.Contains(runtimeSections, l.Function):
		return Beyond
	case rel-l.Start < stubSize && l.SystemCall(in.OS):
		return Covered
	case rel == l.Start, rules != nil && rules.Start == l.Start && rel-rules.Start < rules.Size:
		return Covered
	case rel-l.Start > reach:
		return Beyond
	}
	return Nearest
}

// sections are the sections with code of ELF, PE and Mach-O files whose names linkers and dump_syms use as
// symbols. Functions, too, have names with a dot in front: clang's ".omp_outlined.", and the entries of
// functions on 64-bit PowerPC (".main").
var sections = []string{".text", ".init", ".fini", ".plt", ".iplt", ".stub"}

// isSection reports whether a name is that of a section: ".text", ".text.unlikely", ".text$mn", or
// "<.text ELF section in x>" as Breakpad's dump_syms writes it. Names of sections need no dot: glibc's
// __libc_freeres_fn.
func isSection(name string) bool {
	return name == "." || strings.HasPrefix(name, "<") && strings.Contains(name, " ELF section in ") || slices.ContainsFunc(sections, func(s string) bool {
		rest, ok := strings.CutPrefix(name, s)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '$')
	})
}
