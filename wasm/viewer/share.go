package main

import (
	"bytes"
	"fmt"
	"strconv"

	"crashglass/core/render"
	"crashglass/core/sanitize"
)

func (v *viewer) checklist(q *ChecklistRequest) (*sanitize.Checklist, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return nil, err
	}
	list := sanitize.Inspect(d.session)
	if d.report != nil {
		list.AddVariables(d.report)
	}
	return list, nil
}

func (v *viewer) sanitize(q *SanitizeRequest) (*SanitizeResult, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return nil, err
	}
	r, err := sanitize.Clean(d.session, v.store, sanitize.Options{Memory: q.Memory, Names: q.Names})
	if err != nil {
		return nil, err
	}
	d.clean = r.Data
	return &SanitizeResult{
		Before: r.Before, After: int64(len(r.Data)), Removed: r.Removed, Secrets: r.Secrets, People: r.People, Whole: r.Whole, Changed: r.Changed,
	}, nil
}

func (v *viewer) sanitized(q *SanitizedRequest) ([]byte, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return nil, err
	}
	if d.clean == nil {
		return nil, fmt.Errorf("viewer: no other dump was made of dump %d", q.Dump)
	}
	return d.clean, nil
}

func (v *viewer) syms(q *SymsRequest) ([]byte, error) {
	mods := v.store.Modules()
	if q.Dump != withoutDump {
		d, err := v.dump(q.Dump)
		if err != nil {
			return nil, err
		}
		mods = d.session.Modules()
	}
	if q.Module < 0 || q.Module >= len(mods) {
		return nil, fmt.Errorf("viewer: no module %d: there are %d", q.Module, len(mods))
	}
	var text bytes.Buffer
	err := v.store.Export(&text, &mods[q.Module])
	return text.Bytes(), err
}

// withoutDump stands for no dump: the module is then one that only the symbol files name.
const withoutDump = -1

// mostMemory is the most stack memory, in bytes, that goes into a report.
const mostMemory = 64 << 10

// stack is the memory of the crashing thread's stack, from its stack pointer on.
func (d *dump) stack() []render.Memory {
	r := d.report
	if r.CrashingThread == nil || r.CrashingThread.Stack == nil || len(r.CrashingThread.Frames) == 0 {
		return nil
	}
	addr, err := strconv.ParseUint(string(r.CrashingThread.Stack.Base), 0, 64)
	if err != nil {
		return nil // reports have addresses in this form only
	}
	title := fmt.Sprintf("the stack of thread %d", r.CrashingThread.Index)
	return []render.Memory{{Title: title, Base: addr, Bytes: d.session.ReadMemory(addr, mostMemory)}}
}
