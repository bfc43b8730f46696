package crash

import (
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

func parameters(e *Exception, in *Input) []Parameter {
	var out []Parameter
	for i, v := range e.Params[:min(len(e.Params), 15)] {
		out = append(out, Parameter{Value: v, Meaning: systemOf(in.OS).parameter(e, i)})
	}
	return out
}

func wordOf(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// Sources: exception_snapshot_mac.cc, exception_snapshot_fuchsia.cc of Crashpad.
var (
	machParameters    = []string{"Mach exception", "code", "subcode"}
	fuchsiaParameters = []string{"exception", "error code or syndrome", "vector", "CR2"}
)

// signalParameters are the parameters that Crashpad writes for each signal, and Breakpad for SIGSYS
// and SIGKILL of core dumps. On mips and sparc neither writes any.
func signalParameters(e *Exception) []string {
	switch {
	case e.Flags == lldbFlag:
		return nil
	case e.Code == sigSYS:
		return []string{"system call", "CPU of the system call"}
	case e.Flags == siTimer || e.Code == 14 || e.Code == 26 || e.Code == 27:
		return []string{"timer", "overruns", "value"}
	case e.Code == 29:
		return []string{"band", "file descriptor"}
	case senderParams[e.Code]:
		return []string{"process", "user", "value"}
	}
	return nil
}

func windowsParameter(code uint32, i int, v uint64) string {
	switch {
	case (code == accessViolation || code == inPageError) && i == 0:
		return map[uint64]string{0: "read", 1: "write", 8: "execute"}[v]
	case code == inPageError && i == 2:
		return ntStatus(uint32(v))
	case code == stackBufferOverrun && i == 0:
		return fastFailName(uint32(v))
	}
	return wordOf(strings.Split(windowsParameters.of(code), ";"), i)
}

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
