package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// glibc leaves the number of a page of its heap in freed memory, which a program then uses as a pointer.
func TestFreedByGlibc(t *testing.T) {
	const heap, page = 0x5555_5556_0000, 0x5_5555_5563
	loaded := func(v uint64, access string) *scene {
		return load(t, v+0x10).region(process.Region{Start: heap, Last: heap + 0x2_0fff, Access: access})
	}
	for _, tt := range []struct {
		name, want string
		s          *scene
	}{
		{"the number of a page", "poison! 0.90", loaded(page, "rw-")},
		{"with an offset", "poison! 0.90", loaded(page+0x20, "rw-")},
		{"of no page of it", "unmapped! 1.00", loaded(page+0x200, "rw-")},
		{"of memory that cannot be written to", "unmapped! 1.00", loaded(page, "r--")},
		{"another C library", "unmapped! 1.00", loaded(page, "rw-").with(func(in *Input) {
			in.Modules = module.NewMap([]module.Module{{Base: appBase, Size: 0x1_0000, CodeFile: "/opt/app/bin/app"}, {Base: libBase, Size: 0x10_0000, CodeFile: "/lib/ld-musl-x86_64.so.1"}})
		})},
		{"a stack", "unmapped! 1.00", loaded(page, "rw-").reg(cpu.RSP, heap+0x100)},
	} {
		if got, _, _ := strings.Cut(found(t, tt.s), ","); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// free reads what lies in front of the memory that it is given.
func TestFreeOfBadPointer(t *testing.T) {
	for function, want := range map[string]string{"!free": "heap_corruption! 0.80", "!realloc": "heap_corruption! 0.80", "!strlen": "unmapped! 1.00", "free": "unmapped! 1.00"} {
		if got, _, _ := strings.Cut(found(t, load(t, 0x9000_0000).stack(function, "work", "main")), ","); got != want {
			t.Errorf("%s: %s, want %s", function, got, want)
		}
	}
}

// Poison is in the register that the address was computed from, or in the address itself.
func TestPoison(t *testing.T) {
	const freedWord = 0xdddd_dddd_dddd_dddd
	x86 := func(v uint64) *scene { return crashAt(t, "8b 40 08").on(&cpu.X86).reg(cpu.EAX, v).fault(v + 8) }
	tests := []struct {
		name, want, why string
		s               *scene
	}{
		{"in the register", "poison! 0.90", "Register rbx holds 0xdddddddddddddddd: freed memory is filled with that by the debug heap of Visual C++.", crashAt(t, movLoad).reg(cpu.RBX, freedWord).gpf()},
		{"a pointer that was moved on: the address is near", "poison! 0.90", "The address holds 0xddddddddddddddee", crashAt(t, movLoad).reg(cpu.RBX, freedWord+1).gpf()},
		{"a pointer a page further on", "non_canonical! 0.95", "", crashAt(t, movLoad).reg(cpu.RBX, freedWord+0x1000).gpf()},
		{"in the address, with an offset", "poison! 0.60", "The address holds 0xdddddde5: freed memory is filled with that by the debug heap of Visual C++.", crashAt(t, "").fault(0xdddd_dde5)},
		{"in the address, with the largest offset", "poison! 0.60", "", crashAt(t, "").fault(0xdddd_dddd + 0x1000)},
		{"in the address, further away", "unmapped! 1.00", "", crashAt(t, "").fault(0xdddd_dddd + 0x1001)},
		{"a register that holds half of it", "poison! 0.60", "Register rbx holds 0xcdcdcdcd: uninitialised memory is filled with that by", crashAt(t, movLoad).reg(cpu.RBX, 0xcdcd_cdcd).fault(0xcdcd_cddd)},
		{"all of a register of 32 bits", "poison! 0.90", "Register eax holds 0xfeeefeee", x86(0xfeee_feee)},
		{"another value of 32 bits", "unmapped! 1.00", "", x86(0xfeee_fee0)},
		{"behind an allocation", "poison! 0.60", "no-man's-land memory is filled", crashAt(t, movLoad).reg(cpu.RBX, 0xfdfd_fdfd).fault(0xfdfd_fe0d)},
		{"poison in another register says nothing of this address", "unmapped! 1.00", "", load(t, 0x9000_0000).reg(cpu.RCX, freedWord)},
		{"the signal was sent", "signal_from_outside! 1.00", "", crashAt(t, movLoad).reg(cpu.RBX, freedWord).raise("linux", sigSEGV, siTkill)},
		{"no access failed", "divide_by_zero! 1.00", "", crashAt(t, "f7 f9").reg(cpu.RCX, 0).reg(cpu.RBX, freedWord).raise("linux", sigFPE, fpeIntDiv).fault(0xdddd_dddd)},
		{"the address is not known, and the register is", "poison! 0.90", "Register rbx", crashAt(t, "48 8b 1b").reg(cpu.RBX, freedWord).gpf()},
		{"no CPU is known", "", "", crashAt(t, "").fault(0xdddd_dddd).with(func(in *Input) { in.Arch = nil })},
	}
	for _, tt := range tests {
		got, _, _ := strings.Cut(found(t, tt.s), ",")
		if tt.want == "" {
			if strings.HasPrefix(got, "poison") {
				t.Errorf("%s: %s", tt.name, got)
			}
			continue
		}
		if got != tt.want || !strings.Contains(said(t, tt.s), tt.why) {
			t.Errorf("%s: %s. %s, want %s. %s", tt.name, got, said(t, tt.s), tt.want, tt.why)
		}
	}
}

// Text in place of a pointer: all bytes of the register are printable, in the byte order of the CPU.
func TestTextAsPointer(t *testing.T) {
	tests := []struct {
		name, want, why string
		s               *scene
	}{
		{"eight letters", "text_as_pointer! 0.90", `Register rax holds 0x6172747320746f6e, the bytes of "not stra": most likely a string was written over a pointer.`,
			crashAt(t, movStore).reg(cpu.RAX, 0x6172_7473_2074_6f6e).gpf()},
		{"spaces and tildes are the first and the last", "text_as_pointer! 0.90", `the bytes of " ~ ~ ~ ~"`, crashAt(t, movStore).reg(cpu.RAX, 0x7e20_7e20_7e20_7e20).gpf()},
		{"a line feed", "non_canonical! 0.95", "", crashAt(t, movStore).reg(cpu.RAX, 0x610a_7473_2074_6f6e).gpf()},
		{"a DEL", "non_canonical! 0.95", "", crashAt(t, movStore).reg(cpu.RAX, 0x617f_7473_2074_6f6e).gpf()},
		{"a letter beyond ASCII", "non_canonical! 0.95", "", crashAt(t, movStore).reg(cpu.RAX, 0x61c3_7473_2074_6f6e).gpf()},
		{"four letters fill half of a register", "unmapped! 1.00", "", load(t, 0x2074_6f6e)},
		{"four letters of a register of 32 bits", "text_as_pointer! 0.70", `Register eax holds 0x20746f6e, the bytes of "not "`, crashAt(t, "8b 40 08").on(&cpu.X86).reg(cpu.EAX, 0x2074_6f6e).fault(0x2074_6f76)},
		{"an address without a register", "text_as_pointer! 0.70", `The address holds 0x20746f6e, the bytes of "not "`, crashAt(t, "").on(&cpu.ARM).fault(0x2074_6f6e)},
		{"the same on PowerPC, which begins with the other end", "text_as_pointer! 0.70", `the bytes of " ton"`, crashAt(t, "").on(&cpu.PPC).fault(0x2074_6f6e)},
		{"on SPARC", "text_as_pointer! 0.70", `the bytes of " ton"`, crashAt(t, "").on(&cpu.SPARC).fault(0x2074_6f6e)},
		{"on PowerPC of 64 bits", "text_as_pointer! 0.90", `the bytes of "arts ton"`, crashAt(t, "").on(&cpu.PPC64).fault(0x6172_7473_2074_6f6e)},
		{"the address is not known", "non_canonical! 0.50", "", crashAt(t, "").gpf()},
		{"poison of letters is poison", "poison! 0.60", "jemalloc, of which no library is loaded", crashAt(t, movStore).reg(cpu.RAX, 0x5a5a_5a5a_5a5a_5a5a).gpf()},
		{"text in the program counter", "text_as_pointer! 0.90", `The address holds 0x6172747320746f6e`, crashAt(t, "").reg(cpu.RIP, 0x6172_7473_2074_6f6e).fault(0x6172_7473_2074_6f6e).stackUnknown(0x6172_7473_2074_6f6e)},
	}
	for _, tt := range tests {
		got, _, _ := strings.Cut(found(t, tt.s), ",")
		if got != tt.want || !strings.Contains(said(t, tt.s), tt.why) {
			t.Errorf("%s: %s. %s, want %s. %s", tt.name, got, said(t, tt.s), tt.want, tt.why)
		}
	}
}
