package sanitize

import (
	"bytes"
	"slices"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// Each masked place has a secret. None is reported as left, and a dump that was cleaned before has
// none at all.
func TestNothingLeftIsSaidOfWhatIsGone(t *testing.T) {
	b := crash(t, stack(nil, map[int]string{0x400: "password=hunter2"}))
	b.Name(1, "job password=hunter2")
	b.Stream(0x47670007, asm.At(0).Text("DB_PASSWORD=hunter2\x00"))
	b.Stream(0x47670009, asm.At(0).Text("400000-401000 r-xp 0 00:00 0 /srv/token=abcdef0123/app\n"))
	r, _ := clean(t, b.Build(t), Options{})
	if left := staying(r); len(left) > 0 || len(r.Secrets) != 4 || bytes.Contains(r.Data, []byte("hunter2")) {
		t.Errorf("left %+v of %d", left, len(r.Secrets))
	}
	again, _ := clean(t, r.Data, Options{})
	if len(again.Secrets) > 0 {
		t.Errorf("a clean dump has %+v", again.Secrets)
	}
}

// All memory of stacks is kept by option: the secret there is reported once, as one that stays; the
// one in the environment is removed.
func TestWhatStaysIsSaid(t *testing.T) {
	b := crash(t, stack(nil, map[int]string{0x400: "password=hunter2"}))
	b.Stream(0x47670007, asm.At(0).Text("DB_PASSWORD=hunter2\x00"))
	r, _ := clean(t, b.Build(t), Options{Memory: true})
	want := []Secret{
		{Kind: "a password", Where: "stream LinuxEnviron"},
		{Kind: "a password", Where: "memory at 0x7ffe0409", Stays: true},
	}
	if !slices.Equal(r.Secrets, want) {
		t.Errorf("%+v, want %+v", r.Secrets, want)
	}
}

// A text in a register may explain the crash. It is masked, and still explains the crash.
func TestTextInRegisters(t *testing.T) {
	r, _ := clean(t, crashByText(t), Options{})
	if len(r.Secrets) > 0 || len(r.Changed) > 0 {
		t.Errorf("%+v, changed %q", r.Secrets, r.Changed)
	}
	if bytes.Contains(r.Data, []byte(" my seco")) || !bytes.Contains(r.Data, []byte("********")) {
		t.Error("the text is not masked")
	}
	after, err := open(t, r.Data).Report(nil, analyze.Options{})
	if err != nil || after.Verdict.What != "Text used as a pointer" {
		t.Errorf("the verdict is %q, %v", after.Verdict.What, err)
	}
}

func staying(r *Result) []Secret {
	return slices.DeleteFunc(slices.Clone(r.Secrets), func(s Secret) bool { return !s.Stays })
}

// crashByText writes to an address that is a text, as after an overflow: the
// report says which register it was.
func crashByText(t testing.TB) []byte {
	regs := map[string]uint64{"rip": appBase + 0x10, "rsp": stackBase + 0x80, "rbp": stackBase + 0x100, "rax": 0x6f63_6573_2079_6d20}
	ctx := dump.New().Context(t, dump.AMD64, regs)
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	b.Thread(dump.Thread{ID: 1, StackBase: stackBase, Stack: stack(nil, nil), Context: ctx})
	b.Module(dump.Module{Base: appBase, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3)})
	b.Memory(appBase, append(make([]byte, 0x10), 0x48, 0x89, 0x08, 0xc3)) // mov %rcx, (%rax)
	b.Exception(dump.Exception{Thread: 1, Code: 11, Flags: 0x80, Context: ctx})
	return b.Build(t)
}
