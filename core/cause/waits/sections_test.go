package waits

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// sectionAt is a critical section that a thread holds once: debug record, lock count, recursion
// count, owner. Source: winnt.h, RTL_CRITICAL_SECTION.
func sectionAt(addr uint64, debug uint64, owner uint32) *asm.Section {
	return asm.At(addr).U64(debug).U32(0xffff_fffe, 1).U64(uint64(owner), 0, 0)
}

// waitingIn is a thread of Windows whose frames have stack pointers and rbx of their own.
func waitingIn(t *testing.T, memory pieces, frames ...string) scene {
	s := scene{arch: &cpu.AMD64, os: "windows", regs: "rip=401014 rsp=9000", memory: memory}
	for i, registers := range frames {
		f := spot{Functions: []string{"main"}, Module: "ntdll.dll", System: true}
		if i < 3 {
			f.Functions = []string{[]string{"NtWaitForAlertByThreadId", "RtlpWaitOnCriticalSection", "RtlEnterCriticalSection"}[i]}
		}
		if registers != "" {
			f.Regs = regs(t, &cpu.AMD64, registers)
		}
		s.frames = append(s.frames, f)
	}
	return s
}

// The address of a section is in a register of a waiting function or of its caller, or on the stack
// between them. Further out it is one that another function uses.
func TestSectionOnTheStack(t *testing.T) {
	const held, unknown = "critical_section 0x5000 windows held 77", "critical_section windows not_found"
	section := sectionAt(0x5000, ^uint64(0), 77)
	on := func(at uint64) pieces { return pieces{0x5000: section, at: asm.At(at).U64(0x5000)} }
	for _, tt := range []struct {
		name   string
		memory pieces
		frames []string
		want   string
	}{
		{"a register of the innermost frame", pieces{0x5000: section}, []string{"rsp=9000 rbx=5000", "rsp=9100", "rsp=9200", "rsp=9300"}, held},
		{"a register of RtlEnterCriticalSection", pieces{0x5000: section}, []string{"rsp=9000", "rsp=9100", "rsp=9200 rbx=5000", "rsp=9300"}, held},
		{"a register of its caller", pieces{0x5000: section}, []string{"rsp=9000", "rsp=9100", "rsp=9200", "rsp=9300 rbx=5000"}, held},
		{"a register of the caller's caller", pieces{0x5000: section}, []string{"rsp=9000", "rsp=9100", "rsp=9200", "rsp=9300", "rsp=9400 rbx=5000"}, unknown},
		{"the first word of the stack", on(0x9000), []string{"rsp=9000", "rsp=9100", "rsp=9200", "rsp=9300"}, held},
		{"the last word of the waiting functions", on(0x92f8), []string{"rsp=9000", "rsp=9100", "rsp=9200", "rsp=9300"}, held},
		{"the first word of their caller", on(0x9300), []string{"rsp=9000", "rsp=9100", "rsp=9200", "rsp=9300"}, unknown},
		{"the last word that is looked at", on(0x93f8), []string{"rsp=9000", "rsp=9100", "rsp=9200", "rsp=9900"}, held},
		{"a word further out", on(0x9400), []string{"rsp=9000", "rsp=9100", "rsp=9200", "rsp=9900"}, unknown},
		{"the caller has no registers", on(0x9100), []string{"rsp=9000", "rsp=9100", "rsp=9200", ""}, unknown},
		{"the innermost frame has none", on(0x9100), []string{"", "rsp=9100", "rsp=9200", "rsp=9300"}, unknown},
		{"the waiting function is the outermost frame", on(0x9100), []string{"rsp=9000", "rsp=9100", "rsp=9200"}, unknown},
		{"stack pointers in the wrong order", on(0x9100), []string{"rsp=9200", "rsp=9100", "rsp=9100", "rsp=9000"}, unknown},
		{"a stack at the end of the address space", on(0x9100), []string{"rsp=fffffffffffffff8", "rsp=9100", "rsp=9200", "rsp=ffffffffffffffff"}, unknown},
	} {
		s := waitingIn(t, tt.memory, tt.frames...)
		if got := text(s.find(t)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Each word of a section must fit.
func TestSectionWords(t *testing.T) {
	const held, unknown = "critical_section 0x5000 windows held 77", "critical_section windows not_found"
	for _, tt := range []struct {
		name   string
		memory pieces
		want   string
	}{
		{"no debug record, as since Windows 8", pieces{0x5000: sectionAt(0x5000, ^uint64(0), 77)}, held},
		{"a debug record that points back", pieces{0x5000: sectionAt(0x5000, 0x6000, 77), 0x6000: asm.At(0x6000).U64(0, 0x5000)}, held},
		{"a debug record that is not captured", pieces{0x5000: sectionAt(0x5000, 0x6000, 77)}, held},
		{"a debug record of another section", pieces{0x5000: sectionAt(0x5000, 0x6000, 77), 0x6000: asm.At(0x6000).U64(0, 0x5008)}, unknown},
		{"an owner of more than 32 bits", pieces{0x5000: asm.At(0x5000).U64(^uint64(0)).U32(0xffff_fffe, 1).U64(1<<32 | 77)}, unknown},
		{"an owner that is no thread", pieces{0x5000: sectionAt(0x5000, ^uint64(0), 78)}, unknown},
		{"an owner that is this thread", pieces{0x5000: sectionAt(0x5000, ^uint64(0), 70)}, unknown},
		{"as often as can be", pieces{0x5000: asm.At(0x5000).U64(^uint64(0)).U32(0xffff_fffe, mostLevels).U64(77)}, held},
		{"more often", pieces{0x5000: asm.At(0x5000).U64(^uint64(0)).U32(0xffff_fffe, mostLevels+1).U64(77)}, unknown},
		{"never", pieces{0x5000: asm.At(0x5000).U64(^uint64(0)).U32(0xffff_fffe, 0).U64(77)}, unknown},
		{"truncated in front of the owner", pieces{0x5000: asm.At(0x5000).U64(^uint64(0)).U32(0xffff_fffe, 1)}, unknown},
		{"without its first word", pieces{0x5008: asm.At(0x5008).U32(0xffff_fffe, 1).U64(77)}, unknown},
		{"at an address that is not a multiple of 8", pieces{0x5000: asm.At(0x5000).U32(0).U64(^uint64(0)).U32(0xffff_fffe, 1).U64(77)}, unknown},
	} {
		s := waitingIn(t, tt.memory, "rsp=9000 rbx=5000 rdi=5004", "rsp=9100", "rsp=9200", "rsp=9300")
		if got := text(s.find(t)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
