package crash

import "fmt"

// maxPID is PID_MAX_LIMIT of include/linux/threads.h: no process of Linux has
// a larger number.
const maxPID = 4 << 20

// sender reads which process sent a signal. si_pid and si_uid share their place with si_addr, which
// Breakpad writes as the exception's address; on 32 bits it has only si_pid. Crashpad writes both
// as parameters for signals that are never faults. Sources: include/uapi/asm-generic/siginfo.h,
// exception_snapshot_linux.cc.
func (s *facts) sender() Sender {
	e := s.e
	switch code := s.siCode(); {
	case code == siTimer:
		return Sender{Timer: true} // si_tid and si_overrun are in place of both
	case byKernel(code) && !faultSignals[s.signal()]:
		return Sender{Kernel: true}
	case len(e.Params) >= 2 && e.Params[0] != 0 && senderParams[s.signal()]:
		return s.senderOf(e.Params[0], e.Params[1], true)
	}
	pc, ok := s.pc()
	if ok && pc == s.at() || s.in.Arch == nil {
		return Sender{}
	}
	if s.in.Arch.Word != 8 {
		return s.senderOf(s.at(), 0, false)
	}
	pid, uid := s.at()&0xffff_ffff, s.at()>>32
	if s.in.BigEndian {
		pid, uid = uid, pid
	}
	// A user of 0 is root, or was left by a writer with 32 bits of the address.
	return s.senderOf(pid, uid, uid != 0)
}

// senderParams are the signals with the sender's process and user as parameters. Others have a
// timer, a file descriptor, or a system call there. Sources: ReadSiginfo of
// exception_snapshot_linux.cc; for SIGKILL Breakpad's linux_core_dumper.cc.
var senderParams = map[uint32]bool{
	1: true, 2: true, 3: true, sigABRT: true, sigKILL: true, 10: true, 12: true, 13: true, 15: true, 16: true, 24: true, 25: true, 30: true, sigEMT: true,
}

// senderOf returns a sender, if the number can be that of a process.
func (s *facts) senderOf(pid, uid uint64, user bool) Sender {
	if pid == 0 || pid > maxPID {
		return Sender{}
	}
	out := Sender{PID: uint32(pid), Self: s.in.PID != 0 && uint32(pid) == s.in.PID}
	if user && uid <= 0xffff_ffff {
		out.UID, out.KnowsUser = uint32(uid), true
	}
	return out
}

func (p Sender) text() string {
	switch {
	case p.Kernel:
		return "the kernel"
	case p.Timer:
		return "a timer"
	case p.Self:
		return "the program itself"
	case p.PID == 0:
		return "another process or thread"
	case p.KnowsUser && p.UID == 0:
		return fmt.Sprintf("process %d of root", p.PID)
	case p.KnowsUser:
		return fmt.Sprintf("process %d of user %d", p.PID, p.UID)
	}
	return fmt.Sprintf("process %d", p.PID)
}
