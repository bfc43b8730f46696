package disasm

import (
	"testing"
	"time"

	"crashglass/core/machine/cpu"
)

// panicking is a CPU with a decoder that panics.
var panicking = cpu.Arch{Name: "panicking"}

// TestPanicReleasesLock decodes after a decoder has panicked. A decoder that
// kept its lock would make every later call wait for ever.
func TestPanicReleasesLock(t *testing.T) {
	decoders[&panicking] = func([]byte, uint64) (cpu.Inst, bool) {
		inst, err := alone(func() (cpu.Inst, error) { panic("index out of range") })
		return inst, err == nil
	}
	defer delete(decoders, &panicking)
	if inst, ok := Decode(&panicking, []byte{0}, 0); ok {
		t.Fatalf("a decoder that panics gave %+v", inst)
	}
	for _, row := range []struct {
		arch *cpu.Arch
		code string
		text string
	}{
		{&cpu.ARM64, "c0035fd6", "ret"},
		{&cpu.ARM, "1eff2fe1", "bx lr"},
		{&cpu.PPC64, "4e800020", "blr"},
		{&cpu.RISCV64, "8280", "ret"},
	} {
		answered := make(chan cpu.Inst, 1)
		go func() {
			inst, _ := Decode(row.arch, unhex(t, row.code), 0)
			answered <- inst
		}()
		select {
		case inst := <-answered:
			if inst.Text != row.text {
				t.Errorf("%s: got %q, want %q", row.arch.Name, inst.Text, row.text)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: the next decode hangs", row.arch.Name)
		}
	}
}
