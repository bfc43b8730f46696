package crash

import (
	"reflect"
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
)

// What is found does not depend on the order in which finders run: each sees the facts alone.
func TestOrderOfFinders(t *testing.T) {
	for name, s := range map[string]*scene{
		"a stack overflow by a null pointer's width": crashAt(t, movStore).reg(cpu.RAX, stackLow-8).reg(cpu.RSP, stackLow).fault(stackLow - 8),
		"poison, which is not canonical":             crashAt(t, movStore).reg(cpu.RAX, 0xdddd_dddd_dddd_dddd).gpf(),
		"an assertion and abort":                     crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "!__assert_fail", "work"),
		"a fast fail behind a smashed stack":         crashAt(t, "cd 29").raise("windows", stackBufferOverrun, 0, 2).stack("!__report_gsfailure", "work"),
		"a jump into an unloaded module":             crashAt(t, "").reg(cpu.RIP, 0x5000_0000).fault(0x5000_0000).with(func(in *Input) { in.Frames[0] = spot{ModuleIndex: -1, Unloaded: "plugin.so"}.row() }),
		"a signal that was sent to a jump":           crashAt(t, movStore).raise("linux", sigSEGV, siTkill),
	} {
		a := Analyze(s.Input)
		if len(a.Findings) == 0 {
			t.Errorf("%s: nothing is found", name)
		}
		f := factsOf(s.Input, a)
		list := f.candidates()
		slices.SortStableFunc(list, func(a, b candidate) int { return b.rank - a.rank })
		if got := reconcile(list, f.Event.doubtful()); !reflect.DeepEqual(got, a.Findings) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, a.Findings)
		}
	}
}
