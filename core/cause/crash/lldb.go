package crash

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// lldbFlag in the exception's flags says that the parameters hold LLDB's description of the stop
// instead of numbers. Source: llvm/BinaryFormat/Minidump.h, Exception::LLDB_FLAG.
const lldbFlag = 0x4c4c_4442

// lldbCodes maps LLDB's sentences to values of si_code. All signals that were sent become SI_QUEUE,
// because SI_USER is 0, which also means unknown. Source:
// lldb/source/Plugins/Process/Utility/LinuxSignals.cpp.
var lldbCodes = []struct {
	text string
	code uint32
}{
	{"sent by kernel", siKernel}, {"sent by tkill", siTkill}, {"sent by", siQueue},
	{"address not mapped to object", segvMapErr}, {"invalid permissions for mapped object", segvAccErr},
	{"invalid address", siKernel}, {"sync tag check fault", segvMTESync}, {"control protection fault", segvControl},
	{"illegal alignment", busAdrAln}, {"illegal address", busAdrErr}, {"illegal op", 1},
	{"integer divide by zero", fpeIntDiv}, {"floating point divide by zero", fpeFltDiv},
}

// described reads LLDB's description of a signal, which has more information than the other fields,
// and converts it to the form of other writers: "signal SIGSEGV: address not mapped to object
// (fault address=0x10)", "signal SIGABRT: sent by tkill system call (sender pid=1, uid=0)".
func described(e *Exception) *Exception {
	text := lldbText(e)
	out := &Exception{Code: e.Code, Address: e.Address}
	for _, c := range lldbCodes {
		if strings.Contains(text, c.text) {
			out.Flags = c.code
			break
		}
	}
	if addr, ok := numberBehind(text, "fault address=0x", 16); ok {
		out.Address = addr
	}
	if pid, ok := numberBehind(text, "sender pid=", 10); ok {
		uid, _ := numberBehind(text, "uid=", 10)
		out.Address, out.Params = uid<<32|pid&0xffff_ffff, []uint64{pid, uid}
	}
	return out
}

// lldbText returns the text in the parameters, up to its first NUL.
func lldbText(e *Exception) string {
	var raw []byte
	for _, p := range e.Params[:min(len(e.Params), 15)] {
		raw = binary.LittleEndian.AppendUint64(raw, p)
	}
	text, _, _ := strings.Cut(string(raw), "\x00")
	return text
}

func numberBehind(text, name string, base int) (uint64, bool) {
	_, rest, ok := strings.Cut(text, name)
	if !ok {
		return 0, false
	}
	end := strings.IndexFunc(rest, func(c rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF", c) })
	if end >= 0 {
		rest = rest[:end]
	}
	v, err := strconv.ParseUint(rest, base, 64)
	return v, err == nil
}
