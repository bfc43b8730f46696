package process

import (
	"cmp"
	"fmt"
	"strings"

	"crashglass/core/process/module"
)

// SetModules sets the loaded modules. It drops a module without a size, or one that wraps
// around the end of the address space. rust-minidump drops such an entry, too, and Breakpad the
// whole list.
func (p *Process) SetModules(list []module.Module) {
	for _, m := range list {
		if m.Size == 0 || m.Size > ^uint64(0)-m.Base {
			p.Odd("module list", fmt.Sprintf("%s has the impossible range of %#x bytes at %#x and is left out", cmp.Or(Brief(m.Name()), "a module without a name"), m.Size, m.Base))
			continue
		}
		if p.Arch != nil {
			m.Arch = p.Arch.Name
		}
		p.Modules = append(p.Modules, m)
	}
}

// maxBrief bounds a name in a note, in characters.
const maxBrief = 100

// Brief returns a name of the file, short enough for a sentence.
func Brief(name string) string {
	runes := []rune(name)
	if len(runes) <= maxBrief {
		return name
	}
	return string(runes[:maxBrief]) + "…"
}

// ExtendModules sets how far each module is mapped, by the maps of a Linux process. A module
// extends from the mapping at its base over the following mappings of the same file, up to the end
// of its code. LLDB's module lists need it, see module.Module.Mapped.
func (p *Process) ExtendModules(maps []Mapping) {
	at := make(map[uint64]int, len(maps)) // by start
	for i := range maps {
		if _, taken := at[maps[i].Base]; !taken {
			at[maps[i].Base] = i
		}
	}
	for i := range p.Modules {
		m := &p.Modules[i]
		first, ok := at[m.Base]
		if !ok || module.Basename(maps[first].Name) != m.Name() {
			continue
		}
		if end := endOfCode(maps, at, first); end-m.Base > m.Size {
			m.Mapped = end - m.Base
		}
	}
}

// endOfCode returns the end of the last executable mapping of the first mapping's file. It stops at
// a gap or at a mapping of another file. The data behind the code is left out, because no frame is
// in it.
func endOfCode(maps []Mapping, at map[uint64]int, first int) uint64 {
	file, end := maps[first].Name, maps[first].Base
	for i, ok := first, true; ok && maps[i].Name == file && maps[i].End > maps[i].Base; i, ok = at[maps[i].End] {
		if strings.Contains(maps[i].Access, "x") {
			end = maps[i].End
		}
	}
	return end
}
