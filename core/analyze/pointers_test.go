package analyze

import (
	"fmt"
	"slices"
	"testing"

	"crashglass/core/report"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// pointersOf returns the values of a dump that may be addresses of code, each once.
func pointersOf(t *testing.T, b *dump.Builder) map[uint64]bool {
	t.Helper()
	s, err := Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[uint64]bool{}
	s.Pointers(func(addr uint64) { out[addr] = true })
	return out
}

// stacked is a thread with a stack at 0x10000 whose words are their own addresses.
func stacked(t *testing.T, processor uint16, size int, regs map[string]uint64) *dump.Builder {
	b := dump.New().System(processor, dump.Linux, "")
	word := 8
	if processor == dump.X86 {
		word = 4
	}
	stack := asm.At(0x10000)
	for stack.Here() < 0x10000+uint64(size) {
		stack.Word(word, 0xabc00000+stack.Here())
	}
	return b.Thread(dump.Thread{ID: 1, Context: b.Context(t, processor, regs), StackBase: 0x10000, Stack: stack.Build(t)})
}

// Registers, and the words of a stack from the red zone on, may be addresses. Words below the red
// zone belong to calls that have returned.
func TestPointers(t *testing.T) {
	const red, sp = 288, 0x10400
	got := pointersOf(t, stacked(t, dump.AMD64, 0x800, map[string]uint64{"rsp": sp, "rip": 0x1111, "r15": 0x2222}))
	for addr, want := range map[uint64]bool{
		0x1111: true, 0x2222: true, sp: true,
		0xabc00000 + sp:           true,
		0xabc00000 + sp - red:     true,
		0xabc00000 + sp - red - 8: false,
		0xabc00000 + 0x107f8:      true, // the last word
		0xabc00000 + 0x10800:      false,
	} {
		if got[addr] != want {
			t.Errorf("%#x: %v", addr, got[addr])
		}
	}
	// With a stack pointer outside of the stack, all of the stack counts.
	for _, sp := range []uint64{0, 0x10000, 0x10000 + red - 1, 0x10800, 1<<64 - 8} {
		if got := pointersOf(t, stacked(t, dump.AMD64, 0x800, map[string]uint64{"rsp": sp})); !got[0xabc10000] || !got[0xabc107f8] {
			t.Errorf("rsp %#x: the whole stack is not looked at", sp)
		}
	}
	if got := pointersOf(t, stacked(t, dump.X86, 0x100, map[string]uint64{"esp": 0x10000})); !got[0xabc10004] || !got[0xabc100fc] {
		t.Errorf("words of four bytes: %v", got)
	}
	if got := pointersOf(t, stacked(t, dump.AMD64, 0x10, map[string]uint64{"rsp": 0x10004})); !got[0xabc10000] {
		t.Errorf("a stack pointer between words: %v", got)
	}
}

// An address of arm64 may have a signature in its upper 16 bits.
func TestSignedPointers(t *testing.T) {
	const signed, plain = 0x0012_7f00_0000_1234, 0x7f00_0000_1234
	if got := pointersOf(t, stacked(t, dump.ARM64, 0x100, map[string]uint64{"lr": signed, "sp": 0x10000})); !got[signed] || !got[plain] {
		t.Errorf("%v", got)
	}
	if got := pointersOf(t, stacked(t, dump.AMD64, 0x100, map[string]uint64{"rax": signed})); !got[signed] || got[plain] {
		t.Errorf("amd64: %v", got)
	}
}

// The last message of a program is in one of several annotations. The crash info of macOS'
// libraries has precedence.
func TestReadMessage(t *testing.T) {
	annotated := func(pairs ...string) (list []report.Annotation) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, report.Annotation{Name: pairs[i], Value: pairs[i+1]})
		}
		return list
	}
	mac := func(messages ...*string) *report.MacCrash {
		info := &report.MacCrash{}
		for _, m := range messages {
			info.Records = append(info.Records, report.MacCrashRecord{Message: m})
		}
		return info
	}
	for _, tt := range []struct {
		name string
		r    report.Report
		want string
	}{
		{"nothing", report.Report{}, ""},
		{"Chromium", report.Report{Annotations: annotated("x", "y", "LOG_FATAL", "check failed\n")}, "check failed"},
		{"Android", report.Report{Annotations: annotated("abort_message", " stack corruption ")}, "stack corruption"},
		{"Mozilla", report.Report{Annotations: annotated("MozCrashReason", "MOZ_CRASH()")}, "MOZ_CRASH()"},
		{"an empty one", report.Report{Annotations: annotated("LOG_FATAL", "", "MozCrashReason", "why")}, "why"},
		{"other letters", report.Report{Annotations: annotated("log_fatal", "x")}, ""},
		{"macOS", report.Report{Annotations: annotated("LOG_FATAL", "x"), MacCrashInfo: mac(nil, ptr(" abort() called\n"), ptr("later"), ptr("last"))}, "later"},
		{"macOS, nothing but abort's", report.Report{MacCrashInfo: mac(ptr("abort() called"))}, "abort() called"},
		{"macOS without a message", report.Report{Annotations: annotated("LOG_FATAL", "x"), MacCrashInfo: mac(nil)}, "x"},
	} {
		s := withMemory(t, nil)
		if s.readMessage(&tt.r); s.message != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, s.message, tt.want)
		}
	}
}

// Facebook's streams of text are annotations under their names.
func TestFacebookTexts(t *testing.T) {
	b := dump.New()
	for i, kind := range []uint32{0xface_dead, 0xface_cafe} {
		b.Stream(kind, b.Section().Text(fmt.Sprint("text ", i)))
	}
	var got []string
	for _, a := range reportOf(t, b).Annotations {
		if a.Name != a.Source {
			t.Errorf("%+v", a)
		}
		got = append(got, a.Value)
	}
	if !slices.Equal(got, []string{"text 0", "text 1"}) {
		t.Errorf("%q", got)
	}
}
