package analyze

import (
	"strings"

	"crashglass/core/minidump"
	"crashglass/core/module"
)

// extendToMappings sets how far each module is mapped, by the maps of a Linux process. A module
// extends from the mapping at its base over the following mappings of the same file, up to the end
// of its code. LLDB's module lists need it, see module.Module.Mapped.
func extendToMappings(mods []module.Module, maps []minidump.Mapping) {
	at := make(map[uint64]int, len(maps)) // by start
	for i := range maps {
		if _, taken := at[maps[i].Base]; !taken {
			at[maps[i].Base] = i
		}
	}
	for i := range mods {
		m := &mods[i]
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
func endOfCode(maps []minidump.Mapping, at map[uint64]int, first int) uint64 {
	file, end := maps[first].Name, maps[first].Base
	for i, ok := first, true; ok && maps[i].Name == file && maps[i].End > maps[i].Base; i, ok = at[maps[i].End] {
		if strings.Contains(maps[i].Access, "x") {
			end = maps[i].End
		}
	}
	return end
}
