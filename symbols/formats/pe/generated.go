package pe

import (
	"math"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats/gopclntab"
	"crashglass/symbols/tables/cfi"
)

// generated is code that a program made at run time, in memory. It has unwind entries, but neither headers nor names.
type generated struct {
	unwind.NoWinFrames
	f *File
}

// FunctionTable returns the rules of unwind entries that a program has registered with RtlAddFunctionTable or a similar function, or nil if there
// are none for this CPU. Addresses are relative to the base of the entries, where memory begins.
func FunctionTable(memory bin.Source, arch *cpu.Arch, entries []byte) unwind.EntryRules {
	f := &File{
		notes: &notes{bin.Notes{Limit: maxNotes}}, src: memory, opt: Options{Mapped: true},
		work:     bin.NewBudget(leastWork + workPerByte*int64(len(entries))),
		sections: []section{{size: math.MaxUint32, raw: math.MaxUint32, flags: flagExecute}},
	}
	switch arch {
	case &cpu.AMD64:
		f.h.machine = machineAMD64
	case &cpu.ARM64:
		f.h.machine = machineARM64
	default:
		return nil
	}
	f.byAddress.Add(0, math.MaxUint32, 0)
	f.byAddress.Finish()
	t := &table{}
	f.functions = func() *table { return t }
	f.frames = func() *cfi.Table { return nil }
	f.golang = func() *gopclntab.Table { return nil }
	f.halves = func() *hybrid { return nil }
	f.readEntries(t, "function table", 0, entries, f.entrySize(f.h.machine == machineARM64))
	f.finish(t, "function table", 0)
	if len(t.entries) == 0 {
		return nil
	}
	return generated{f: f}
}

// Covers implements unwind.EntryRules.
func (g generated) Covers(rel uint64) bool {
	_, _, covered := g.f.find(rel)
	return covered == inEntry
}

// CallFrame implements unwind.Rules.
func (g generated) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	cf, ok := g.f.CallFrame(rel)
	cf.From = "unwind codes of code that was made at run time"
	return cf, ok
}

// Function implements unwind.Rules.
func (generated) Function(uint64) (unwind.Function, bool) { return unwind.Function{}, false }

// HasNames implements unwind.Rules.
func (generated) HasNames() bool { return false }

// HasCode implements unwind.Rules.
func (generated) HasCode() bool { return false }
