package minidump

import (
	"fmt"
	"strings"

	"crashglass/core/machine/cpu"
)

// A Processor is PROCESSOR_ARCHITECTURE_*. Source: winnt.h below 0x8000,
// Breakpad's minidump_format.h above.
type Processor uint16

// Processors that have a context of their own.
const (
	ProcessorX86      Processor = 0
	ProcessorMIPS     Processor = 1
	ProcessorPPC      Processor = 3
	ProcessorARM      Processor = 5
	ProcessorAMD64    Processor = 9
	ProcessorX86On64  Processor = 10 // IA32_ON_WIN64
	ProcessorARM64    Processor = 12
	ProcessorX86OnARM Processor = 14 // IA32_ON_ARM64
	ProcessorSPARC    Processor = 0x8001
	ProcessorPPC64    Processor = 0x8002
	ProcessorARM64Old Processor = 0x8003 // with the context that Breakpad used before Microsoft had one
	ProcessorMIPS64   Processor = 0x8004
	ProcessorRISCV    Processor = 0x8005
	ProcessorRISCV64  Processor = 0x8006
)

var layouts = layoutsByProcessor()

func layoutsByProcessor() map[Processor]*cpu.Layout {
	all := map[Processor]*cpu.Layout{}
	for _, l := range cpu.Layouts() {
		for _, p := range l.Processors {
			all[Processor(p)] = l
		}
	}
	return all
}

// Arch returns the CPU, or nil for an unknown one.
func (p Processor) Arch() *cpu.Arch {
	if l := layouts[p]; l != nil {
		return l.Arch
	}
	return nil
}

// String is the CPU's name, or the number in hex.
func (p Processor) String() string {
	if a := p.Arch(); a != nil {
		return a.Name
	}
	return fmt.Sprintf("processor %#x", uint16(p))
}

// CPUInfo describes the processor, or returns "" if the dump has only its name.
func (s *SystemInfo) CPUInfo() string {
	switch s.Processor.Arch() {
	case &cpu.X86:
		// Only x86 has the vendor; on amd64 Windows writes feature bits into these bytes.
		return strings.TrimLeft(s.vendor()+" "+s.family(), " ")
	case &cpu.AMD64:
		return s.family()
	case &cpu.ARM:
		return s.armInfo()
	}
	return ""
}

func (s *SystemInfo) family() string {
	return fmt.Sprintf("family %d model %d stepping %d", s.Level, s.Revision>>8, s.Revision&0xff)
}

// vendor returns the text of cpuid leaf 0: three words, whose lowest byte is the first character in
// any byte order of the dump.
func (s *SystemInfo) vendor() string {
	var b strings.Builder
	for i := range 3 {
		for w := s.word(i); w != 0; w >>= 8 {
			b.WriteByte(byte(w))
		}
	}
	return strings.ToValidUTF8(b.String(), "\ufffd")
}

// Implementers and parts of ARM's main id register; there is no complete list
// of either. Source: ARM Architecture Reference Manual, MIDR; Linux arch/arm.
var (
	armVendors = map[uint32]string{0x41: "ARM", 0x51: "Qualcomm", 0x56: "Marvell", 0x69: "Intel/Marvell"}
	armParts   = map[uint32]string{
		0x4100_c050: "Cortex-A5", 0x4100_c080: "Cortex-A8", 0x4100_c090: "Cortex-A9", 0x4100_c0f0: "Cortex-A15",
		0x4100_c140: "Cortex-R4", 0x4100_c150: "Cortex-R5",
		0x4100_b360: "ARM1136", 0x4100_b560: "ARM1156", 0x4100_b760: "ARM1176", 0x4100_b020: "ARM11-MPCore",
		0x4100_9260: "ARM926", 0x4100_9460: "ARM946", 0x4100_9660: "ARM966",
		0x5100_06f0: "Krait", 0x5100_00f0: "Scorpion",
	}
)

// armFeatures are the bits of AT_HWCAP, lowest first. Source: Linux,
// arch/arm/include/uapi/asm/hwcap.h.
var armFeatures = []string{
	"swp", "half", "thumb", "26bit", "fastmult", "fpa", "vfpv2", "edsp", "java", "iwmmxt", "crunch",
	"thumbee", "neon", "vfpv3", "vfpv3d16", "tls", "vfpv4", "idiva", "idivt",
}

// armInfo describes an ARM processor by its CPUID and ELF hardware capabilities.
func (s *SystemInfo) armInfo() string {
	var b strings.Builder
	fmt.Fprintf(&b, "ARMv%d", s.Level)
	if id := s.word(0); id != 0 {
		vendor, ok := armVendors[id>>24]
		if !ok {
			vendor = fmt.Sprintf("vendor(%#x)", id>>24)
		}
		part, ok := armParts[id&0xff00_fff0]
		if !ok {
			part = fmt.Sprintf("part(%#x)", id&0xff00_fff0)
		}
		fmt.Fprintf(&b, " %s %s", vendor, part)
	}
	var has []string
	for i, name := range armFeatures {
		if s.word(1)&(1<<i) != 0 {
			has = append(has, name)
		}
	}
	if len(has) > 0 {
		fmt.Fprintf(&b, " features: %s", strings.Join(has, ","))
	}
	return b.String()
}
