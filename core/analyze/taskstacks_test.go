package analyze

import (
	"testing"

	"crashglass/core/process"
	"crashglass/core/report"
	"crashglass/core/stack/unwind"
)

// Frames of tasks at one place are made once, and equal stacks share theirs. When the budget is spent, each frame is made with what there is room for.
func TestTaskStacks(t *testing.T) {
	a := deadlocked(t).analysis(nil, Options{})
	stacks := a.taskStacks()
	stack := func(pcs ...uint64) []report.Frame {
		var frames []report.Frame
		for n, pc := range pcs {
			f := &unwind.Frame{Frame: process.Frame{Instruction: pc, ReturnAddress: pc + 1, Module: a.modules.At(pc)}}
			frames = append(frames, stacks.named(n, f))
		}
		return stacks.rows(frames)
	}
	const f, g = 0x40_1000, 0x40_2000
	one, two, again := stack(f, g, f), stack(f, f, g), stack(f, g, f)
	switch {
	case &one[0] != &again[0]:
		t.Error("equal stacks do not share their frames")
	case one[0].Offset == one[1].Offset, one[0].Offset != one[2].Offset, one[0].ReturnAddress != nil, one[2].ReturnAddress == nil:
		t.Errorf("frames %+v", one)
	case two[1].Offset != one[0].Offset, two[1].Index != 1, two[2].Index != 2:
		t.Errorf("frames %+v", two)
	}
	if cut := stacks.rows(one[:1]); len(cut) != 1 {
		t.Errorf("a stack that was cut has %d frames", len(cut))
	}
	a.budget.text = 0
	if last := stack(f, g, f); len(last) != 3 || last[2].Offset != one[2].Offset || last[2].Index != 2 {
		t.Errorf("frames %+v without room", last)
	}
}
