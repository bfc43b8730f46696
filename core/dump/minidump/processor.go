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

// layouts has the context of each processor.
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
