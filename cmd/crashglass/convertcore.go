package main

import (
	"debug/elf"
	"errors"
	"io"
	"slices"
	"strings"

	"crashglass/cmd/internal/remote"
	"crashglass/core/base/bin"
	"crashglass/core/dump/elfcore"
	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/symbols/formats/sniff"
)

// core returns a process as an ELF core.
func (f *files) core(p *process.Process, kind sniff.Kind, code func(addr uint64, p []byte) int) (bin.Source, error) {
	switch {
	case kind == sniff.ELFCore:
		return bin.Source{}, errors.New("this is an ELF core already: without --to core it becomes a minidump")
	case p.Event != nil && p.Event.Kind == process.BugCheck:
		return bin.Source{}, errors.New("a dump of the Windows kernel is no process, and cannot become a core")
	case len(p.Memory.Runs()) == 0:
		return bin.Source{}, errors.New("it has no memory, and a core without memory shows nothing")
	}
	f.forDebugger(p, code)
	return elfcore.Write(p)
}

// forDebugger adds to a process what debuggers read of modules and dumps rarely have: the first pages of modules, with the build IDs, from their
// files, and the list of libraries, if it is known where the program would have it.
func (f *files) forDebugger(p *process.Process, code func(addr uint64, p []byte) int) {
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
	for _, name := range f.namesOf(main) {
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

// target returns the first dump of a file as debuggers see it.
func (f *files) target(path string) (out remote.Target, err error) {
	sessions, err := f.sessionsOf(path)
	if len(sessions) == 0 {
		return out, err
	}
	p, code := sessions[0].Process(), sessions[0].Code(f.store)
	if err := remote.Check(p); err != nil {
		return out, err
	}
	f.identify(p)
	f.forDebugger(p, code)
	number, _, _ := elfcore.SignalOf(p)
	return remote.Target{Process: p, Signal: number, Auxiliary: elfcore.Auxiliary(p), Code: code, Open: func(path string) (io.ReaderAt, int64) { return f.module(p, path) }}, nil
}

// module returns the file of a module by its path, or by a name that the dynamic linker has for it (libc.so.6 for libc.so.6.1), if it is at hand
// as a file of its own.
func (f *files) module(p *process.Process, path string) (io.ReaderAt, int64) {
	name := module.Basename(path)
	i := slices.IndexFunc(p.Modules, func(m module.Module) bool { return m.CodeFile == path })
	if i < 0 {
		i = slices.IndexFunc(p.Modules, func(m module.Module) bool { return m.Name() == name || strings.HasPrefix(m.Name(), name+".") })
	}
	if i < 0 || name == "" {
		return nil, 0
	}
	for _, name := range f.namesOf(&p.Modules[i]) {
		if src, err := f.source(name); err == nil && src.Size() > 0 {
			return src, src.Size()
		}
	}
	return nil, 0
}

// namesOf are the names of the files that are used for a module, first those that are called as it is: others have debug information only.
func (f *files) namesOf(m *module.Module) []string {
	_, state := f.store.For(m)
	names := slices.Clone(state.Also)
	if state.File != nil {
		names = append(names, *state.File)
	}
	own := func(name string) int {
		if module.Basename(name) == m.Name() {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(names, func(a, b string) int { return own(a) - own(b) })
	return names
}
