package main

import (
	"bytes"
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
	case p.Event.IsBugCheck():
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
	var page [4 << 10]byte
	for i := range p.Modules {
		base := p.Modules[i].Base
		if _, _, has := p.Memory.Range(base); has {
			continue
		}
		if n := code(base, page[:]); n > 0 {
			heads = append(heads, process.Block{Addr: base, Data: bytes.Clone(page[:n])})
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

// target returns the first dump of a file as debuggers see it. What of the file was not read is said on standard error.
func (f *files) target(c *cli, path string) (out remote.Target, err error) {
	sessions, err := f.sessionsOf(path)
	if len(sessions) == 0 {
		return out, err
	}
	if err != nil {
		c.warn(path, err.Error())
	}
	p, code := sessions[0].Process(), sessions[0].Code(f.store)
	if err := remote.Check(p); err != nil {
		return out, err
	}
	f.identify(p)
	f.forDebugger(p, code)
	number, _, _ := elfcore.SignalOf(p)
	return remote.Target{Process: p, Signal: number, Auxiliary: elfcore.Auxiliary(p), Code: code, Open: f.modulesOf(p)}, nil
}

// modulesOf opens the files of modules, each of them once.
func (f *files) modulesOf(p *process.Process) func(path string) (io.ReaderAt, int64) {
	type opened struct {
		io.ReaderAt
		size int64
	}
	known := map[string]opened{}
	return func(path string) (io.ReaderAt, int64) {
		file, ok := known[path]
		if !ok {
			if file.ReaderAt, file.size = f.module(p, path); file.ReaderAt == nil {
				return nil, 0
			}
			known[path] = file
		}
		return file.ReaderAt, file.size
	}
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
