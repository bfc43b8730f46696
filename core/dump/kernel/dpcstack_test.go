package kernel

import (
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/kerneldump"
)

// A stopped is a processor of 32-bit Windows: the words of its structures that are about stacks.
type stopped struct {
	build          uint32
	before         int // from DpcStack to DpcRoutineActive
	top, high, low uint32
}

const (
	testActive  = 0x200 // offset of DpcRoutineActive
	testThread  = 0x4   // of CurrentThread in KPRCB
	testInitial = 0x28  // of InitialStack in KTHREAD
)

func (s *stopped) block(t *testing.T) []byte {
	return asm.At(0).Zeros(testActive - s.before).U32(s.top).Zeros(s.before + 0x20).Build(t)
}

func (s *stopped) thread(t *testing.T) []byte {
	return asm.At(0).Zeros(testInitial).U32(s.high, s.low).Build(t)
}

// debuggerData has the offsets, and the processor's control block and thread behind it.
func (s *stopped) debuggerData(t *testing.T, at uint64) *asm.Section {
	kd := asm.At(at).Zeros(0x10).Text("KDBG").U32(0x380).Zeros(kdProcessors - 0x18).Ref("blocks").Zeros(kdInitialStack - kdProcessors - 8)
	kd.U16(testInitial).Zeros(kdDPCActive-kdInitialStack-2).U16(testActive, testThread).Zeros(kdPRCBContext - kdCurrentThread - 2).U16(8).Align(16)
	block := s.block(t)
	kd.Mark("blocks").Ref32("block").U32(0).Mark("block").Bytes(block[:testThread]).Ref32("thread").Bytes(block[testThread+4:])
	return kd.Mark("thread").Bytes(s.thread(t))
}

// The stack of deferred calls of each processor is known with the bounds of its thread's stack: in complete dumps, and by the copies in a small
// one. What cannot be right is left out.
func TestDPCStacks(t *testing.T) {
	a := &cpu.X86
	good := stopped{build: 7601, before: 0x2a, top: 0x8080_3000, high: 0x8070_3000, low: 0x8070_0000}
	for _, tt := range []struct {
		name   string
		change func(s *stopped)
		found  bool
	}{
		{name: "Windows 7", change: func(s *stopped) {}, found: true},
		{name: "Windows 10", change: func(s *stopped) { s.build = 19041 }, found: true},
		{name: "Windows Vista", change: func(s *stopped) { s.build, s.before = 6002, 0x12 }, found: true},
		{name: "Windows XP", change: func(s *stopped) { s.build, s.before = 2600, 0x12 }},
		{name: "no stack", change: func(s *stopped) { s.top = 0 }},
		{name: "not at the end of a page", change: func(s *stopped) { s.top -= 4 }},
		{name: "bounds in the wrong order", change: func(s *stopped) { s.low, s.high = s.high, s.low }},
		{name: "a thread's stack of no size", change: func(s *stopped) { s.low = s.high }},
		{name: "too large a stack", change: func(s *stopped) { s.low -= mostStack }},
	} {
		s := good
		tt.change(&s)
		var want []process.DPCStack
		if tt.found {
			want = []process.DPCStack{{Top: uint64(s.top), Low: uint64(s.low), High: uint64(s.high)}}
		}
		kd := s.debuggerData(t, kerneldump.High(a, 0x60_0000))
		d := kerneldump.Dump{Layout: &cpu.ContextX86, Type: fullDump, PAE: true, Debugger: kd.Base(), Regs: kerneldump.At(a, kerneldump.High(a, 0x1_0000), kerneldump.High(a, 0x5008))}
		m := kerneldump.NewMemory(kerneldump.PAE)
		m.Write(kd.Base(), 0x70, kd.Build(t))
		d.Root = m.Root
		d.Runs, d.Body = m.Full()
		data := d.Build()
		order.PutUint32(data[0xc:], s.build)
		if got := openAll(t, data).Event.Deferred; !slices.Equal(got, want) {
			t.Errorf("%s, complete: %+v, want %+v", tt.name, got, want)
		}

		d.Type, d.Root, d.Runs = triageDump, 0, nil
		d.Body = kerneldump.Triage(t, a, nil, nil, kerneldump.Range{Base: kerneldump.High(a, 0x5000), Data: make([]byte, 64)}, kerneldump.Range{Base: kd.Base(), Data: kd.Build(t)})
		data = d.Build()
		order.PutUint32(data[0xc:], s.build)
		copies := len(data)
		data = append(append(data, s.block(t)...), s.thread(t)...)
		order.PutUint32(data[0x101c:], uint32(copies))
		order.PutUint32(data[0x1024:], uint32(copies+len(s.block(t))))
		if got := openAll(t, data).Event.Deferred; !slices.Equal(got, want) {
			t.Errorf("%s, small: %+v, want %+v", tt.name, got, want)
		}
		if got := openAll(t, data[:len(data)-4]).Event.Deferred; got != nil {
			t.Errorf("%s, truncated: %+v", tt.name, got)
		}
	}
}
