package minidump

import (
	"fmt"
	"strings"
)

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
