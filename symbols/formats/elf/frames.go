package elf

import (
	"errors"

	"crashglass/core/stack/unwind"
	"crashglass/symbols/tables/cfi"
	"crashglass/symbols/tables/exidx"
)

type frameTable interface {
	CallFrame(rel uint64) (unwind.CallFrame, bool)
	EachCallFrame(add func(*unwind.CallFrameTable) error) error
	Notes() []string
}

// CallFrame returns the rules in force at an address. For functions of Go they are those of Go's table only: it knows where
// stacks end, and which functions change the stack, and .debug_frame does not. Rules of .eh_frame or .debug_frame, which are
// valid everywhere, come before rules of ARM's index, which are valid at calls. Rules of this file
// come before rules of attached files.
func (f *File) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	if frame, ok := f.golang().CallFrame(rel); frame.Size > 0 {
		return frame, ok
	}
	for _, t := range f.frames() {
		if frame, ok := t.CallFrame(rel); ok {
			return frame, true
		}
	}
	return unwind.CallFrame{}, false
}

// EachCallFrame lists the rules of the first table that has any. Other tables have the same rules,
// or fewer.
func (f *File) EachCallFrame(add func(*unwind.CallFrameTable) error) error {
	for _, t := range f.frames() {
		some := false
		err := t.EachCallFrame(func(c *unwind.CallFrameTable) error {
			some = true
			return add(c)
		})
		if some || err != nil {
			return err
		}
	}
	return nil
}

// openFrames opens the tables of this file and of those attached.
func (f *File) openFrames() (out []frameTable) {
	var last []frameTable
	for _, file := range append([]*File{f}, f.attached...) {
		if file.supplement {
			continue
		}
		if file.has(".eh_frame") || file.has(".debug_frame") {
			if t, err := file.openCFI(); err == nil {
				out = append(out, t)
			} else {
				f.note("%v", err)
			}
		}
		if f.h.machine == machineARM && file.has(".ARM.exidx") {
			if t, err := file.openIndex(); err == nil {
				last = append(last, t)
			} else {
				f.note("%v", err)
			}
		}
	}
	out = append(out, last...)
	if t := f.golang(); t != nil {
		out = append(out, t)
	}
	return out
}

func (f *File) openCFI() (*cfi.Table, error) {
	place := func(name string) cfi.Section {
		s := f.section(name)
		if s == nil {
			return cfi.Section{Data: f.Section(name)}
		}
		return cfi.Section{Data: f.Section(name), Addr: s.addr}
	}
	arch := f.arch()
	if arch == "" {
		return nil, errors.New("elf: call frame information of a CPU that is not known")
	}
	return cfi.Open(cfi.Sections{
		EHFrame: place(".eh_frame"), EHFrameHdr: place(".eh_frame_hdr"), DebugFrame: place(".debug_frame"),
		Base: f.base, Text: place(".text").Addr, Got: f.got(),
		Arch: arch, Word: f.h.wordSize(), Order: f.h.order,
	}, cfi.Options{Progress: f.opt.Progress, Search: f.opt.Search})
}

// got is where _GLOBAL_OFFSET_TABLE_ is: in .got.plt where there is one.
func (f *File) got() uint64 {
	for _, name := range []string{".got.plt", ".got"} {
		if s := f.section(name); s != nil {
			return s.addr
		}
	}
	return 0
}

func (f *File) openIndex() (*exidx.Table, error) {
	place := func(name string) cfi.Section {
		if s := f.find(name); s != nil {
			return cfi.Section{Data: f.raw(s), Addr: s.addr}
		}
		return cfi.Section{}
	}
	var end uint64
	for i := range f.sects {
		if s := &f.sects[i]; s.executable() {
			end = max(end, s.addr+s.size)
		}
	}
	return exidx.Open(exidx.Sections{
		Exidx: place(".ARM.exidx"), Extab: place(".ARM.extab"), Base: f.base, End: end, Order: f.h.order,
	})
}
