package crash

import "crashglass/core/process/module"

// Numbers of an ELF file in memory. Sources: the ELF specification, figures 2-1 to 2-10, and its GNU extension DT_GNU_HASH.
const (
	elfMagic   = 0x464c_457f
	elfDynamic = 2 // PT_DYNAMIC
	elfLoad    = 1 // PT_LOAD

	dynStrings = 5
	dynSymbols = 6
	dynHash    = 0x6fff_fef5

	mostHeaders = 64   // program headers, and entries of the dynamic section
	mostChain   = 4096 // symbols of one hash bucket
)

// exported returns the address of a symbol that an ELF module exports, by the dynamic symbol table in its memory or in
// its file. Stripped libraries have that table, too.
func (s *facts) exported(m *module.Module, name string) (uint64, bool) {
	d, bias, ok := s.dynamic(m)
	if !ok {
		return 0, false
	}
	number := func(addr uint64, size int) uint64 {
		v, read := s.in.Memory.Word(addr, size)
		ok = ok && read
		return v
	}
	word := uint64(s.in.Arch.Word)
	hash := gnuHash(name)
	table := d[dynHash]
	buckets, first, bloom := number(table, 4), number(table+4, 4), number(table+8, 4)
	if !ok || buckets == 0 {
		return 0, false
	}
	at := table + 16 + bloom*word
	index := number(at+4*(uint64(hash)%buckets), 4)
	for range mostChain {
		if !ok || index < first {
			return 0, false
		}
		link := uint32(number(at+4*(buckets+index-first), 4))
		symbol := d[dynSymbols] + index*3*word // Elf64_Sym has 24 bytes
		value := symbol + 8
		if word == 4 {
			symbol, value = d[dynSymbols]+index*16, d[dynSymbols]+index*16+4
		}
		if link|1 == hash|1 && s.cstring(d[dynStrings]+number(symbol, 4), len(name)+1) == name {
			v := number(value, s.in.Arch.Word)
			return v + bias, ok && v != 0
		}
		if link&1 != 0 {
			return 0, false
		}
		index++
	}
	return 0, false
}

// dynamic reads a module's dynamic section, addresses by their tags, and returns what is added to the file's addresses.
func (s *facts) dynamic(m *module.Module) (section map[uint64]uint64, bias uint64, ok bool) {
	if s.in.Memory == nil || s.in.Arch == nil {
		return nil, 0, false
	}
	word := uint64(s.in.Arch.Word)
	number := func(addr uint64, size int) uint64 {
		v, _ := s.in.Memory.Word(addr, size)
		return v
	}
	if number(m.Base, 4) != elfMagic {
		return nil, 0, false
	}
	headers, size, count, virtual := m.Base+number(m.Base+32, 8), number(m.Base+54, 2), number(m.Base+56, 2), uint64(16)
	if word == 4 {
		headers, size, count, virtual = m.Base+number(m.Base+28, 4), number(m.Base+42, 2), number(m.Base+44, 2), 8
	}
	bias, start, loaded := m.Base, uint64(0), false
	for i := range min(count, mostHeaders) {
		switch at := headers + i*size; number(at, 4) {
		case elfLoad:
			if v := number(at+virtual, s.in.Arch.Word); !loaded {
				bias, loaded = m.Base-v&^(nullPage-1), true
			}
		case elfDynamic:
			start = number(at+virtual, s.in.Arch.Word)
		}
	}
	section = map[uint64]uint64{}
	for i := range uint64(mostHeaders) {
		tag, value := number(bias+start+2*i*word, s.in.Arch.Word), number(bias+start+(2*i+1)*word, s.in.Arch.Word)
		if tag == 0 || start == 0 {
			break
		}
		if value < bias { // glibc relocates the addresses in place, and other loaders do not
			value += bias
		}
		section[tag] = value
	}
	return section, bias, section[dynHash] != 0 && section[dynSymbols] != 0 && section[dynStrings] != 0
}

// gnuHash is the hash of DT_GNU_HASH.
func gnuHash(name string) uint32 {
	h := uint32(5381)
	for i := range len(name) {
		h = h*33 + uint32(name[i])
	}
	return h
}
