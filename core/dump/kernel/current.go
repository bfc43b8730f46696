package kernel

import (
	"fmt"
	"strings"

	"crashglass/core/process"
)

// Offsets in KDDEBUGGER_DATA64 of offsets. Source as in debugger.go.
const (
	kdThreadProcess = 0x2a0 // in KTHREAD, of the process
	kdPEB           = 0x2aa // in EPROCESS
	kdParent        = 0x2ac // in EPROCESS
	kdCurrentThread = 0x2b4 // in KPRCB
)

// processFields returns the offsets of UniqueProcessId and ImageFileName in EPROCESS, 0 when unknown. Since Windows 10 1703 they are at
// fixed distances from fields that the debugger's data names. Source: symbols of ntkrnlmp.pdb of these builds.
func (r *reader) processFields() (id, name uint64) {
	peb, _ := r.Memory.Word(r.head.DebuggerData+kdPEB, 2)
	parent, _ := r.Memory.Word(r.head.DebuggerData+kdParent, 2)
	switch build := r.head.Build; {
	case r.word != 8:
	case build >= 15063 && peb != 0 && parent > 0x100:
		return parent - 0x100, peb + 0x58
	case build >= 15063:
	case build >= 10586:
		return 0x2e8, 0x450
	case build >= 10240:
		return 0x2e8, 0x448
	case build >= 9200:
		return 0x2e0, 0x438
	case build >= 7600 && build < 8000:
		return 0x180, 0x2e0
	}
	return 0, 0
}

// A request has the offsets of StackCount, CurrentLocation and Tail.Overlay.CurrentStackLocation in IRP, of DeviceObject in
// IO_STACK_LOCATION, and of DriverStart in DRIVER_OBJECT. Source: wdm.h.
type request struct{ count, current, location, device, start uint64 }

var requests = [...]request{4: {0x22, 0x23, 0x60, 0x14, 0xc}, 8: {0x42, 0x43, 0xb8, 0x28, 0x18}}

// holder returns the start of the driver that a request (IRP) was passed to last, and that has not completed it, or 0.
func (r *reader) holder(irp uint64) uint64 {
	const irpType, deviceType, driverType, driverObject = 6, 3, 4, 8
	f := requests[r.word]
	is := func(at, want uint64) bool { v, ok := r.Memory.Word(at, 2); return ok && v == want }
	count, _ := r.Memory.Word(irp+f.count, 1)
	current, _ := r.Memory.Word(irp+f.current, 1)
	location, _ := r.pointer(irp + f.location)
	device, _ := r.pointer(location + f.device)
	driver, _ := r.pointer(device + driverObject)
	start, ok := r.pointer(driver + f.start)
	if !ok || current == 0 || current > count || !is(irp, irpType) || !is(device, deviceType) || !is(driver, driverType) {
		return 0
	}
	return start
}

// running returns the process that a processor runs, or "". Its control block (KPRCB) has the thread, and that the process.
func (r *reader) running(prcb uint64) (text string, id *uint32) {
	inPRCB, _ := r.Memory.Word(r.head.DebuggerData+kdCurrentThread, 2)
	inThread, _ := r.Memory.Word(r.head.DebuggerData+kdThreadProcess, 2)
	thread, _ := r.pointer(prcb + inPRCB)
	at, ok := r.pointer(thread + inThread)
	if !ok {
		return "", nil
	}
	return r.processAt(at)
}

func (r *reader) processAt(at uint64) (text string, id *uint32) {
	return r.process(func(offset uint64, n int) []byte {
		b := make([]byte, n)
		return b[:r.Memory.Read(at+offset, b)]
	})
}

// readDied names the process whose end stopped the system (CRITICAL_PROCESS_DIED), by its block. The copy in a small dump is of the process to
// which the thread belongs.
func (r *reader) readDied() {
	const criticalProcessDied = 0xef
	at, isThread := r.head.Parameters[0], r.head.Parameters[1]
	if r.head.BugCheck != criticalProcessDied || isThread != 0 || at == 0 {
		return
	}
	name, _ := r.processAt(at)
	if t := r.detail.Triage; name == "" && t != nil && t.Thread != 0 {
		inThread, known := r.Memory.Word(r.head.DebuggerData+kdThreadProcess, 2)
		if of, ok := r.copiedWord(uint64(t.Thread) + inThread); known && ok && of == at {
			name, _ = r.copied()
		}
	}
	if name != "" {
		r.Annotations = append(r.Annotations, process.Annotation{Name: "process that ended", Value: strings.TrimPrefix(name, ", "), Source: "EPROCESS"})
	}
}

// copied returns the process of which a small dump has a copy: that of the processor which stopped the system.
func (r *reader) copied() (text string, id *uint32) {
	t := r.detail.Triage
	if t == nil || t.Process == 0 {
		return "", nil
	}
	return r.process(func(offset uint64, n int) []byte {
		b, _ := r.src.ReadUpTo("process", int64(t.Process)+int64(offset), uint64(n))
		return b
	})
}

// odd reports whether a character is none of ASCII that can be printed.
func odd(c rune) bool { return c < ' ' || c > '~' }

// process names a process, "" if the bytes do not look like one.
func (r *reader) process(read func(offset uint64, n int) []byte) (text string, id *uint32) {
	const size = 15 // of ImageFileName
	atID, atName := r.processFields()
	if atName == 0 {
		return "", nil
	}
	number, image := read(atID, 4), read(atName, size)
	if len(number) < 4 || len(image) < size {
		return "", nil
	}
	n := order.Uint32(number)
	name := strings.TrimRight(string(image), "\x00")
	if name == "" || strings.ContainsFunc(name, odd) || n%4 != 0 || n >= 1<<24 {
		return "", nil
	}
	return fmt.Sprintf(", %s (%d)", name, n), &n
}
