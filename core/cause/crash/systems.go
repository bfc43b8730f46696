package crash

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// A system is what an operating system writes into the record of an exception.
type system struct {
	reason    func(e *Exception, arch *cpu.Arch) string // its name, as rust-minidump spells it; "" for an unknown one
	note      func(code, flags uint32) string           // one sentence about its meaning, "" if the name says all
	parameter func(e *Exception, i int) string          // the meaning of a word, "" for an unknown one

	memoryFault     func(s *facts) bool                     // it is about an access to memory
	protectionFault func(e *Exception, at uint64) bool      // it stands for a general protection fault
	divisionByZero  func(e *Exception, arch *cpu.Arch) bool // it is a division by zero
}

// systemOf returns what is known of a system. Of others nothing is.
func systemOf(os process.OS) *system {
	switch {
	case os.IsWindows():
		return &windowsSystem
	case os.IsLinux():
		return &linuxSystem
	case os.IsApple():
		return &appleSystem
	case os.IsFuchsia():
		return &fuchsiaSystem
	}
	return &otherSystem
}

var windowsSystem = system{
	reason:    func(e *Exception, _ *cpu.Arch) string { return windowsReason(e) },
	note:      func(code, _ uint32) string { return windowsNote(code) },
	parameter: func(e *Exception, i int) string { return windowsParameter(e.Code, i, e.Params[i]) },
	memoryFault: func(s *facts) bool {
		return s.e.Code == accessViolation || s.e.Code == inPageError || s.e.Code == guardPage || s.e.Code == stackOverflow
	},
	protectionFault: func(e *Exception, at uint64) bool {
		return e.Code == accessViolation && len(e.Params) > 0 && e.Params[0] == 0 && at == ^uint64(0)
	},
	divisionByZero: func(e *Exception, _ *cpu.Arch) bool { return e.Code == intDivideByZero },
}

var linuxSystem = system{
	reason:      func(e *Exception, _ *cpu.Arch) string { return linuxReason(e) },
	note:        signalNote,
	parameter:   func(e *Exception, i int) string { return wordOf(signalParameters(e), i) },
	memoryFault: func(s *facts) bool { return s.signal() == sigBUS || s.signal() == sigSEGV && s.e.Flags != segvControl },
	protectionFault: func(e *Exception, at uint64) bool {
		return (e.Code == sigSEGV || e.Code == sigBUS) && e.Flags == siKernel && at == 0
	},
	divisionByZero: func(e *Exception, _ *cpu.Arch) bool { return e.Code == sigFPE && e.Flags == fpeIntDiv },
}

var appleSystem = system{
	reason:          macReason,
	note:            machNote,
	parameter:       func(_ *Exception, i int) string { return wordOf(machParameters, i) },
	memoryFault:     func(s *facts) bool { return s.e.Code == excBadAccess },
	protectionFault: func(e *Exception, at uint64) bool { return e.Code == excBadAccess && e.Flags == i386GPFault && at == 0 },
	divisionByZero: func(e *Exception, arch *cpu.Arch) bool {
		family := macFamilyOf(arch)
		return e.Code == excArithmetic && (family == x86Mac && e.Flags == 1 || family == ppcMac && e.Flags == 2)
	},
}

var fuchsiaSystem = system{
	reason:          otherSystem.reason, // rust-minidump names none
	note:            func(code, _ uint32) string { return fuchsiaNotes.of(code) },
	parameter:       func(_ *Exception, i int) string { return wordOf(fuchsiaParameters, i) },
	memoryFault:     func(s *facts) bool { return s.e.Code == fuchsiaPageFault || s.e.Code == fuchsiaUnaligned },
	protectionFault: otherSystem.protectionFault,
	divisionByZero:  otherSystem.divisionByZero,
}

var otherSystem = system{
	reason:          func(*Exception, *cpu.Arch) string { return "" },
	note:            func(_, _ uint32) string { return "" },
	parameter:       func(*Exception, int) string { return "" },
	memoryFault:     func(*facts) bool { return false },
	protectionFault: func(*Exception, uint64) bool { return false },
	divisionByZero:  func(*Exception, *cpu.Arch) bool { return false },
}
