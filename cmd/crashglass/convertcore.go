package main

import (
	"debug/elf"
	"errors"

	"crashglass/core/base/bin"
	"crashglass/core/dump/elfcore"
	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/symbols/formats/sniff"
)

// core returns a process as an ELF core. What debuggers read of modules and dumps rarely have, it takes from the modules' files: their
// first pages, with the build IDs, and the place in the program where the list of libraries is found.
func (f *files) core(p *process.Process, kind sniff.Kind, code func(addr uint64, p []byte) int) (bin.Source, error) {
	switch {
	case kind == sniff.ELFCore:
		return bin.Source{}, errors.New("this is an ELF core already: without --to core it becomes a minidump")
	case p.Event != nil && p.Event.Kind == process.BugCheck:
		return bin.Source{}, errors.New("a dump of the Windows kernel is no process, and cannot become a core")
	case len(p.Memory.Runs()) == 0:
		return bin.Source{}, errors.New("it has no memory, and a core without memory shows nothing")
	}
	var heads []process.Block
	for i := range p.Modules {
		data := make([]byte, 4<<10)
		if _, _, has := p.Memory.Range(p.Modules[i].Base); !has {
			heads = append(heads, process.Block{Addr: p.Modules[i].Base, Data: data[:code(p.Modules[i].Base, data)]})
		}
	}
	p.Memory = p.Memory.With(heads)
	if slot := f.debugSlot(p); slot != 0 {
		p.Memory = p.Memory.With(elfcore.Links(p, slot))
	}
	return elfcore.Write(p)
}

// debugSlot returns the address of the program's DT_DEBUG value, which Breakpad writes down and the program's file knows; 0 if neither is
// at hand.
func (f *files) debugSlot(p *process.Process) uint64 {
	if len(p.Modules) == 0 || !p.OS().IsLinux() {
		return 0
	}
	if dump, ok := p.Origin.Detail.(*minidump.File); ok {
		if at := dump.DebugSlot(); at != 0 {
			return at
		}
	}
	main := &p.Modules[0]
	_, state := f.store.For(main)
	names := state.Also
	if state.File != nil {
		names = append(names, *state.File)
	}
	for _, name := range names {
		file, err := elf.Open(name)
		if err != nil {
			continue // a member of an archive, or of another format
		}
		at := slotIn(file, main.Base)
		file.Close()
		if at != 0 {
			return at
		}
	}
	return 0
}

// slotIn is debugSlot for one file.
func slotIn(file *elf.File, base uint64) uint64 {
	section := file.SectionByType(elf.SHT_DYNAMIC)
	if section == nil {
		return 0
	}
	data, err := section.Data()
	if err != nil {
		return 0
	}
	word, number := uint64(4), func(b []byte) uint64 { return uint64(file.ByteOrder.Uint32(b)) }
	if file.Class == elf.ELFCLASS64 {
		word, number = 8, file.ByteOrder.Uint64
	}
	low := ^uint64(0)
	for _, s := range file.Progs {
		if s.Type == elf.PT_LOAD {
			low = min(low, s.Vaddr&^(4<<10-1))
		}
	}
	for off := uint64(0); off+2*word <= uint64(len(data)); off += 2 * word {
		if number(data[off:]) == uint64(elf.DT_DEBUG) {
			return base - low + section.Addr + off + word
		}
	}
	return 0
}
