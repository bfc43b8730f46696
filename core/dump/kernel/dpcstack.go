package kernel

import (
	"crashglass/core/base/bin"
	"crashglass/core/process"
)

// Offsets in KDDEBUGGER_DATA64 of offsets. Source as in debugger.go.
const (
	kdInitialStack = 0x29e // in KTHREAD; the lowest address (StackLimit) follows
	kdDPCActive    = 0x2b2 // in KPRCB, of DpcRoutineActive
)

// dpcStackBefore is the distance from DpcStack to DpcRoutineActive in KPRCB of 32-bit Windows, 0 when unknown. Source: symbols of the kernels of
// Windows Vista, its service pack 2, 7 and 10. Before Vista the debugger's data lack one offset or the other.
func dpcStackBefore(build uint32) uint64 {
	switch {
	case build >= 7600:
		return 0x2a
	case build >= 6000:
		return 0x12
	}
	return 0
}

// readDPCStacks finds the stacks of deferred calls on 32-bit Windows, where nothing else leads back from them. A small dump has copies of the
// control block of the processor that stopped the system (KPRCB) and of its thread.
func (r *reader) readDPCStacks() {
	inPRCB, _ := r.Memory.Word(r.head.DebuggerData+kdDPCActive, 2)
	inThread, _ := r.Memory.Word(r.head.DebuggerData+kdInitialStack, 2)
	before := dpcStackBefore(r.head.Build)
	if r.word != 4 || before == 0 || inPRCB <= before || inThread == 0 {
		return
	}
	add := func(block, thread uint64, read func(at uint64) (uint64, bool)) {
		top, ok := read(block + inPRCB - before)
		high, _ := read(thread + inThread)
		low, known := read(thread + inThread + uint64(r.word))
		if ok && known && block != 0 && thread != 0 && top != 0 && top%pageSize == 0 && low < high && high-low <= mostStack {
			r.Event.Deferred = append(r.Event.Deferred, process.DPCStack{Top: top, Low: low, High: high})
		}
	}
	if t := r.detail.Triage; t != nil {
		add(uint64(t.PRCB), uint64(t.Thread), r.copiedWord)
		return
	}
	inPRCBThread, _ := r.Memory.Word(r.head.DebuggerData+kdCurrentThread, 2)
	for _, p := range r.debug.processors {
		thread, _ := r.pointer(p.block + inPRCBThread)
		add(p.block, thread, r.pointer)
	}
}

// copiedWord reads a word of the file.
func (r *reader) copiedWord(at uint64) (uint64, bool) {
	b, _ := r.src.ReadUpTo("copied structure", int64(at), uint64(r.word))
	if len(b) < r.word {
		return 0, false
	}
	return r.address(bin.NewCursor("copied structure", int64(at), b)), true
}
