package analyze

import (
	"encoding/binary"

	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/unwind"
)

// taskStacks makes the stacks of many tasks, which stand at a few addresses: a frame is made once for each of them, and tasks with equal frames share those.
type taskStacks struct {
	*analysis
	known  map[spot]namedSpot
	stacks map[string][]report.Frame // by the numbers of their frames
	key    []byte                    // the numbers of the frames of the present stack
	naming naming
}

// A spot is what the report's frame of a task depends on, besides its place in the stack.
type spot struct {
	instruction, returns uint64
	module               *module.Module
	trust                unwind.Trust
	way                  unwind.Way
	caller, guess        bool
}

type namedSpot struct {
	frame  report.Frame
	text   int // that it takes of the budget
	number uint32
}

// usualTask is the number of frames for which there is room from the start, and numberSize the size of a frame's number.
const (
	usualTask  = 64
	numberSize = 4
)

func (a *analysis) taskStacks() *taskStacks {
	t := &taskStacks{analysis: a, known: map[spot]namedSpot{}, stacks: map[string][]report.Frame{}}
	t.naming = naming{frame: t.named, room: make([]report.Frame, 0, usualTask), walked: make([]unwind.Frame, 0, usualTask)}
	return t
}

// named makes a frame of a task's stack. It has no registers, and does not keep the walked frame.
func (t *taskStacks) named(n int, f *unwind.Frame) report.Frame {
	if n == 0 {
		t.key = t.key[:0]
	}
	at := spot{f.Instruction, f.ReturnAddress, f.Module, f.Trust, f.FoundBy, n > 0, f.Guess}
	if had, ok := t.known[at]; ok && t.budget.room(had.text) {
		had.frame.Index = n
		t.key = binary.LittleEndian.AppendUint32(t.key, had.number)
		return had.frame
	}
	bare := unwind.Frame{Trust: f.Trust, FoundBy: f.FoundBy, Frame: process.Frame{Instruction: f.Instruction, ReturnAddress: f.ReturnAddress, Module: f.Module, Guess: f.Guess}}
	open, left := t.lookup.unanswered(), t.budget.text
	out := t.frame(t.p.Arch, n, &bare)
	if t.lookup.unanswered() == open && t.budget.text >= 0 && len(t.known) < maxRecalled {
		had := namedSpot{out, left - t.budget.text, uint32(len(t.known))}
		t.known[at] = had
		t.key = binary.LittleEndian.AppendUint32(t.key, had.number)
	}
	return out
}

// rows returns the frames of the present stack, as a traceback has them.
func (t *taskStacks) rows(frames []report.Frame) []report.Frame {
	if len(t.key) != numberSize*len(frames) { // they are not those that were made last, or not all of them are known
		return taskRows(frames)
	}
	rows, known := t.stacks[string(t.key)]
	if !known {
		if rows = taskRows(frames); len(t.stacks) < maxRecalled {
			t.stacks[string(t.key)] = rows
		}
	}
	return rows
}
