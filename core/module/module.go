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
}

// Contains reports whether addr lies in the module's range.
func (m *Module) Contains(addr uint64) bool {
	return addr-m.Base < m.Size
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
