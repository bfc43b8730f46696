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
		f, rest, ok := bin.NextProto(head)
		switch {
		case !ok || f.Number <= last && f.Number != 9 || f.Number > 5:
			return false
		case f.Number == 1 && (f.Wire != bin.ProtoVarint || f.Value >= architecturesKnown):
			return false
		case f.Number > 1 && f.Number < 5 && (f.Wire != bin.ProtoBytes || !printable(f.Data)):
			return false
		case f.Number == 2:
			slashes = bytes.Count(f.Data, []byte("/"))
		case f.Number == 5:
			return slashes >= 3 && f.Wire == bin.ProtoVarint && f.Value > 0 && f.Value < 1<<22
		}
		last, head = f.Number, rest
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
	t.d.Process.Origin.Excerpt = func() ([]byte, error) { return data, nil }
	if rest := bin.EachProto(data, t.field); len(rest) > 0 {
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
func (t *tombstone) field(f *bin.ProtoField) {
	p := &t.d.Process
	switch f.Number {
	case 1:
		if t.arch = nil; f.Value < uint64(len(architectures)) {
			t.arch = architectures[f.Value]
		}
	case 2:
		t.d.Annotate("Build fingerprint", string(f.Data))
	case 4:
		t.d.Annotate("Timestamp", string(f.Data))
	case 5:
		t.d.PID(f.Value)
	case 6:
		t.tid = f.Value
	case 9:
		t.d.Annotate("process", string(f.Data))
	case 10:
		t.signal(f.Data)
	case 14:
		p.Message = string(f.Data)
	case 15:
		t.causes = append(t.causes, f.Data)
	case 16:
		if len(t.threads) < maxThreads {
			t.threads = append(t.threads, f.Data)
		}
	case 20:
		p.Uptime = &f.Value
	}
}

// signal reads the message Signal.
func (t *tombstone) signal(message []byte) {
	e := &process.Event{NoAddress: true}
	var pid, uid uint64
	bin.EachProto(message, func(f *bin.ProtoField) {
		switch f.Number {
		case 1:
			e.Code = uint32(f.Value)
		case 3:
			e.Flags = uint32(f.Value)
		case 6:
			uid = f.Value
		case 7:
			pid = f.Value
		case 8:
			e.NoAddress = f.Value == 0
		case 9:
			e.Address = f.Value
		}
	})
	t.event(e, pid, uid)
}

// cause reads the message Cause, with the error that GWP-ASan or Scudo found.
func (t *tombstone) cause(message []byte) {
	bin.EachProto(message, func(f *bin.ProtoField) {
		switch f.Number {
		case 1:
			t.d.Annotate("Cause", string(f.Data))
		case 2:
			t.memoryError(f.Data)
		}
	})
}

// memoryErrors are the values of MemoryError.Type.
var memoryErrors = []process.ProblemKind{
	process.OtherProblem, process.UseAfterFree, process.DoubleFree, process.BadFree, process.HeapOverflow, process.HeapOverflow,
}

// memoryError reads the messages MemoryError and HeapObject: where the memory was freed and allocated.
func (t *tombstone) memoryError(message []byte) {
	bin.EachProto(message, func(f *bin.ProtoField) {
		switch {
		case f.Number == 2 && f.Value > 0 && f.Value < uint64(len(memoryErrors)) && t.d.Process.Problem == nil:
			t.d.Process.Problem = &process.Problem{Kind: memoryErrors[f.Value]}
		case f.Number == 3:
			t.history(f.Data, process.Freed, 5, 6)
			t.history(f.Data, process.Allocated, 3, 4)
		}
	})
}

// history adds a stack of a block of memory. Its thread and its frames have these numbers.
func (t *tombstone) history(message []byte, role process.Role, thread, frames int) {
	t.report.thread, t.begun = process.Thread{Role: role}, false
	bin.EachProto(message, func(f *bin.ProtoField) {
		switch f.Number {
		case thread:
			t.report.thread.ID = uint32(f.Value)
		case frames:
			t.inThread(&bin.ProtoField{Number: 4, Data: f.Data})
		}
	})
}

// entry reads an entry of the map of threads: the thread that crashed, or another one.
func (t *tombstone) entry(message []byte, crashed bool) {
	var id uint64
	var thread []byte
	bin.EachProto(message, func(f *bin.ProtoField) {
		switch f.Number {
		case 1:
			id = f.Value
		case 2:
			thread = f.Data
		}
	})
	if (id == t.tid) != crashed {
		return
	}
	t.report.thread, t.begun, t.regs = process.Thread{ID: uint32(id)}, false, cpu.Regs{}
	t.d.System(process.Android, t.arch)
	bin.EachProto(thread, t.inThread)
	if !t.begun {
		t.begin(&frame{})
	}
}

// inThread reads a field of the message Thread. The registers precede the frames.
func (t *tombstone) inThread(f *bin.ProtoField) {
	switch f.Number {
	case 2:
		t.report.thread.Name = string(f.Data)
	case 3:
		t.register(f.Data)
	case 4:
		if t.frames++; t.frames <= maxFrames {
			t.stackFrame(f.Data)
		}
	case 5:
		t.dump(f.Data)
	}
}

// register reads the message Register.
func (t *tombstone) register(message []byte) {
	var name string
	var v uint64
	bin.EachProto(message, func(f *bin.ProtoField) {
		switch f.Number {
		case 1:
			name = string(f.Data)
		case 2:
			v = f.Value
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
	bin.EachProto(message, func(in *bin.ProtoField) {
		switch in.Number {
		case 1:
			at = in.Value
		case 2:
			f.Address = in.Value
		case 4:
			f.Names.Function = string(in.Data)
		case 5:
			f.Names.Offset = in.Value
		case 6:
			file = string(in.Data)
		case 8:
			f.buildID = string(in.Data)
		}
	})
	f.place(file, at)
	t.add(&f)
}

// dump reads the message MemoryDump.
func (t *tombstone) dump(message []byte) {
	var base uint64
	var data []byte
	bin.EachProto(message, func(f *bin.ProtoField) {
		switch f.Number {
		case 3:
			base = f.Value
		case 4:
			data = f.Data
		}
	})
	t.memory.Add(base, data)
}
