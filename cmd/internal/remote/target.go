package remote

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// A layout has a CPU's registers in the order of gdb.
type layout struct {
	architecture string // as gdb names it
	registers    []register
}

// A register is one of gdb's. Float registers come by their own name, others by that of package cpu.
type register struct {
	feature, name, own string
	bits               int
	kind               string // the type in the description
}

// rows are the features of each CPU, with the registers in gdb's order: "name", "name=own" if package cpu names it otherwise, and
// "name:bits" if it has another size than an address. Features that gdb does not need are left out. On x86 it takes a system for Linux only with
// the number of the system call (amd64_linux_init_abi).
//
// Source: the manual, appendix G.5, "Standard Target Features"; gdb/features/*.xml.
var rows = map[string]struct {
	architecture string
	features     []string
}{
	"amd64": {"i386:x86-64", []string{x86Core + "rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip eflags:32 " + x86Rest, x86Linux + "orig_rax"}},
	"x86":   {"i386", []string{x86Core + "eax ecx edx ebx esp ebp esi edi eip eflags " + x86Rest, x86Linux + "orig_eax"}},
	"arm":   {"arm", []string{"org.gnu.gdb.arm.core " + cpu.Numbered("r", 11) + "r11=fp r12 sp lr pc cpsr"}},
	"arm64": {"aarch64", []string{"org.gnu.gdb.aarch64.core " + cpu.Numbered("x", 29) + "x29=fp x30=lr sp pc cpsr:32"}},
	"riscv": {"riscv:rv32", []string{"org.gnu.gdb.riscv.cpu " + riscvRegisters}}, "riscv64": {"riscv:rv64", []string{"org.gnu.gdb.riscv.cpu " + riscvRegisters}},
	"mips": {"mips", mipsFeatures}, "mips64": {"mips:isa64", mipsFeatures},
	"ppc": {"powerpc:common", []string{ppcFeature}}, "ppc64": {"powerpc:common64", []string{ppcFeature}},
}

const (
	x86Core, x86Linux = "org.gnu.gdb.i386.core ", "org.gnu.gdb.i386.linux "

	x86Rest = "cs:32 ss:32 ds:32 es:32 fs:32 gs:32 st0:80 st1:80 st2:80 st3:80 st4:80 st5:80 st6:80 st7:80 " +
		"fctrl:32 fstat:32 ftag:32 fiseg:32 fioff:32 foseg:32 fooff:32 fop:32"
	riscvRegisters = "zero ra sp gp tp t0 t1 t2 fp=s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6 pc"
)

var (
	mipsFeatures = []string{
		"org.gnu.gdb.mips.cpu r0=zero r1=at r2=v0 r3=v1 r4=a0 r5=a1 r6=a2 r7=a3 r8=t0 r9=t1 r10=t2 r11=t3 r12=t4 r13=t5 r14=t6 r15=t7 " +
			"r16=s0 r17=s1 r18=s2 r19=s3 r20=s4 r21=s5 r22=s6 r23=s7 r24=t8 r25=t9 r26=k0 r27=k1 r28=gp r29=sp r30=fp r31=ra lo hi pc",
		"org.gnu.gdb.mips.cp0 status badvaddr cause",
		"org.gnu.gdb.mips.fpu " + cpu.Numbered("f", 32) + "fcsr fir",
	}
	ppcFeature = "org.gnu.gdb.power.core " + cpu.Numbered("r", 32) + "pc=srr0 msr=srr1 cr:32 lr ctr xer:32"
)

// layoutOf returns the registers of a process's CPU, nil for one that has no row here.
func layoutOf(p *process.Process) *layout {
	if p.Arch == nil || rows[p.Arch.Name].architecture == "" {
		return nil
	}
	row := rows[p.Arch.Name]
	out := &layout{architecture: row.architecture}
	for _, feature := range row.features {
		names := strings.Fields(feature)
		for _, name := range names[1:] {
			r := register{feature: names[0], bits: 8 * p.Arch.Word}
			var size string
			if name, size, _ = strings.Cut(name, ":"); size != "" {
				fmt.Sscan(size, &r.bits)
			}
			r.name, r.own, _ = strings.Cut(name, "=")
			if r.own == "" {
				r.own = r.name
			}
			if r.kind = fmt.Sprintf("int%d", r.bits); r.bits == 80 {
				r.kind = "i387_ext"
			}
			out.registers = append(out.registers, r)
		}
	}
	return out
}

// systems are the systems by gdb's names, for those of which it expects something. A gdb that was not built for Windows, as Debian's, refuses the
// registers of x86-64 for it.
var systems = map[process.OS]string{process.Linux: "GNU/Linux", process.Android: "GNU/Linux", process.Windows: "none", process.Mac: "Darwin", process.IOS: "Darwin"}

// description is the target description, in XML.
func (l *layout) description(os process.OS) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n<architecture>%s</architecture>\n", l.architecture)
	if name := systems[os]; name != "" {
		fmt.Fprintf(&b, "<osabi>%s</osabi>\n", name)
	}
	feature := ""
	for _, r := range l.registers {
		if r.feature != feature {
			if feature != "" {
				b.WriteString("</feature>\n")
			}
			feature = r.feature
			fmt.Fprintf(&b, "<feature name=\"%s\">\n", feature)
		}
		fmt.Fprintf(&b, "<reg name=\"%s\" bitsize=\"%d\" type=\"%s\"/>\n", r.name, r.bits, r.kind)
	}
	b.WriteString("</feature>\n</target>\n")
	return b.String()
}

// register returns a register of the current thread in hex, in the order of its bytes in memory: "xx" for each that is not known.
func (s *session) register(i int) string {
	r := s.cpu.registers[i]
	missing := strings.Repeat("xx", r.bits/8)
	if s.thread >= len(s.Process.Threads) || s.Process.Threads[s.thread].Registers == nil {
		return missing
	}
	regs := s.Process.Threads[s.thread].Registers
	if reg, ok := regs.Arch.Reg(r.own); ok {
		v, known := regs.Regs.Get(reg)
		if !known {
			return missing
		}
		var b [8]byte
		if s.Process.BigEndian {
			binary.BigEndian.PutUint64(b[:], v)
			return hex.EncodeToString(b[8-r.bits/8:])
		}
		binary.LittleEndian.PutUint64(b[:], v)
		return hex.EncodeToString(b[:r.bits/8])
	}
	if regs.Float != nil {
		if data, ok := regs.Float(r.own); ok && len(data) == r.bits/8 {
			return hex.EncodeToString(data)
		}
	}
	return missing
}
