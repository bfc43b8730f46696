package pdb

import (
	"fmt"

	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

var _ variables.Statics = (*File)(nil)

// Statics implements variables.Statics by the records of global symbols.
func (f *File) Statics(match func(name string) bool, limit int) (out []variables.Variable) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.publics() // opens the stream of the records
	if f.records == nil {
		return nil
	}
	f.notes.error(f.records.eachRecord(func(r record) {
		if len(out) < limit && isStatic(r.kind) {
			if v, ok := f.static(r); ok && match(v.Name) {
				out = append(out, v)
			}
		}
	}))
	return out
}

func isStatic(kind uint16) bool {
	switch kind {
	case symLocalData, symGlobalData, symLocalTLS, symGlobalTLS, symLocalDataST, symGlobalDataST:
		return true
	}
	return false
}

// static is a variable that exists once.
func (f *File) static(r record) (out variables.Variable, ok bool) {
	v, ok, err := parseVariable(r)
	f.notes.error(err)
	if !ok || err != nil || v.name == "" {
		return out, false
	}
	out = variables.Variable{Name: v.name, Type: f.ref(v.typ, types.CPlusPlus), From: fmt.Sprintf("symbol records at %#x", r.at)}
	out.Rule = &rule{f: f, frame: &procFrame{machine: f.dbi.machine}, size: out.Type, places: []place{v.at}}
	return out, true
}
