package elfcore

import (
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/corefile"
)

// A signal handler runs on a stack of its own at 0x10000; the interrupted code was on one at
// 0x20000. A dump of stacks has both.
func TestInterruptedStack(t *testing.T) {
	const alt, stack = 0x1_0000, 0x2_0000
	notes := asm.At(0)
	note(notes, "CORE", 1, corefile.Status(t, 1, 11, 0x40_1000, alt+0x600))
	frame := asm.At(alt).Zeros(0x700).
		U64(0x40_2000). // the return address of the handler: __restore_rt
		U64(6, 0).      // uc_flags, uc_link
		U64(alt, 0, 0x1000).
		Zeros(15*8). // r8 to rcx
		U64(stack+0x800, 0x40_3000)
	frame.Zeros(0x1000 - len(frame.Build(t)))
	data := notes.Build(t)
	core := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, 3, 0, 0, 0)
	core.U32(4, 0).Ref("notes").U64(0, 0, uint64(len(data)), 0, 4)
	core.U32(1, 6).Ref("alt").U64(alt, 0, 0x1000, 0x1000, 0x1000)
	core.U32(1, 6).Ref("stack").U64(stack, 0, 0x1000, 0x1000, 0x1000)
	core.Mark("notes").Bytes(data).Mark("alt").Bytes(frame.Build(t)).Mark("stack").Zeros(0x800).U64(0xfeed).Zeros(0x7f8)

	memory, _ := converted(t, open(t, core.Build(t)).Process, false).Memory()
	for _, r := range memory.Ranges() {
		t.Logf("%#x bytes at %#x", r.Size, r.Base)
	}
	if v, ok := memory.Word(stack+0x800, 8); !ok || v != 0xfeed {
		t.Errorf("the interrupted stack has %#x, %v", v, ok)
	}
	if _, ok := memory.Word(stack, 8); ok {
		t.Error("memory below the interrupted stack pointer is kept, too")
	}
}
