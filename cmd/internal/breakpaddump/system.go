package breakpaddump

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"crashglass/core/dump/minidump"
)

// cpuNames and osNames are Breakpad's names of CPUs and systems. Source: minidump.cc, GetCPU and
// GetOS; it has no name for MIPS.
var (
	cpuNames = map[minidump.Processor]string{
		minidump.ProcessorX86: "x86", minidump.ProcessorX86On64: "x86", minidump.ProcessorAMD64: "x86-64",
		minidump.ProcessorPPC: "ppc", minidump.ProcessorPPC64: "ppc64", minidump.ProcessorSPARC: "sparc",
		minidump.ProcessorARM: "arm", minidump.ProcessorARM64: "arm64", minidump.ProcessorARM64Old: "arm64",
		minidump.ProcessorRISCV: "riscv", minidump.ProcessorRISCV64: "riscv64",
	}
	osNames = map[minidump.Platform]string{
		minidump.PlatformWindows: "windows", minidump.PlatformWindows9: "windows", minidump.PlatformMac: "mac",
		minidump.PlatformIOS: "ios", minidump.PlatformLinux: "linux", minidump.PlatformSolaris: "solaris",
		minidump.PlatformAndroid: "android", minidump.PlatformPS3: "ps3", minidump.PlatformNaCl: "nacl",
		minidump.PlatformFuchsia: "fuchsia",
	}
)

// systemInfo writes MINIDUMP_SYSTEM_INFO.
//
// Source: minidump.cc, MinidumpSystemInfo::Print.
func systemInfo(p *printer) {
	s, _ := p.f.SystemInfo()
	if s == nil {
		return
	}
	x86 := s.Processor == minidump.ProcessorX86 || s.Processor == minidump.ProcessorX86On64
	p.rows("MDRawSystemInfo", 42, []row{
		{"processor_architecture", "%s", fmt.Sprintf("0x%x (%s)", uint16(s.Processor), cpuNames[s.Processor])},
		{"processor_level", "%d", s.Level},
		{"processor_revision", "0x%x", s.Revision},
		{"number_of_processors", "%d", s.Processors},
		{"product_type", "%d", uint8(s.ProductType)},
		{"major_version", "%d", int32(s.Major)},
		{"minor_version", "%d", int32(s.Minor)},
		{"build_number", "%d", int32(s.Build)},
		{"platform_id", "%s", fmt.Sprintf("0x%x (%s)", uint32(s.Platform), osNames[s.Platform])},
		{"csd_version_rva", "0x%x", s.CSDVersionRVA},
		{"suite_mask", "0x%x", s.SuiteMask},
	})
	p.cpuInfo(s, x86)
	p.more(42, []row{
		{"(csd_version)", "%s", orNull(s.CSDVersion, s.CSDVersionRVA != 0)},
		{"(cpu_vendor)", "%s", orNull(vendor(s, p.f.Order()), x86)},
	})
	p.text("\n")
}

// cpuInfo writes both members of CPU_INFORMATION, as the original does. Only one of them has a meaning: the
// words of CPUID on x86, and two words of feature bits on any other CPU.
func (p *printer) cpuInfo(s *minidump.SystemInfo, x86 bool) {
	order, validity, words := p.f.Order(), "invalid", otherWords
	if x86 {
		validity, words = "valid", x86Words
	}
	p.printf("  cpu.x86_cpu_info (%s):\n", validity)
	values := words(s, order)
	for i, name := range []string{"vendor_id[0]", "vendor_id[1]", "vendor_id[2]", "version_information", "feature_information", "amd_extended_cpu_features"} {
		p.more(42, []row{{"cpu.x86_cpu_info." + name, "0x%x", values[i]}})
	}
	if x86 {
		return
	}
	p.text("  cpu.other_cpu_info (valid):\n")
	for i := range 2 {
		p.more(42, []row{{fmt.Sprintf("cpu.other_cpu_info.processor_features[%d]", i), "0x%x", order.Uint64(s.CPU[8*i:])}})
	}
}

// x86Words returns the union as six words.
func x86Words(s *minidump.SystemInfo, order binary.ByteOrder) (out [6]uint32) {
	for i := range out {
		out[i] = order.Uint32(s.CPU[4*i:])
	}
	return out
}

// otherWords does the same for other CPUs, whose member of the union is two words of 64 bits. In a
// big-endian dump the halves of each change places; the words after them stay unchanged.
func otherWords(s *minidump.SystemInfo, order binary.ByteOrder) [6]uint32 {
	out := x86Words(s, binary.LittleEndian)
	for i := range 2 {
		feature := order.Uint64(s.CPU[8*i:])
		out[2*i], out[2*i+1] = uint32(feature), uint32(feature>>32)
	}
	return out
}

// vendor returns CPUID's name of the manufacturer, such as "GenuineIntel": the text in the first three words, least significant byte first.
func vendor(s *minidump.SystemInfo, order binary.ByteOrder) string {
	var text []byte
	words := x86Words(s, order)
	for _, w := range words[:3] {
		text = binary.LittleEndian.AppendUint32(text, w)
	}
	text, _, _ = bytes.Cut(text, []byte{0})
	return string(text)
}

// orNull quotes a text, or returns "(null)" for a text that is absent. An empty text has quotes.
func orNull(s string, there bool) string {
	if !there {
		return "(null)"
	}
	return quoted(s)
}
