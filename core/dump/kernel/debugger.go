package kernel

import (
	"fmt"
)

// A debugger has what KDDEBUGGER_DATA64 says. The structure is the same in 32-bit dumps, whose addresses in it are sign-extended.
type debugger struct {
	modules, unloaded uint64
	processors        []processor
}

// A processor has the address of its control block (KPRCB), 0 when unknown, and its context, nil when unknown.
type processor struct {
	block   uint64
	context []byte
}

// Offsets in KDDEBUGGER_DATA64. Sources: wdbgexts.h of the Windows SDK; kdmp-parser-rs, src/structs.rs (KdDebuggerData64).
const (
	kdTag         = 0x10
	kdModules     = 0x48
	kdProcessors  = 0x218
	kdUnloaded    = 0x220
	kdPRCBContext = 0x338
)

// mostProcessors is Windows' own limit (MAXIMUM_PROC_PER_SYSTEM of wdm.h), rounded up.
const mostProcessors = 2048

// readDebugger reads the debugger's data, by which the kernel's lists are found. Since Windows 8 the block is encoded while the
// system runs, and decoded when it writes a dump; a live dump may have it encoded.
func (r *reader) readDebugger() {
	at := r.head.DebuggerData
	tag, ok := r.Memory.Word(at+kdTag, 4)
	switch {
	case !ok:
		return
	case tag != 0x4742_444b: // "KDBG"
		r.Odd("debugger data", fmt.Sprintf("the block at %#x is encoded or damaged, so that other processors and unloaded drivers are not found", at))
		return
	}
	r.debug.modules, r.debug.unloaded = r.kd(kdModules), r.kd(kdUnloaded)
	offset, _ := r.Memory.Word(at+kdPRCBContext, 2)
	for i := uint64(0); i < uint64(min(r.head.Processors, mostProcessors)) && offset != 0; i++ {
		prcb, _ := r.pointer(r.kd(kdProcessors) + i*uint64(r.word))
		context, ok := r.pointer(prcb + offset)
		data := make([]byte, r.cpu.Size)
		if !ok || prcb == 0 || r.Memory.Read(context, data) < len(data) {
			data = nil
		}
		r.debug.processors = append(r.debug.processors, processor{prcb, data})
	}
}

// kd reads an address of the debugger's data.
func (r *reader) kd(offset uint64) uint64 {
	v, _ := r.Memory.Word(r.head.DebuggerData+offset, 8)
	return v & r.Arch.Mask()
}
