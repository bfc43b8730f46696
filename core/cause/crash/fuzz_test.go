package crash

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// FuzzAnalyze: any input gives an answer, with the cause first and every confidence in its range.
func FuzzAnalyze(f *testing.F) {
	f.Add(uint8(0), uint32(11), uint32(1), uint64(0), uint64(0x1000), []byte{0xc7, 0, 5, 0, 0, 0}, "middle", "")
	f.Add(uint8(1), uint32(0xc0000005), uint32(0), uint64(1), ^uint64(0), []byte{0xff, 0x10}, "__cxa_throw", "Assertion")
	f.Add(uint8(7), uint32(12), uint32(2<<29), uint64(1<<32), uint64(0xdddddddddddddddd), []byte{1, 8, 0x40, 0xf9}, "<<", "x")
	f.Add(uint8('a'), uint32(0xc0000013), uint32(0), uint64(1), ^uint64(174), []byte("0z\xff"), "__cxa_throw", "") // one element behind a mapping
	systems := []string{"linux", "windows", "mac", "ios", "android", ""}
	f.Fuzz(func(t *testing.T, which uint8, code, flags uint32, a, b uint64, bytes []byte, function, message string) {
		arches := append(cpu.All(), nil)
		s := &scene{bytes: map[uint64]byte{}}
		for i, v := range bytes {
			s.bytes[a+uint64(i)] = v
			s.bytes[b+uint64(i)] = v
		}
		in := &Input{
			OS: process.OS(systems[int(code)%len(systems)]), Arch: arches[int(which)%len(arches)], Memory: s, Decode: disasm.Decode,
			Exception: &Exception{Code: code, Flags: flags, Address: b, Params: []uint64{a & 15, b, a, b}},
			Regs:      &cpu.Regs{}, StackLow: a, StackHigh: b, TEB: a, Main: int(which) - 3, Assertion: message,
			Modules:  module.NewMap([]module.Module{{Base: a &^ 0xfff, Size: b, CodeFile: message}, {Base: b, Size: a, CodeFile: function}}),
			Unloaded: []module.Module{{Base: b, Size: a, CodeFile: function}},
			PID:      flags, Waiting: flags&1 != 0, Crashpad: flags&2 != 0, Annotations: []Annotation{{function, message}},
			File:    File{Size: int64(a), Need: int64(b), Defect: message, Threads: int(which)},
			Regions: []process.Region{{Start: min(a, b), Last: max(a, b), Access: []string{"---", "r--", "-w-", "rw-"}[a&3]}},
			Frames: rows([]spot{
				{Address: a, ModuleIndex: int(which)%3 - 1, Function: function, System: a&4 != 0},
				{Address: b, ModuleIndex: int(which) % 5, Function: message, Unloaded: function},
			}),
		}
		if in.Arch != nil {
			for i := range in.Arch.Regs {
				in.Regs.Set(cpu.Reg(i), a*uint64(i%3)+b*uint64(i&1))
			}
			in.Regs.Set(in.Arch.PC, a)
			in.Regs.Set(in.Arch.SP, b)
		}
		check(t, in)
		in.Regs, in.Regions, in.Memory = nil, nil, nil
		check(t, in)
		in.Exception = nil
		check(t, in)
	})
}

func check(t *testing.T, in *Input) {
	t.Helper()
	a := Analyze(in)
	v := Verdict(in, a)
	if v.Guess && (v.Frame < 0 || !in.Frames[v.Frame].Guess) || a.Event.Sender.PID > maxPID {
		t.Fatalf("verdict %+v, event %+v", v, a.Event)
	}
	if v.What == "" || v.Frame >= len(in.Frames) || (v.Frame < 0) != (v.Where == "") {
		t.Fatalf("verdict %+v", v)
	}
	for i, f := range a.Findings {
		if f.Cause && i > 0 || f.Confidence <= 0 || f.Confidence > 1 || f.Text == "" || len(f.Evidence) == 0 {
			t.Fatalf("finding %d: %+v", i, f)
		}
	}
	for _, b := range a.BitFlips {
		if b.Confidence < 0 || b.Confidence >= 1 { // 0 for the element behind a mapping
			t.Fatalf("bit flip %+v", b)
		}
	}
}
