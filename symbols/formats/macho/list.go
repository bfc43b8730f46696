package macho

import (
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// EachFunction lists the functions that DWARF knows: the file's own, and that of attached object files. Without its own, it lists those of Go's table.
func (f *File) EachFunction(add func(*symbolize.Function) error) error {
	return f.each(f.info().EachFunction, add)
}

func (f *File) each(own func(func(*symbolize.Function) error) error, add func(*symbolize.Function) error) error {
	if f.info().Empty() && f.golang().Len() > 0 {
		return f.golang().EachFunction(add)
	}
	if err := f.eachNamed(own, add); err != nil {
		return err
	}
	return f.eachNamed(f.eachMapped, add)
}

// eachNamed lists functions under the names that they have without Apple's hiding.
func (f *File) eachNamed(each func(func(*symbolize.Function) error) error, add func(*symbolize.Function) error) error {
	hidden := f.opt.SymbolMap
	return each(func(fn *symbolize.Function) error {
		fn.Name = f.nameAt(fn.Start, fn.Name)
		if hidden != nil {
			for i := range fn.Lines {
				fn.Lines[i].File = hidden.path(fn.Lines[i].File)
			}
			for i := range fn.Inlines {
				in := &fn.Inlines[i]
				in.Function, in.CallFile = hidden.text(in.Function), hidden.path(in.CallFile)
			}
		}
		return add(fn)
	})
}

// EachPublic lists the symbols that are in no function, in the order of their
// addresses.
func (f *File) EachPublic(add func(symbolize.Public) error) error {
	return f.info().EachOutside(f.names(), f.outsideMapped(func(p symbolize.Public) error {
		if _, ok := f.golang().Function(p.Start); ok {
			return nil
		}
		return add(p)
	}))
}

// EachCallFrame lists the tables of __eh_frame and __debug_frame, stubs, and for code
// without either what __unwind_info says: the first instructions of a function
// and its body. Its last instructions are not listed, because where they are
// is not known without decoding all code.
func (f *File) EachCallFrame(add func(*unwind.CallFrameTable) error) error {
	if err := f.golang().EachCallFrame(add); err != nil {
		return err
	}
	if t := f.frames(); t != nil {
		if err := t.EachCallFrame(add); err != nil {
			return err
		}
	}
	cpu := f.cpuFrames()
	if cpu == nil {
		return nil
	}
	if err := f.eachStubs(cpu, add); err != nil {
		return err
	}
	c := f.compact()
	for i, e := range c.entries {
		for at := uint64(e.start); at < c.endOf(i); {
			r, ok := f.runAt(at)
			if !ok || r.end <= at {
				break
			}
			if table := f.table(cpu, r, at); table != nil {
				if err := add(table); err != nil {
					return err
				}
			}
			at = r.end
		}
	}
	return nil
}

// eachStubs lists the sections of stubs, but for the helper, whose rules change
// with every stub.
func (f *File) eachStubs(cpu cpuFrames, add func(*unwind.CallFrameTable) error) error {
	for _, s := range f.sects {
		cf, ok := f.stubFrame(cpu, s.addr-f.base)
		if !ok || s.name == "__stub_helper" || s.size == 0 {
			continue
		}
		if err := add(&unwind.CallFrameTable{Start: cf.Start, Size: cf.Size, Rules: cf.Rules}); err != nil {
			return err
		}
	}
	return nil
}

// table lists one function, or the part of one from an address on.
func (f *File) table(cpu cpuFrames, r run, from uint64) *unwind.CallFrameTable {
	code := f.code(r.start, int(min(r.end-r.start, maxProlog)))
	body, ok := cpu.body(r.entry, code)
	if !ok {
		return nil
	}
	if _, ok := f.dwarfFrame(from); ok {
		return nil
	}
	out := &unwind.CallFrameTable{Start: from, Size: r.end - from, Rules: body.rules()}
	if from != r.start {
		return out
	}
	steps := cpu.steps(code)
	if len(steps) == 0 {
		return out
	}
	out.Rules = cpu.leaf().rules()
	last := out.Rules
	for i, step := range steps {
		fr := body // from the last of the first instructions on
		if i+1 < len(steps) {
			fr, ok = cpu.prolog(code, step)
		}
		if !ok {
			return out
		}
		rules := fr.rules()
		if row := unwind.Diff(nil, last, rules); len(row) > 0 && r.start+uint64(step) < r.end {
			out.Rows = append(out.Rows, unwind.CallFrameRow{Addr: r.start + uint64(step), Rules: row})
		}
		last = rules
	}
	return out
}

// EachFirst lists functions for callers that want a few: see [dwarf.File.EachFirst].
func (f *File) EachFirst(add func(*symbolize.Function) error) error {
	return f.each(f.info().EachFirst, add)
}
