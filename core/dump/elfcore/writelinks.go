package elfcore

import (
	"cmp"
	"slices"
	"strings"

	"crashglass/core/process"
	"crashglass/core/process/module"
)

// Links returns the dynamic linker's list of a Linux process (struct r_debug and its links), which dumps rarely have and by which
// debuggers find the libraries of a core. slot is the address of the program's DT_DEBUG value, which leads to the list. The list
// stands where nothing is mapped. Links returns nothing if the process has its own list.
//
// Source: glibc, elf/link.h.
func Links(p *process.Process, slot uint64) []process.Block {
	w := coreWriter{p: p, m: machineOf(p)}
	if w.m == nil || len(p.Modules) == 0 {
		return nil
	}
	w.order = orderOf(p)
	word := uint64(w.m.word())
	if own, _ := p.Memory.Word(slot, int(word)); own != 0 {
		if _, ok := p.Memory.Word(own+word, int(word)); ok {
			return nil
		}
	}
	modules := slices.DeleteFunc(slices.Clone(p.Modules), func(m module.Module) bool { return m.CodeFile == vdsoName || strings.HasPrefix(m.CodeFile, "[") })
	links := 5 * word // the size of struct r_debug, and of struct link_map
	names := links * uint64(len(modules)+1)
	size := names + 1
	for _, m := range modules {
		size += uint64(len(m.CodeFile)) + 1
	}
	at := unmapped(p, size)
	if at == 0 {
		return nil
	}
	data := w.word(nil, 1, at+links, 0, 0, 0)
	text := []byte{0} // the program's name
	for i, m := range modules {
		name := at + names
		if i > 0 {
			name += uint64(len(text))
			text = append(append(text, m.CodeFile...), 0)
		}
		bias, dynamic := m.Base, uint64(0)
		if h := headOf(p, m.Base); h != nil {
			bias = m.Base - h.low
			if d := h.find(typeDynamic); d != nil {
				dynamic = h.at(d.addr)
			}
		}
		here, next, before := at+links*uint64(i+1), uint64(0), uint64(0)
		if i+1 < len(modules) {
			next = here + links
		}
		if i > 0 {
			before = here - links
		}
		data = w.word(data, bias, name, dynamic, next, before)
	}
	return []process.Block{{Addr: slot, Data: w.word(nil, at)}, {Addr: at, Data: append(data, text...)}}
}

// unmapped returns a page from which on nothing is mapped, 0 for none. Linux maps nothing below vm.mmap_min_addr.
func unmapped(p *process.Process, size uint64) uint64 {
	const first, page = 64 << 10, 4 << 10
	type span struct{ from, last uint64 }
	var taken []span
	for _, m := range p.Modules {
		taken = append(taken, span{m.Base, m.Base + m.Size - 1})
	}
	for _, g := range p.Regions {
		taken = append(taken, span{g.Start, g.Last})
	}
	for _, r := range p.Memory.Runs() {
		taken = append(taken, span{r.Base, r.Base + r.Size - 1})
	}
	slices.SortFunc(taken, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	at := uint64(first)
	for _, t := range taken {
		if t.from > at && t.from-at >= size {
			break
		}
		if t.last >= at {
			at = (t.last | (page - 1)) + 1
		}
	}
	if at > p.Arch.Mask()-size {
		return 0
	}
	return at
}
