package analyze

import (
	"crashglass/core/base/ranges"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/report"
	"crashglass/core/stack/unwind"
)

// generated is the code that the program made at run time and registered with Windows.
type generated struct {
	tables []functionTable
	at     ranges.Table // the index of an address in tables
}

// A functionTable is read when an address in it is first met.
type functionTable struct {
	*process.FunctionTable
	read  bool
	rules unwind.EntryRules // nil for none
}

func (g *generated) add(list []process.FunctionTable) {
	for i := range list {
		t := &list[i]
		if t.Base <= t.First && t.First < t.End {
			g.at.Add(t.First, t.End-t.First, int64(len(g.tables)))
			g.tables = append(g.tables, functionTable{FunctionTable: t})
		}
	}
	g.at.Finish()
}

// generatedAt returns the function that finds the unwind rules of generated code, and the address that they are relative to, or nil. It passes what
// it reads of the dump's memory, the unwind records, to walked, if that is not nil.
func (l *lookup) generatedAt(arch *cpu.Arch, walked func(addr uint64, size int, use report.ReadUse)) func(addr uint64) (unwind.Rules, uint64) {
	images, ok := l.syms.(Imager)
	if !ok || l.generated.at.Len() == 0 && l.objects == nil {
		return nil
	}
	return func(addr uint64) (unwind.Rules, uint64) {
		if l.objects != nil {
			if o := l.objects(addr); o != nil {
				return o, o.Base()
			}
		}
		r, ok := l.generated.at.Find(addr)
		if !ok {
			return nil, 0
		}
		t := &l.generated.tables[r.Value]
		if !t.read {
			t.read, t.rules = true, images.FunctionTable(captured{l.memory, t.Base, walked}, arch, t.Entries)
		}
		if t.rules == nil || !t.rules.Covers(addr-t.Base) {
			return nil, 0
		}
		return t.rules, t.Base
	}
}
