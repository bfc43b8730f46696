package analyze

import (
	"cmp"
	"fmt"

	"crashglass/core/cause/waits"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/values/variables"
)

// mostLocks bounds the waits whose locks are named, and lockFrames the frames of each that are searched.
const (
	mostLocks  = 64
	lockFrames = 8
)

// nameLocks names the locks that threads wait for, as the program does.
func (a *analysis) nameLocks(r *report.Report, list []*waits.Wait) {
	if a.p.BigEndian {
		return
	}
	names, searched := map[uint64]string{}, 0
	for i, w := range list {
		if w == nil || w.Kind == waits.Join || w.Kind == waits.Park {
			continue
		}
		addr := w.Word
		if w.Object != nil {
			addr = *w.Object
		}
		if addr == 0 {
			continue
		}
		if searched++; searched > mostLocks {
			return
		}
		name, ok := names[addr]
		if !ok {
			name = a.global(i, addr)
			names[addr] = name
		}
		if name == "" {
			name = a.member(i, addr)
		}
		r.Threads[i].Waits.Name = a.budget.name(name)
	}
}

// global names the lock by the variable outside of functions that is at its address.
func (a *analysis) global(i int, addr uint64) string {
	m := a.modules.At(addr)
	if m == nil {
		return ""
	}
	part, _ := a.static(a.p.Threads[i].Registers.Arch, m, addr, variables.LockWord)
	return cmp.Or(part.Shown(), a.inSymbol(m, addr))
}

// inSymbol names an address by the symbol of the variable that it is in, with the offset in that: "buffer + 0x8"; "" for none.
func (a *analysis) inSymbol(m *module.Module, addr uint64) string {
	name, offset := a.symbol(m, addr)
	if name == "" || offset == 0 {
		return name
	}
	return name + fmt.Sprintf(" + %#x", offset)
}

// symbol names the variable outside of functions that is at an address by its symbol, "" for none, and how far behind its start the address is.
func (a *analysis) symbol(m *module.Module, addr uint64) (name string, offset uint64) {
	names := a.dataNames(m)
	if names == nil {
		return "", 0
	}
	name, start := names.NameAt(addr - m.Base)
	return name, addr - m.Base - start
}

// dataNames returns the symbols of a module's variables, nil if none match the module.
func (a *analysis) dataNames(m *module.Module) variables.Names {
	known := a.lookup.of(m)
	if !known.matches() {
		return nil
	}
	return known.source.Variables().Names
}

// datum names the data that begins at an address by its symbol, "" for none.
func (a *analysis) datum(addr uint64) string {
	if m := a.modules.At(addr); m != nil {
		if name, offset := a.symbol(m, addr); offset == 0 {
			return name
		}
	}
	return ""
}

// member names the lock by the variables of the program's functions, of which the innermost has the best name.
func (a *analysis) member(i int, addr uint64) (last string) {
	ctx, walked := a.p.Threads[i].Registers, a.walked[i]
	all := a.valueFrames(ctx, a.input(ctx), walked[:min(len(walked), lockFrames)])
	for n := range all {
		if walked[n].Guess || walked[n].Module != nil && a.isSystem(walked[n].Module) {
			continue
		}
		name, weak := variables.Lock(&all[n], addr)
		if name != "" && !weak {
			return name
		}
		last = cmp.Or(last, name)
	}
	return last
}
