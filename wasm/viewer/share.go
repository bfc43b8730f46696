package main

import (
	"bytes"
	"fmt"
	"strconv"

	"crashglass/core/report/render"
	"crashglass/core/sanitize"
)

func (c *call) checklist(q *ChecklistRequest) (*sanitize.Checklist, error) {
	r, err := c.analysed()
	if err != nil {
		return nil, err
	}
	list := sanitize.Inspect(c.dump.session)
	list.AddVariables(r)
	return list, nil
}

func (c *call) sanitize(q *SanitizeRequest) (*SanitizeResult, error) {
	r, err := sanitize.Clean(c.dump.session, c.store, sanitize.Options{Memory: q.Memory, Names: q.Names})
	if err != nil {
		return nil, err
	}
	c.attached = r.Data
	return &SanitizeResult{
		Before: r.Before, After: int64(len(r.Data)), Removed: r.Removed, Secrets: r.Secrets, People: r.People, Changed: r.Changed,
	}, nil
}

func (c *call) syms(q *SymsRequest) ([]byte, error) {
	mods := c.store.Modules()
	if q.Dump != withoutDump {
		var err error
		if c.dump, err = c.opened(q.Dump); err != nil {
			return nil, err
		}
		mods = c.dump.session.Modules()
	}
	if q.Module < 0 || q.Module >= len(mods) {
		return nil, fmt.Errorf("viewer: no module %d: there are %d", q.Module, len(mods))
	}
	var text bytes.Buffer
	err := c.store.Export(&text, &mods[q.Module])
	return text.Bytes(), err
}

// withoutDump stands for no dump: the module is then one that only the symbol files name.
const withoutDump = -1

// mostMemory is the most stack memory, in bytes, that goes into a report.
const mostMemory = 64 << 10

// stack is the memory of the crashing thread's stack, from its stack pointer on.
func (d *dump) stack() []render.Excerpt {
	r := d.report
	if r.CrashingThread == nil || r.CrashingThread.Stack == nil || len(r.CrashingThread.Frames) == 0 {
		return nil
	}
	addr, err := strconv.ParseUint(string(r.CrashingThread.Stack.Base), 0, 64)
	if err != nil {
		return nil // reports have addresses in this form only
	}
	title := fmt.Sprintf("the stack of thread %d", r.CrashingThread.Index)
	return []render.Excerpt{{Title: title, Base: addr, Bytes: d.session.ReadMemory(addr, mostMemory)}}
}
