package crash

import "fmt"

// maxPID is PID_MAX_LIMIT of include/linux/threads.h: no process of Linux has
// a larger number.
const maxPID = 4 << 20

// sender reads which process sent a signal. si_pid and si_uid lie where si_addr would
// be, which is what Breakpad writes as the exception's address; on 32 bits that
// is si_pid alone. Crashpad writes both as parameters for signals that are
// never faults. Sources: include/uapi/asm-generic/siginfo.h,
// exception_snapshot_linux.cc.
func (s *state) sender() Sender {
	e := s.e
	if len(e.Params) >= 2 && !faultSignals[s.signal()] && e.Params[0] != 0 {
		return s.senderOf(e.Params[0], e.Params[1], true)
	}
	pc, ok := s.pc()
	if ok && pc == s.at() || s.in.Arch == nil {
		return Sender{}
	}
	uid := s.at() >> 32
	// A user of 0 is root, or what a writer leaves that has 32 bits of the address.
	return s.senderOf(s.at()&0xffff_ffff, uid, s.in.Arch.Word == 8 && uid != 0)
}

// senderOf is a sender, if the number can be that of a process.
func (s *state) senderOf(pid, uid uint64, user bool) Sender {
	if pid == 0 || pid > maxPID {
		return Sender{}
	}
	out := Sender{PID: uint32(pid), Self: s.in.PID != 0 && uint32(pid) == s.in.PID}
	if user && uid <= 0xffff_ffff {
		out.UID, out.KnowsUser = uint32(uid), true
	}
	return out
}

// text names a sender in prose.
func (p Sender) text() string {
	switch {
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
