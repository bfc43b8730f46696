package elfcore

import (
	"testing"

	"crashglass/core/testkit/asm"
)

// A small minidump has what the stack points to, in four steps: a rethrown object's header, the thrown object, its
// type, and the name of that. It has neither the fifth step, nor code, nor memory that nothing points to.
func TestReferencedMemory(t *testing.T) {
	const stack, heap, code = 0x7fff_e000, 0x2000_0000, 0x3000_0000
	c, err := read(source(coreOf(t, auxProgram,
		mapped{programHead(), 0x1000, 5},
		mapped{asm.At(heap).Zeros(0x1000).U64(heap + 0x3000).Zeros(0x1ff8).U64(heap + 0x5000).Zeros(0x1ff8).U64(heap + 0x7000).Zeros(0x1ff8).U64(heap + 0x2800).Zeros(0xff8), 0x8000, 6},
		mapped{asm.At(code).Zeros(0x1000), 0x1000, 5},
		mapped{asm.At(stack).Zeros(0x800).U64(heap+0x1000, code+0x800).Zeros(0x7f0), 0x1000, 6})))
	if err != nil {
		t.Fatal(err)
	}
	crashed := &thread{}
	crashed.regs.Set(c.machine.layout.Arch.SP, stack+0x700)
	c.threads = []*thread{crashed}
	memory, _ := converted(t, c.fill(), false).Memory()
	for addr, want := range map[uint64]bool{
		heap + 0x1000: true, heap + 0x1000 - 128: true, heap + 0x1000 + 383: true, heap + 0x3000: true, heap + 0x5000: true,
		heap + 0x7000: true, heap + 0x2800: false, heap + 0x2000: false, heap: false, code + 0x800: false,
	} {
		if _, _, has := memory.Range(addr); has != want {
			t.Errorf("memory at %#x is kept: %t, in %+v", addr, has, memory.Ranges())
		}
	}
}
