package waits

import (
	"encoding/binary"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/process"
)

// FuzzFind takes any registers, memory and names of a process with three threads.
func FuzzFind(f *testing.F) {
	f.Add(uint8(0), uint8(0), "pthread_mutex_lock", make([]byte, 256))
	f.Add(uint8(1), uint8(1), "RtlEnterCriticalSection", []byte{0x0f, 0x05, 2, 0, 0, 0, 0, 0, 0, 0, 77, 0, 0, 0})
	f.Fuzz(func(t *testing.T, which, system uint8, function string, data []byte) {
		arch := cpu.All()[int(which)%len(cpu.All())]
		os := []string{"linux", "windows", "android", "mac"}[system%4]
		var regs cpu.Regs
		for i := range arch.Regs {
			if 8*i+8 <= len(data) {
				regs.Set(cpu.Reg(i), binary.LittleEndian.Uint64(data[8*i:])&arch.Mask())
			}
		}
		frame := spot{Functions: []string{function}, Module: "libc.so.6", System: true, Regs: &regs}
		in := &Input{OS: process.OS(os), Memory: built{0x5000: data}, Decode: disasm.Decode}
		for id := range uint32(3) {
			in.Threads = append(in.Threads, Thread{ID: id, Arch: arch, Regs: &regs, Frames: rows([]spot{frame, {}, frame})})
		}
		list := Find(in)
		rings := Cycles(list)
		for _, i := range Behind(list, rings) {
			if list[i] == nil {
				t.Error("a thread without a wait is behind a ring")
			}
		}
	})
}
