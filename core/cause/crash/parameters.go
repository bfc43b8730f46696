package crash

// parameters gives the words of an exception record their meaning.
func parameters(e *Exception, in *Input) []Parameter {
	var out []Parameter
	for i, v := range e.Params[:min(len(e.Params), 15)] {
		out = append(out, Parameter{Value: v, Meaning: systemOf(in.OS).parameter(e, i)})
	}
	return out
}

// wordOf returns a word of a list, or "".
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
	return wordOf(windowsParameters[code], i)
}

// windowsParameters has the meanings of parameters, by exception code. Those of C++ are in the
// Visual C++ sources (ehdata.h), the delay loader's in delayimp.h.
var windowsParameters = map[uint32][]string{
	guardPage:       {"access", "address"},
	accessViolation: {"access", "address"},
	inPageError:     {"access", "address", "status"},
	cppException:    {"magic number", "thrown object", "type of the object", "module that threw it"},
	clrException:    {"HRESULT", "", "", "", "base of the runtime"},
	threadName:      {"type", "name", "thread", "flags"},
	0xc06d_007e:     {"delay load information"},
	0xc06d_007f:     {"delay load information"},
	outOfMemory:     {"bytes asked for"},
	heapCorruption:  {"HEAP_FAILURE_INFORMATION"},
	0xc000_027b:     {"stowed exceptions", "count"},
	triggered:       {"thread", "exception code"},
	delphiThrow:     {"address of the raise", "exception object"},
}
