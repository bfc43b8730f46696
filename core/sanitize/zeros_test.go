package sanitize

import (
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// A divisor in memory stays only if it is 0, so that the new dump still proves a division by zero. Another one is
// data of the program, and without it the cause is not certain.
func TestDivisorInMemory(t *testing.T) {
	const divByZero, either = "Division by zero", "Division by zero, or division overflow"
	for divisor, want := range map[byte]string{0: divByZero, 5: either} {
		code := make([]byte, 64)
		copy(code[0x10:], "\xf7\x30") // div dword [rax]
		ctx := dump.New().Context(t, dump.AMD64, map[string]uint64{"rip": appBase + 0x10, "rsp": stackBase + 0x80, "rax": heapBase + 8})
		b := dump.New().System(dump.AMD64, dump.Linux, "")
		b.Thread(dump.Thread{ID: 1, StackBase: stackBase, Stack: stack(nil, nil), Context: ctx})
		b.Module(dump.Module{Base: appBase, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3)}).Memory(appBase, code)
		b.Stream(0x47670009, asm.At(0).Text("400000-401000 r-xp 0 00:00 0 /opt/app\n"))
		b.Memory(heapBase, []byte{1, 2, 3, 4, 5, 6, 7, 8, divisor, 0, 0, 0, 9, 9, 9, 9})
		b.Exception(dump.Exception{Thread: 1, Code: 8, Flags: 1, Address: appBase + 0x10, Context: ctx})
		out, f := clean(t, b.Build(t), Options{})
		after, err := open(t, out.Data).Report(nil, analyze.Options{})
		if err != nil || after.Verdict.What != want || (len(out.Changed) > 0) != (divisor != 0) {
			t.Errorf("divisor %d: %q, %v, want %q; changed: %q", divisor, after.Verdict.What, err, want, out.Changed)
		}
		m, _ := f.Memory()
		beside := make([]byte, 16)
		if m.Read(heapBase, beside); string(beside) != string(make([]byte, 16)) {
			t.Errorf("divisor %d: % x is left of the memory", divisor, beside)
		}
	}
}
