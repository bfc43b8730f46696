package android

import (
	"bytes"

	"crashglass/core/base/bin"
	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// ProtoKind is the kind of tombstones that are protocol buffers.
const ProtoKind = "Android tombstone (protobuf)"

const (
	headSize   = 4 << 10  // bytes that IsProto needs at most
	maxProto   = 64 << 20 // bytes of a tombstone
	maxThreads = 1 << 15
	maxFrames  = 1 << 16 // of all threads
)

// architectures are the values of Architecture.
var architectures = []*cpu.Arch{&cpu.ARM, &cpu.ARM64, &cpu.X86, &cpu.AMD64, &cpu.RISCV64}

// A tombstone is a message in the making. Numbers of fields are those of tombstone.proto.
type tombstone struct {
	report
	tid     uint64
	threads [][]byte // entries of the map of threads
	causes  [][]byte
	memory  text.Memory
	frames  int
}

// IsProto reports whether a file begins like a tombstone that is a protocol buffer. There is no signature: the CPU, the fingerprint of the build,
// revision, time and the process follow one another. Fields of zero and empty texts are left out, but no fingerprint is empty: it has
// at least three slashes (AOSP, Build.FINGERPRINT).
func IsProto(head []byte) bool {
	last, slashes := 0, 0
	for {
		f, rest, ok := next(head)
		switch {
		case !ok || f.number <= last && f.number != 9 || f.number > 5:
			return false
		case f.number == 1 && (f.wire != wireVarint || f.value >= architecturesKnown):
			return false
		case f.number > 1 && f.number < 5 && (f.wire != wireBytes || !printable(f.data)):
			return false
		case f.number == 2:
			slashes = bytes.Count(f.data, []byte("/"))
		case f.number == 5:
			return slashes >= 3 && f.wire == wireVarint && f.value > 0 && f.value < 1<<22
		}
		last, head = f.number, rest
	}
}

// architecturesKnown is the number of values of Architecture; the last one is NONE.
const architecturesKnown = 6

// printable reports whether a text has no control characters.
func printable(s []byte) bool {
	for _, b := range s {
		if b < ' ' || b == 0x7f {
			return false
		}
	}
	return len(s) < 512
}

// OpenProto opens a tombstone that is a protocol buffer.
func OpenProto(src bin.Source) ([]*process.Process, bool, error) {
	head, err := src.ReadUpTo("tombstone", 0, headSize)
	if err != nil || !IsProto(head) {
		return nil, false, nil
	}
	data, err := src.Read("tombstone", 0, uint64(min(src.Size(), maxProto)))
	if err != nil {
		return nil, true, err
	}
	t := &tombstone{report: report{d: text.NewDraft(ProtoKind), arch: architectures[0]}} // a value of 0 is left out
	t.d.Process.Origin.Size = src.Size()
	if rest := fields(data, t.field); len(rest) > 0 {
		t.d.Process.Note(&bin.Error{What: ProtoKind, Off: int64(len(data) - len(rest)), Why: "no field begins here: the rest is left out"})
	}
	for _, crashed := range []bool{true, false} {
		for _, entry := range t.threads {
			t.entry(entry, crashed)
		}
	}
	if len(t.d.Process.Threads) == 0 {
		t.d.Process.Subject = -1
	}
	for _, cause := range t.causes {
		t.cause(cause)
	}
	t.memory.Of(&t.d.Process)
	return []*process.Process{t.finish()}, true, nil
}

// field reads a field of the message Tombstone.
func (t *tombstone) field(f *field) {
	p := &t.d.Process
	switch f.number {
	case 1:
		if t.arch = nil; f.value < uint64(len(architectures)) {
			t.arch = architectures[f.value]
		}
	case 2:
		t.d.Annotate("Build fingerprint", string(f.data))
	case 4:
		t.d.Annotate("Timestamp", string(f.data))
	case 5:
		t.d.PID(f.value)
	case 6:
		t.tid = f.value
	case 9:
		t.d.Annotate("process", string(f.data))
	case 10:
		t.signal(f.data)
	case 14:
		p.Message = string(f.data)
	case 15:
		t.causes = append(t.causes, f.data)
	case 16:
		if len(t.threads) < maxThreads {
			t.threads = append(t.threads, f.data)
		}
	case 20:
		p.Uptime = &f.value
	}
}

// signal reads the message Signal.
func (t *tombstone) signal(message []byte) {
	e := &process.Event{NoAddress: true}
	var pid, uid uint64
	fields(message, func(f *field) {
		switch f.number {
		case 1:
			e.Code = uint32(f.value)
		case 3:
			e.Flags = uint32(f.value)
		case 6:
			uid = f.value
		case 7:
			pid = f.value
		case 8:
			e.NoAddress = f.value == 0
		case 9:
			e.Address = f.value
		}
	})
	t.event(e, pid, uid)
}

// cause reads the message Cause, with the error that GWP-ASan or Scudo found.
func (t *tombstone) cause(message []byte) {
	fields(message, func(f *field) {
		switch f.number {
		case 1:
			t.d.Annotate("Cause", string(f.data))
		case 2:
			t.memoryError(f.data)
		}
	})
}

// memoryErrors are the values of MemoryError.Type.
var memoryErrors = []process.ProblemKind{
	process.OtherProblem, process.UseAfterFree, process.DoubleFree, process.BadFree, process.HeapOverflow, process.HeapOverflow,
}

// memoryError reads the messages MemoryError and HeapObject: where the memory was freed and allocated.
func (t *tombstone) memoryError(message []byte) {
	fields(message, func(f *field) {
		switch {
		case f.number == 2 && f.value > 0 && f.value < uint64(len(memoryErrors)) && t.d.Process.Problem == nil:
			t.d.Process.Problem = &process.Problem{Kind: memoryErrors[f.value]}
		case f.number == 3:
			t.history(f.data, process.Freed, 5, 6)
			t.history(f.data, process.Allocated, 3, 4)
		}
	})
}

// history adds a stack of a block of memory. Its thread and its frames have these numbers.
func (t *tombstone) history(message []byte, role process.Role, thread, frames int) {
	t.report.thread, t.begun = process.Thread{Role: role}, false
	fields(message, func(f *field) {
		switch f.number {
		case thread:
			t.report.thread.ID = uint32(f.value)
		case frames:
			t.inThread(&field{number: 4, data: f.data})
		}
	})
}

// entry reads an entry of the map of threads: the thread that crashed, or another one.
func (t *tombstone) entry(message []byte, crashed bool) {
	var id uint64
	var thread []byte
	fields(message, func(f *field) {
		switch f.number {
		case 1:
			id = f.value
		case 2:
			thread = f.data
		}
	})
	if (id == t.tid) != crashed {
		return
	}
	t.report.thread, t.begun, t.regs = process.Thread{ID: uint32(id)}, false, cpu.Regs{}
	t.d.System(process.Android, t.arch)
	fields(thread, t.inThread)
	if !t.begun {
		t.begin(&frame{})
	}
}

// inThread reads a field of the message Thread. The registers precede the frames.
func (t *tombstone) inThread(f *field) {
	switch f.number {
	case 2:
		t.report.thread.Name = string(f.data)
	case 3:
		t.register(f.data)
	case 4:
		if t.frames++; t.frames <= maxFrames {
			t.stackFrame(f.data)
		}
	case 5:
		t.dump(f.data)
	}
}

// register reads the message Register.
func (t *tombstone) register(message []byte) {
	var name string
	var v uint64
	fields(message, func(f *field) {
		switch f.number {
		case 1:
			name = string(f.data)
		case 2:
			v = f.value
		}
	})
	if t.arch != nil {
		if reg, ok := t.arch.Reg(name); ok {
			t.regs.Set(reg, v&t.arch.Mask())
		}
	}
}

// stackFrame reads the message BacktraceFrame.
func (t *tombstone) stackFrame(message []byte) {
	var f frame
	var at uint64
	var file string
	fields(message, func(in *field) {
		switch in.number {
		case 1:
			at = in.value
		case 2:
			f.Address = in.value
		case 4:
			f.Names.Function = string(in.data)
		case 5:
			f.Names.Offset = in.value
		case 6:
			file = string(in.data)
		case 8:
			f.buildID = string(in.data)
		}
	})
	f.place(file, at)
	t.add(&f)
}

// dump reads the message MemoryDump.
func (t *tombstone) dump(message []byte) {
	var base uint64
	var data []byte
	fields(message, func(f *field) {
		switch f.number {
		case 3:
			base = f.value
		case 4:
			data = f.data
		}
	})
	t.memory.Add(base, data)
}
