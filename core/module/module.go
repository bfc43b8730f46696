// Package module describes the code images of a process: what a module is
// called, how its build is identified, and which addresses it takes up.
//
// It reads nothing itself. Names and ids are copied from wherever the dump
// keeps them and may be empty or contain anything; a [Map] accepts any list of
// ranges, overlapping or wrapping ones included, and always answers.
package module

// A Module is one loaded (or unloaded) image.
type Module struct {
	Base, Size uint64
	CodeFile   string // path of the image, as the process knew it
	CodeID     string // time stamp and size of a PE, build id of an ELF, UUID of a Mach-O; lower case hex
	DebugFile  string // path or name of the file that holds the debug information
	DebugID    string // GUID and age as Breakpad writes it: 33 or more hex digits, or empty
	Version    string
	Arch       string // CPU that its code is for, as package cpu names it; empty when that is not known

	// ByName says that nothing in the dump can tell which build the module is
	// of: its ELF header was not captured, as in the cores of QEMU, or it was
	// linked without a build ID. Its name alone decides then which file is used.
	ByName bool

	// Mapped is how many bytes from Base on are mapped from CodeFile, where
	// that is known and more than Size; 0 otherwise. LLDB writes the size of
	// the sections into module lists, without the gaps between them, so that
	// most of a module's code lies beyond its Size.
	Mapped uint64
}

// Span is how many bytes belong to the module: Size, or Mapped when that is more.
func (m *Module) Span() uint64 { return max(m.Size, m.Mapped) }

// Contains reports whether addr belongs to the module.
func (m *Module) Contains(addr uint64) bool {
	return addr-m.Base < m.Span()
}

// Name is the last element of CodeFile.
func (m *Module) Name() string { return Basename(m.CodeFile) }

// Basename is the last element of a path of any operating system: what
// follows the last slash or backslash.
func Basename(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' || path[i] == '\\' {
			return path[i+1:]
		}
	}
	return path
}
