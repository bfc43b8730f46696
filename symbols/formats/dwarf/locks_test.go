package dwarf

import (
	"sync"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/values/variables"
)

// Queries of every concern at once neither wait for each other forever nor share state without a lock.
func TestConcernsAtOnce(t *testing.T) {
	function := body(tag(tagVariable, "v", of("int"), says{atConstValue, 7}))
	for _, waits := range []bool{false, true} {
		f := newTree().unit(5, cplus(base("int", encodingSigned, 4), function)).open(t)
		f.opt.Waits = waits
		queries := []func(){
			func() { f.Locate(0x1010) },
			func() { f.Function(0x1010) },
			func() { f.Language(0x1010) },
			func() {
				for _, s := range f.Scopes(0x1010) {
					for _, v := range s.Variables {
						v.Type.Get()
					}
				}
			},
			func() { f.Class("none") },
			func() { f.Statics(func(string) bool { return true }, variables.MaxStatics) },
			func() { f.RuntimeType(1) },
			func() { _ = f.EachFunction(func(*symbolize.Function) error { f.Missing(); return nil }) },
			func() { _, _ = f.Covered() },
			func() { _, _ = f.Scan() },
		}
		var wait sync.WaitGroup
		for i := range 4 * len(queries) {
			wait.Go(queries[i%len(queries)])
		}
		wait.Wait()
		if notes := f.Notes(); len(notes) > 0 || f.Unanswered() != 0 {
			t.Errorf("waits %v: %d open queries, %q", waits, f.Unanswered(), notes)
		}
	}
}
