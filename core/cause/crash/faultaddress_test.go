package crash

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const (
	xchg     = "48 87 07"    // xchg qword [rdi], rax
	callMem  = "ff 10"       // call qword [rax]
	loadPair = "a5"          // movsd: reads [rsi], writes [rdi]
	fldEnv   = "d9 20"       // fldenv [rax], of a size that depends on the mode
	addStore = "01 03"       // add [rbx], eax
	leaRBX   = "48 8d 43 10" // lea rax, [rbx + 0x10]
)

// The record and the instruction name one address each. The instruction counts only if one of its
// accesses must have failed and the record's address is none of them.
func TestWhichAddress(t *testing.T) {
	const bad, worse = 0x9000_0000, 0x9_0000_0000
	at := func(code string, reported uint64) *scene {
		return crashAt(t, code).reg(cpu.RAX, bad).reg(cpu.RBX, bad).reg(cpu.RSI, heapBase).reg(cpu.RDI, bad).fault(reported)
	}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"both agree", "Write to unmapped address 0x90000000", at(movStore, bad)},
		{"the record has the last byte of the access", "Write to unmapped address 0x90000003", at(movStore, bad+3)},
		{"the byte behind it: the instruction must have failed", "Write to unmapped address 0x90000000", at(movStore, bad+4)},
		{"the instruction's address is good: the record counts", "Access to unmapped address 0x900000000", at(movStore, worse).reg(cpu.RAX, heapBase)},
		{"the record says 0, and the instruction's address is good", "Null pointer access", at(movStore, 0).reg(cpu.RAX, heapBase)},
		{"the record says 0, and the instruction's address is bad", "Write to unmapped address 0x90000000", at(movStore, 0)},
		{"read-only memory, written to", "Write to read-only memory", at(movStore, worse).reg(cpu.RAX, codeAddr)},
		{"read-only memory, read: the record counts", "Access to unmapped address 0x900000000", at(movLoad, worse).reg(cpu.RBX, codeAddr)},
		{"memory that cannot be read", "Read from inaccessible address 0x91000010",
			at(movLoad, worse).reg(cpu.RBX, 0x9100_0000).region(process.Region{Start: 0x9100_0000, Last: 0x91ff_ffff})},
		{"free memory", "Read from unmapped address 0x91000010",
			at(movLoad, worse).reg(cpu.RBX, 0x9100_0000).region(process.Region{Start: 0x9100_0000, Last: 0x91ff_ffff, Access: "r--", State: process.Free})},
		{"memory that is captured, though not listed", "Access to unmapped address 0x900000000", at(movLoad, worse).put(bad+0x10, 1)},
		{"two accesses: the one that must have failed", "Write to unmapped address 0x90000000", at(loadPair, worse)},
		{"two accesses, both good", "Access to unmapped address 0x900000000", at(loadPair, worse).reg(cpu.RDI, heapBase)},
		{"the record's address is where the call goes, whose stack is bad, too", "Access to unmapped address 0x900000000",
			at(callMem, worse).reg(cpu.RAX, heapBase).put(heapBase, worse).reg(cpu.RSP, bad)},
		{"the stack of the call is bad", "Write to unmapped address 0x8ffffff8", at(callMem, worse).reg(cpu.RAX, heapBase).put(heapBase, codeAddr).reg(cpu.RSP, bad)},
		{"the record's address is the program counter: execution failed", "Jump to a bad address", at(movStore, codeAddr).with(func(in *Input) { in.Frames[0].ModuleIndex = nil })},
		{"no list of mappings: the instruction is not believed", "Access to unmapped address 0x900000000", at(movStore, worse).bare()},
		{"no list, but an address that nothing has", "Null pointer write", at(movStore, worse).reg(cpu.RAX, 0x20).bare()},
		{"no list, and the record says 0: the only access counts", "Write to unmapped address 0x90000000", at(movStore, 0).bare()},
		{"no list, the record says 0, and two accesses", "Null pointer access", at(loadPair, 0).bare()},
		{"an access whose size is not known reaches a page", "Read from unmapped address 0x90000fff", at(fldEnv, bad+0xfff)},
		{"and no byte more", "Read from unmapped address 0x90000000", at(fldEnv, bad+0x1000)},
		{"lea accesses nothing", "Access to unmapped address 0x900000000", at(leaRBX, worse)},
	}
	for _, tt := range tests {
		if got := Verdict(tt.s.Input, Analyze(tt.s.Input)).What; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Writers that do not know the address leave the program counter or 0 in its place. Code at the
// program counter is executable, so it is not what failed.
func TestProgramCounterInPlace(t *testing.T) {
	const unknown = "The address is not known: the writer of the dump put the program counter in its place"
	lldb := func(code string) *scene { return crashAt(t, code).fault(codeAddr).raise("linux", sigSEGV, siUser) }
	tests := []struct {
		name string
		want bool
		s    *scene
	}{
		{name: "in code, by the list of mappings", want: true, s: lldb("")},
		{name: "in code, by the modules", want: true, s: lldb("").bare()},
		{name: "in no code that is known", s: lldb("").bare().with(func(in *Input) { in.Modules = nil })},
		{name: "in data", s: lldb("").with(func(in *Input) { in.Regions[0].Access = "r--" })},
		{name: "in no mapping", s: lldb("").with(func(in *Input) { in.Regions = in.Regions[1:] })},
		{name: "another address", s: lldb("").fault(codeAddr + 1)},
		{name: "the kernel tells the reason", s: lldb("").raise("linux", sigSEGV, segvAccErr)},
		{name: "another system", s: lldb("").raise("mac", excBadAccess, 0)},
		{name: "the program counter is null", s: lldb("").reg(cpu.RIP, 0).fault(0).region(process.Region{Start: 0, Last: 0xffff, Access: "--x"})},
		{name: "the program counter is not known", s: lldb("").with(func(in *Input) { in.Regs = &cpu.Regs{} }).fault(0)},
	}
	for _, tt := range tests {
		if got := strings.Contains(said(t, tt.s), unknown); got != tt.want {
			t.Errorf("%s: %s", tt.name, said(t, tt.s))
		}
	}
}

// A non-canonical address is reported as 0, or by Crashpad on macOS as the program counter. The
// instruction has it.
func TestUnreportedAddress(t *testing.T) {
	const bad = 0x1234_5678_9abc_def0
	const yes = "Write to a non-canonical address"
	mac := func(flags uint32) *scene {
		return crashAt(t, movStore).reg(cpu.RAX, bad).fault(codeAddr).raise("mac", excBadAccess, flags)
	}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"Linux", yes, crashAt(t, movStore).reg(cpu.RAX, bad).gpf()},
		{"a writer without si_code", yes, crashAt(t, movStore).reg(cpu.RAX, bad).raise("linux", sigSEGV, 0)},
		{"and a canonical address", "Write to unmapped address 0x90000000", crashAt(t, movStore).reg(cpu.RAX, 0x9000_0000).raise("linux", sigSEGV, 0)},
		{"the instruction accesses 0, too", "Null pointer read", crashAt(t, loadPair).reg(cpu.RSI, 0).reg(cpu.RDI, bad).raise("linux", sigSEGV, 0)},
		{"another address is reported", yes, crashAt(t, movStore).reg(cpu.RAX, bad).fault(0x9000_0000)},
		{"Windows reports 0 only for 0", yes, crashAt(t, movStore).reg(cpu.RAX, bad).windows(1, 0)},
		{"Crashpad on macOS", yes, mac(i386GPFault)},
		{"and the code that is two permissions", yes, mac(vmReadExecute)},
		{"another code: execution failed", "Jump to a bad address", mac(kernInvalidAddress)},
		{"another CPU: execution failed", "Jump to a bad address", crashAt(t, "").on(&cpu.ARM64).fault(codeAddr).raise("mac", excBadAccess, i386GPFault)},
		{"another address", "Access to unmapped address 0x90000000", mac(i386GPFault).reg(cpu.RAX, heapBase).fault(0x9000_0000)},
		{"a call that goes there", "Jump to a bad address", crashAt(t, callReg).reg(cpu.RAX, bad).gpf()},
		{"a call by a bad pointer to a function: the read failed", "Read from a non-canonical address", crashAt(t, callMem).reg(cpu.RAX, bad).gpf()},
		{"a call through good memory", "Jump to a bad address", crashAt(t, callMem).reg(cpu.RAX, heapBase).put(heapBase, bad).gpf()},
		{"a call through memory with a good address: not known", "Invalid pointer access", crashAt(t, callMem).reg(cpu.RAX, heapBase).put(heapBase, codeAddr).gpf()},
	}
	for _, tt := range tests {
		if got := Verdict(tt.s.Input, Analyze(tt.s.Input)).What; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Whether it read or wrote: by the instruction, unless that does both and the system knows more.
func TestKindOfAccess(t *testing.T) {
	const at = 0x9000_0000
	in := func(code string) *scene {
		return crashAt(t, code).reg(cpu.RBX, at).reg(cpu.RDI, at).reg(cpu.RAX, at).fault(at)
	}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"a store", "Write to", in(movStore)},
		{"a load", "Read from", in(movLoad).fault(at + 0x10)},
		{"both: a write needs more than a read", "Write to", in(xchg)},
		{"both, and Windows says read", "Read from", in(xchg).windows(0, at)},
		{"both, and Windows says write", "Write to", in(xchg).windows(1, at)},
		{"add reads and writes", "Write to", in(addStore)},
		{"a load, and Windows says write", "Read from", in(movLoad).windows(1, at+0x10)},
		{"no code", "Access to", in("")},
		{"no code, and Windows says write", "Write to", in("").windows(1, at)},
		{"no code, and Windows says execute: the address is not the program counter", "Jump to", in("").windows(8, at)},
		{"a load by a register that is not known", "Read from", crashAt(t, "4d 8b 00").fault(at)},
		{"a store by one", "Write to", crashAt(t, "4d 89 00").fault(at)},
		{"both by one", "Access to", crashAt(t, "4d 01 00").fault(at)},
		{"an in-page error of a read", "Read from", in("").raise("windows", inPageError, 0, 0, at)},
		{"Fuchsia: the error code of x86, 0 for a read", "Read from", in("").raise("fuchsia", fuchsiaPageFault, 4)},
		{"bit 1 for a write", "Write to", in("").raise("fuchsia", fuchsiaPageFault, 6)},
		{"bit 4 for execution", "Jump to", in("").raise("fuchsia", fuchsiaPageFault, 0x14)},
		{"another exception of Fuchsia has no such code", "Access to", in("").raise("fuchsia", fuchsiaUnaligned, 6)},
		{"Fuchsia: the syndrome of arm64, a data abort that writes", "Write to", in("").on(&cpu.ARM64).raise("fuchsia", fuchsiaPageFault, 0x24<<26|1<<6)},
		{"a data abort that reads", "Read from", in("").on(&cpu.ARM64).raise("fuchsia", fuchsiaPageFault, 0x24<<26)},
		{"an instruction abort", "Jump to", in("").on(&cpu.ARM64).raise("fuchsia", fuchsiaPageFault, 0x20<<26)},
		{"another syndrome", "Access to", in("").on(&cpu.ARM64).raise("fuchsia", fuchsiaPageFault, 0x15<<26|1<<6)},
		{"another CPU", "Access to", in("").on(&cpu.RISCV64).raise("fuchsia", fuchsiaPageFault, 6)},
	}
	for _, tt := range tests {
		s := factsOf(tt.s.Input, Analyze(tt.s.Input))
		if got := s.accessTo("x"); got != tt.want+" x" {
			t.Errorf("%s: %s, want %s x", tt.name, got, tt.want)
		}
	}
}

// The register that the address was made of, of two the nearer one.
func TestPointerOfTwoRegisters(t *testing.T) {
	const indexed = "8b 04 88"           // mov eax, [rax + rcx*4]
	const relative = "8b 05 00 00 00 00" // mov eax, [rip]
	const narrow = "67 8b 03"            // mov eax, [ebx]
	const unscaled = "48 8b 04 0b"       // mov rax, [rbx + rcx]
	at := func(code string, regs ...uint64) *scene {
		s := crashAt(t, code)
		for i, r := range []cpu.Reg{cpu.RAX, cpu.RBX, cpu.RCX}[:len(regs)] {
			s.reg(r, regs[i])
		}
		return s
	}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"the base", "rbx", at(movLoad, 0, 0x9000_0000).fault(0x9000_0010)},
		{"the nearer of two", "rcx", at(unscaled, 0, 8, 0x9000_0000).fault(0x9000_0008)},
		{"the nearer of two is the base", "rbx", at(unscaled, 0, 0x9000_0000, 8).fault(0x9000_0008)},
		{"of two equal ones the base", "rbx", at(unscaled, 0, 0x4800_0000, 0x4800_0000).fault(0x9000_0000)},
		{"a null base, though the index is nearer", "rax", at(indexed, 0, 0, 0x10).fault(0x40)},
		{"relative to the program counter", "", at(relative).fault(codeAddr + 6)},
		{"registers of 32 bits in an address: their upper halves do not count", "", at(narrow, 0, 0x9000_0000).fault(0x9000_0000)},
		{"the index is not known, and so is the address", "", at(unscaled, 0, 0x9000_0000).fault(0x9000_0008)},
		{"the record has an address that is not the instruction's", "", at(movStore, heapBase).fault(0x9000_0000)},
		{"the signal was sent", "", at(movStore, 0x9000_0000).raise("linux", sigSEGV, siTkill)},
	}
	for _, tt := range tests {
		if got := Analyze(tt.s.Input).PointerRegister; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestPointerRegister(t *testing.T) {
	tests := []struct {
		name, code string
		regs       map[cpu.Reg]uint64
		address    uint64
		want       string
	}{
		{"the base of a field", "48 8b 43 10", map[cpu.Reg]uint64{cpu.RBX: 0x4e3c9}, 0x4e3d9, "rbx"},                                        // mov rax, [rbx + 0x10]
		{"of base and index the nearer one", "48 8b 04 cf", map[cpu.Reg]uint64{cpu.RDI: 0x4e389, cpu.RCX: 8}, 0x4e3c9, "rdi"},               // mov rax, [rdi + rcx * 8]
		{"an element of null: the base, not the index", "48 8b 04 cf", map[cpu.Reg]uint64{cpu.RDI: 0, cpu.RCX: 8}, 0x40, "rdi"},             // mov rax, [rdi + rcx * 8]
		{"the other access failed", "ff 14 cf", map[cpu.Reg]uint64{cpu.RDI: 0x5000_0000, cpu.RCX: 7, cpu.RSP: 0x6f_fff8}, 0x6f_fff0, "rsp"}, // call [rdi + rcx * 8]
		{"no register", "48 8b 04 25 40 00 00 00", nil, 0x40, ""},                                                                           // mov rax, [0x40]
		{"relative to the code", "48 8b 05 00 00 10 00", nil, codeAddr + 7 + 0x10_0000, ""},                                                 // mov rax, [rip + 0x100000]
		{"a register that was not saved", "48 8b 43 10", nil, 0x4e3d9, ""},                                                                  // mov rax, [rbx + 0x10]
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := crashAt(t, tt.code).raise("linux", sigSEGV, segvMapErr)
			s.Exception.Address = tt.address
			for r, v := range tt.regs {
				s.reg(r, v)
			}
			if got := Analyze(s.Input).PointerRegister; got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestAccessed: the address is the one whose access failed. Other exceptions have none, although their instruction touches memory.
func TestAccessed(t *testing.T) {
	const push = "55" // push rbp
	tests := []struct {
		name string
		s    *scene
		want string
	}{
		{"a field", crashAt(t, "48 8b 43 10").reg(cpu.RBX, 0x4e3c9).raise("linux", sigSEGV, segvMapErr), "0x4e3d9"},               // mov rax, [rbx + 0x10]
		{"abort, beside a write", crashAt(t, "c7 04 24 00 00 00 00").reg(cpu.RSP, stackLow+0x100).raise("linux", sigABRT, 0), ""}, // mov dword [rsp], 0
		{"a breakpoint of Windows, beside a write", crashAt(t, "c7 04 24 00 00 00 00").reg(cpu.RSP, stackLow+0x100).raise("windows", 0x8000_0003, 0), ""},
		{"a stack overflow without parameters", crashAt(t, push).reg(cpu.RSP, stackLow+8).raise("windows", stackOverflow, 0), fmt.Sprintf("%#x", uint64(stackLow))},
		{"its instruction makes two accesses", crashAt(t, "ff 30").reg(cpu.RSP, stackLow+8).reg(cpu.RAX, heapBase).raise("windows", stackOverflow, 0), ""}, // push [rax]
		{"its parameters have the address", crashAt(t, push).reg(cpu.RSP, stackLow+8).raise("windows", stackOverflow, 0, 1, stackLow), fmt.Sprintf("%#x", uint64(stackLow))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.s.Exception.Code == sigSEGV && tt.want != "" {
				tt.s.Exception.Address = 0x4e3d9
			}
			a, got := Analyze(tt.s.Input), ""
			if a.HasAccessed {
				got = fmt.Sprintf("%#x", a.Accessed)
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
