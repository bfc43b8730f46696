package crash

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// region puts a region into the list, which stays sorted.
func (s *scene) region(r process.Region) *scene {
	i, _ := slices.BinarySearchFunc(s.Regions, r.Start, func(g process.Region, start uint64) int {
		if g.Start < start {
			return -1
		}
		return 1
	})
	s.Regions = slices.Insert(s.Regions, i, r)
	return s
}

// bare takes the list of regions from a dump.
func (s *scene) bare() *scene {
	s.Regions = nil
	return s
}

// second is the second sentence of a verdict: the evidence behind the mechanism.
func second(s *scene) string {
	for _, f := range Analyze(s.Input).Findings {
		if len(f.Evidence) > 1 {
			return f.Evidence[1]
		}
	}
	return ""
}

// What is closest to an unmapped address, at most 64 KiB away. Memory behind which it lies is more
// probable than memory in front of which it lies: arrays grow upwards.
func TestNeighbours(t *testing.T) {
	const end = heapBase + 0xffff
	free := process.Region{Start: end + 1, Last: end + 0x2000, State: process.Free}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"the first byte behind the heap", "It lies 0 bytes behind the end of [heap].", load(t, end+1)},
		{"a few bytes behind it", "It lies 16 bytes behind the end of [heap].", load(t, end+17)},
		{"64 KiB behind it", "It lies 65535 bytes behind the end of [heap].", load(t, end+0x1_0000)},
		{"one byte further", "Nothing is mapped there.", load(t, end+0x1_0001)},
		{"in front of the heap", "It lies 8 bytes in front of [heap].", load(t, heapBase-8)},
		{"64 KiB in front of it", "It lies 65536 bytes in front of [heap].", load(t, heapBase-0x1_0000)},
		{"one byte further in front", "Nothing is mapped there.", load(t, heapBase-0x1_0001)},
		{"between two, both near", "It lies 240 bytes behind the end of app.",
			load(t, appBase+0x1_00f0).region(process.Region{Start: appBase + 0x1_0200, Last: appBase + 0x1_0fff, Access: "r--", Name: "x"})},
		{"behind free memory", "It lies 8192 bytes behind the end of [heap].", load(t, end+0x2001).region(free)},
		{"in free memory that is listed", "It lies 255 bytes behind the end of [heap].", load(t, end+0x100).region(free)},
		{"in front of everything", "Nothing is mapped there.", load(t, 0x2_0000)},
		{"behind everything", "Nothing is mapped there.", load(t, stackHigh+0x100_0000)},
	}
	for _, tt := range tests {
		if got := second(tt.s); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// What the list of mappings says about the address, and the kernel's code where it says nothing.
func TestFindRegion(t *testing.T) {
	const at = 0x70_0000
	in := func(s *scene, rwx string) *scene {
		return s.region(process.Region{Start: at, Last: at + 0xf_ffff, Access: rwx, Name: "m"})
	}
	flags := func(s *scene, code, flags uint32) *scene {
		s.Exception.Code, s.Exception.Flags = code, flags
		return s
	}
	tests := []struct {
		name, want, sentence string
		s                    *scene
	}{
		{"nothing there", "unmapped! 1.00", "", load(t, at)},
		{"a free range of Windows", "unmapped! 1.00", "", load(t, at).windows(0, at).region(process.Region{Start: at, Last: at + 0xfff, State: process.Free})},
		{"a small free range beside memory is no guard: Windows lists what is left of each 64 KiB", "unmapped! 1.00", "It lies 16 bytes behind the end of [heap].",
			load(t, heapBase+0x1_0010).windows(0, heapBase+0x1_0010).region(process.Region{Start: heapBase + 0x1_0000, Last: heapBase + 0x1_0fff, State: process.Free})},
		{"a write to data that is read only", "read_only! 1.00", "The memory from 0x700000 to 0x7fffff, in m, can only be read.", in(store(t, at), "r")},
		{"a write to code", "read_only! 1.00", "The memory from 0x700000 to 0x7fffff, in m, can be read and executed, but not written to.", in(store(t, at), "rx")},
		{"a read of it, which the list allows", "inconsistent 0.50", "", in(load(t, at), "r")},
		{"a read of code that can only be executed", "", "", in(flags(load(t, at), sigSEGV, segvAccErr), "x")},
		{"a range without permissions", "inaccessible! 1.00", "The memory from 0x700000 to 0x7fffff is reserved and allows nothing.", in(load(t, at), "")},
		{"a small range without permissions beside memory", "guard_page! 0.80",
			"The page has no permissions and is adjacent to accessible memory: it is there to catch out-of-bounds accesses.",
			load(t, heapBase+0x1_0010).region(process.Region{Start: heapBase + 0x1_0000, Last: heapBase + 0x1_0fff})},
		{"a protection key", "inaccessible! 1.00", "A memory protection key does not allow the access.", in(flags(load(t, at), sigSEGV, 4), "r")},
		{"the same number of another signal is BUS_MCEERR_AR", "broken_memory! 1.00", "", in(flags(load(t, at), sigBUS, 4), "r")},
		{"a guard page of Windows, whose permissions allow the access", "guard_page! 1.00", "A guard page was accessed for the first time.",
			in(load(t, at).raise("windows", guardPage, 0, 0, at), "rw")},
		{"a guard page of Windows, although the instruction reads elsewhere", "guard_page! 1.00", "A guard page was accessed for the first time.",
			load(t, 0x10).raise("windows", guardPage, 0, 0, 0x5000)},
		{"an access violation without parameters", "", "", load(t, at).raise("windows", accessViolation, 0)},
		{"the kernel refused an access that the list allows", "inconsistent 0.50",
			"The kernel reports SIGSEGV / SEGV_ACCERR, and the list of mappings has m at the address, which allows the access: the list or the registers are of another moment.",
			in(flags(load(t, at), sigSEGV, segvAccErr), "r")},
		{"a bounds check failed: no contradiction", "", "", in(flags(load(t, at), sigSEGV, 3), "r")},
		{"the list has what the kernel did not find", "inconsistent 0.50",
			"The kernel reports SIGSEGV / SEGV_MAPERR, and the list of mappings has m at the address: the list or", in(crashAt(t, "").fault(at), "r")},
		{"it is not known whether it read or wrote: no contradiction", "", "", in(flags(crashAt(t, "").fault(at), sigSEGV, segvAccErr), "r")},
		{"the kernel found a mapping that the list lacks", "read_only! 1.00", "The mapping at the address does not allow the access.", flags(load(t, at), sigSEGV, segvAccErr)},
		{"memory that was captured is mapped", "inconsistent 0.50", "", load(t, at).put(at, 1)},
		{"Windows refused an access that the list allows", "inconsistent 0.50", "", in(load(t, at).windows(0, at), "r")},

		{"no list: SEGV_MAPERR", "unmapped! 1.00", "Nothing is mapped at the address.", load(t, at).bare()},
		{"no list: SEGV_ACCERR", "read_only! 1.00", "The mapping at the address does not allow the access.", flags(load(t, at), sigSEGV, segvAccErr).bare()},
		{"no list: another code", "", "", flags(load(t, at), sigSEGV, 3).bare()},
		{"no list: SIGBUS has the same numbers", "file_gone! 0.90", "", flags(load(t, at), sigBUS, 2).bare()},
		{"no list: Android", "unmapped! 1.00", "Nothing is mapped at the address.", load(t, at).raise("android", sigSEGV, segvMapErr).bare()},
		{"no list: KERN_INVALID_ADDRESS", "unmapped! 1.00", "Nothing is mapped at the address.", load(t, at).raise("mac", excBadAccess, kernInvalidAddress).bare()},
		{"no list: KERN_PROTECTION_FAILURE", "read_only! 1.00", "The mapping at the address does not allow the access.",
			load(t, at).raise("ios", excBadAccess, kernProtectionFailure).bare()},
		{"no list: another code of Mach", "", "", load(t, at).raise("mac", excBadAccess, 50).bare()},
		{"no list: Windows", "inaccessible! 1.00", "The dump has no list of mappings, so it is not known whether the memory was free or protected.",
			load(t, at).windows(0, at).bare()},
	}
	for _, tt := range tests {
		if got := found(t, tt.s); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if got := second(tt.s) + Verdict(tt.s.Input, Analyze(tt.s.Input)).Detail; tt.sentence != "" && !strings.Contains(got, tt.sentence) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.sentence)
		}
	}
}

// A failed authentication leaves an error code in the upper bits: 62:61, or 54:53 if the upper byte
// is ignored. Source: ARM ARM, aarch64/functions/pac, AArch64.Auth.
func TestPointerAuthentication(t *testing.T) {
	const ldr = "01 08 40 f9" // ldr x1, [x0, #16]
	at := func(upper, addr uint64) *scene {
		return crashAt(t, ldr).on(&cpu.ARM64).reg(0, upper<<48|addr).fault(upper<<48 | addr + 0x10)
	}
	elsewhere := func(s *scene) *scene {
		s.Modules, s.Regions = nil, nil
		return s
	}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"the error code of key A", "pointer_authentication! 0.90", at(0x2000, heapBase)},
		{"of key B", "pointer_authentication! 0.90", at(0x4000, heapBase)},
		{"of key A, with a tag", "pointer_authentication! 0.90", at(0x0020, heapBase)},
		{"of key B, with a tag", "pointer_authentication! 0.90", at(0x0040, heapBase)},
		{"in a module that the list of mappings lacks", "pointer_authentication! 0.90", at(0x0040, appBase).with(func(in *Input) { in.Regions = in.Regions[1:] })},
		{"an error code, and no memory behind it", "unmapped! 1.00", at(0x2000, 0x9000_0000)},
		{"an error code, and memory that allows nothing", "unmapped! 1.00", at(0x2000, 0x9000_0000).region(process.Region{Start: 0x9000_0000, Last: 0x900f_ffff})},
		{"an error code, and free memory", "unmapped! 1.00",
			at(0x2000, 0x9000_0000).region(process.Region{Start: 0x9000_0000, Last: 0x900f_ffff, Access: "r--", State: process.Free})},
		{"no module and no mapping is known", "unmapped! 1.00", elsewhere(at(0x2000, heapBase))},
		{"a signature", "pointer_authentication! 0.60", at(0x0071, heapBase)},
		{"two bits are no signature", "unmapped! 1.00", at(0x0060, heapBase)},
		{"three bits", "pointer_authentication! 0.60", at(0x0070, heapBase)},
		{"the kernel's half", "unmapped! 1.00", at(0xffff, heapBase)},
		{"a signature, and no memory behind it", "unmapped! 1.00", at(0x0071, 0x9000_0000)},
		{"the same bits on amd64", "non_canonical! 0.95", crashAt(t, movLoad).reg(cpu.RBX, 0x2000<<48|heapBase-0x10).fault(0x2000<<48 | heapBase)},
		{"Apple tells it", "pointer_authentication! 1.00", at(0, heapBase).raise("ios", excBadAccess, armPACFail)},
		{"Apple's code on another system", "", at(0, 0x9000_0000).raise("linux", sigSEGV, armPACFail)},
		{"Apple's code of another exception", "", at(0, 0x9000_0000).raise("mac", excSoftware, armPACFail)},
	}
	for _, tt := range tests {
		got := found(t, tt.s)
		if tt.want == "" {
			if strings.Contains(got, string(PointerAuth)) {
				t.Errorf("%s: %s", tt.name, got)
			}
			continue
		}
		if first, _, _ := strings.Cut(got, ","); first != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// The codes of the memory tagging extension are of SIGSEGV, and of arm64 alone.
func TestMemoryTags(t *testing.T) {
	at := func(os process.OS, signal, code uint32, arch *cpu.Arch) *scene {
		return crashAt(t, "").on(arch).fault(heapBase+8).raise(os, signal, code)
	}
	tests := []struct {
		name string
		want bool
		s    *scene
	}{
		{name: "synchronous", want: true, s: at("linux", sigSEGV, segvMTESync, &cpu.ARM64)},
		{name: "asynchronous, without an address", want: true, s: at("android", sigSEGV, segvMTEAsync, &cpu.ARM64).fault(0)},
		{name: "another code", s: at("linux", sigSEGV, segvAccErr, &cpu.ARM64)},
		{name: "another signal", s: at("linux", sigBUS, segvMTESync, &cpu.ARM64)},
		{name: "another CPU", s: at("linux", sigSEGV, segvMTESync, &cpu.ARM)},
		{name: "another system", s: at("mac", sigSEGV, segvMTESync, &cpu.ARM64)},
	}
	for _, tt := range tests {
		if got := strings.Contains(found(t, tt.s), string(Tag)); got != tt.want {
			t.Errorf("%s: %s", tt.name, found(t, tt.s))
		}
	}
}

// Memory is named by its module, as the stack, or by its mapping.
func TestDescribe(t *testing.T) {
	s := crashAt(t, "")
	s.Modules = module.NewMap([]module.Module{{Base: appBase, Size: 0x1_0000, CodeFile: "/opt/app/bin/app"}})
	s.region(process.Region{Start: 0x70_0000, Last: 0x70_ffff, Access: "r--"})
	st := factsOf(s.Input, &Analysis{})
	for addr, want := range map[uint64]string{
		appBase: "app", appBase + 0xffff: "app", stackLow: "the stack", stackHigh - 1: "the stack", stackLow - 1: "mapped memory", stackHigh: "mapped memory",
		heapBase: "[heap]", libBase: "/usr/lib/libc.so.6", 0x70_0000: "mapped memory",
	} {
		if got := st.describe(addr); got != want {
			t.Errorf("%#x: %s, want %s", addr, got, want)
		}
	}
}
