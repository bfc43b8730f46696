package waits

import "crashglass/core/cpu"

// A blocking is a system call that can block.
type blocking struct {
	name string
	kind Kind
	fd   bool // its first argument is the file descriptor of the wait
}

var (
	bFutex   = blocking{"futex", Futex, false}
	bPoll    = blocking{"poll", Poll, false}
	bSelect  = blocking{"select", Poll, false}
	bEpoll   = blocking{"epoll_wait", Poll, false}
	bSleep   = blocking{"nanosleep", Sleep, false}
	bRead    = blocking{"read", Read, true}
	bReadv   = blocking{"readv", Read, true}
	bWrite   = blocking{"write", Write, true}
	bWritev  = blocking{"writev", Write, true}
	bRecv    = blocking{"recvfrom", Read, true}
	bRecvMsg = blocking{"recvmsg", Read, true}
	bSend    = blocking{"sendto", Write, true}
	bSendMsg = blocking{"sendmsg", Write, true}
	bAccept  = blocking{"accept", Accept, true}
	bConnect = blocking{"connect", Connect, true}
	bWait    = blocking{"wait4", Child, false}
	bWaitID  = blocking{"waitid", Child, false}
	bSigWait = blocking{"rt_sigtimedwait", Signal, false}
	bSuspend = blocking{"rt_sigsuspend", Signal, false}
	bPause   = blocking{"pause", Signal, false}
	bFlock   = blocking{"flock", FileLock, true}
	bMsg     = blocking{"msgrcv", Message, false}
	bMQ      = blocking{"mq_timedreceive", Message, true}
	bSem     = blocking{"semop", Semaphore, false}
	bEvents  = blocking{"io_getevents", IO, false}
	bRing    = blocking{"io_uring_enter", IO, false}
)

// blockingCalls are the system calls of Linux that block, by their numbers.
// Sources: Linux, arch/x86/entry/syscalls/syscall_64.tbl and syscall_32.tbl,
// arch/arm/tools/syscall.tbl, include/uapi/asm-generic/unistd.h.
var blockingCalls = map[*cpu.Arch]map[uint64]blocking{
	&cpu.AMD64: {
		0: bRead, 1: bWrite, 7: bPoll, 19: bReadv, 20: bWritev, 23: bSelect, 34: bPause, 35: bSleep, 42: bConnect, 43: bAccept, 44: bSend, 45: bRecv,
		46: bSendMsg, 47: bRecvMsg, 61: bWait, 65: bSem, 70: bMsg, 73: bFlock, 128: bSigWait, 130: bSuspend, 202: bFutex, 208: bEvents, 220: bSem,
		230: bSleep, 232: bEpoll, 243: bMQ, 247: bWaitID, 270: bSelect, 271: bPoll, 281: bEpoll, 288: bAccept, 299: bRecvMsg, 426: bRing, 441: bEpoll,
	},
	&cpu.X86: {
		3: bRead, 4: bWrite, 7: bWait, 29: bPause, 82: bSelect, 114: bWait, 142: bSelect, 143: bFlock, 145: bReadv, 146: bWritev, 162: bSleep, 168: bPoll,
		177: bSigWait, 179: bSuspend, 240: bFutex, 247: bEvents, 256: bEpoll, 267: bSleep, 280: bMQ, 284: bWaitID, 308: bSelect, 309: bPoll, 319: bEpoll,
		337: bRecvMsg, 362: bConnect, 364: bAccept, 369: bSend, 370: bSendMsg, 371: bRecv, 372: bRecvMsg, 401: bMsg, 407: bSleep, 413: bSelect, 414: bPoll,
		417: bRecvMsg, 419: bMQ, 420: bSem, 421: bSigWait, 422: bFutex, 426: bRing, 441: bEpoll,
	},
	&cpu.ARM: {
		3: bRead, 4: bWrite, 29: bPause, 114: bWait, 142: bSelect, 143: bFlock, 145: bReadv, 146: bWritev, 162: bSleep, 168: bPoll, 177: bSigWait,
		179: bSuspend, 240: bFutex, 245: bEvents, 252: bEpoll, 265: bSleep, 277: bMQ, 280: bWaitID, 283: bConnect, 285: bAccept, 290: bSend, 292: bRecv,
		296: bSendMsg, 297: bRecvMsg, 298: bSem, 302: bMsg, 312: bSem, 335: bSelect, 336: bPoll, 346: bEpoll, 365: bRecvMsg, 366: bAccept,
		407: bSleep, 413: bSelect, 414: bPoll, 417: bRecvMsg, 419: bMQ, 420: bSem, 421: bSigWait, 422: bFutex, 426: bRing, 441: bEpoll,
	},
	&cpu.ARM64:   generic,
	&cpu.RISCV64: generic,
	&cpu.RISCV:   generic,
}

var generic = map[uint64]blocking{
	4: bEvents, 22: bEpoll, 32: bFlock, 63: bRead, 64: bWrite, 65: bReadv, 66: bWritev, 72: bSelect, 73: bPoll, 95: bWaitID, 98: bFutex, 101: bSleep,
	115: bSleep, 133: bSuspend, 137: bSigWait, 183: bMQ, 188: bMsg, 192: bSem, 193: bSem, 202: bAccept, 203: bConnect, 206: bSend, 207: bRecv,
	211: bSendMsg, 212: bRecvMsg, 242: bAccept, 243: bRecvMsg, 260: bWait, 407: bSleep, 413: bSelect, 414: bPoll, 417: bRecvMsg, 419: bMQ, 420: bSem,
	421: bSigWait, 422: bFutex, 426: bRing, 441: bEpoll,
}

// A convention has the registers of Linux' system calls on a CPU. Source: syscall(2).
type convention struct {
	number string   // the register with the number
	args   []string // the first arguments
	result string
}

var conventions = map[*cpu.Arch]convention{
	&cpu.AMD64:   {"rax", []string{"rdi", "rsi", "rdx", "r10"}, "rax"},
	&cpu.X86:     {"eax", []string{"ebx", "ecx", "edx", "esi"}, "eax"},
	&cpu.ARM:     {"r7", []string{"r0", "r1", "r2", "r3"}, "r0"},
	&cpu.ARM64:   {"x8", []string{"x0", "x1", "x2", "x3"}, "x0"},
	&cpu.RISCV:   {"a7", []string{"a0", "a1", "a2", "a3"}, "a0"},
	&cpu.RISCV64: {"a7", []string{"a0", "a1", "a2", "a3"}, "a0"},
}
