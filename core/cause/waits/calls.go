package waits

import "crashglass/core/machine/cpu"

// A blocking is a system call that can block.
type blocking struct {
	name string
	kind Kind
	fd   bool // its first argument is the file descriptor of the wait
}

// callNumber is the index of a call in calls. The tables of this file are arrays of numbers, which need no code: the compiler fills maps by code
// of its own.
type callNumber uint8

const (
	_ callNumber = iota
	bFutex
	bPoll
	bSelect
	bEpoll
	bSleep
	bRead
	bReadv
	bWrite
	bWritev
	bRecv
	bRecvMsg
	bSend
	bSendMsg
	bAccept
	bConnect
	bWait
	bWaitID
	bSigWait
	bSuspend
	bPause
	bFlock
	bMsg
	bMQ
	bSem
	bEvents
	bRing
)

var calls = [...]blocking{
	bFutex:   {name: "futex", kind: Futex},
	bPoll:    {name: "poll", kind: Poll},
	bSelect:  {name: "select", kind: Poll},
	bEpoll:   {name: "epoll_wait", kind: Poll},
	bSleep:   {name: "nanosleep", kind: Sleep},
	bRead:    {name: "read", kind: Read, fd: true},
	bReadv:   {name: "readv", kind: Read, fd: true},
	bWrite:   {name: "write", kind: Write, fd: true},
	bWritev:  {name: "writev", kind: Write, fd: true},
	bRecv:    {name: "recvfrom", kind: Read, fd: true},
	bRecvMsg: {name: "recvmsg", kind: Read, fd: true},
	bSend:    {name: "sendto", kind: Write, fd: true},
	bSendMsg: {name: "sendmsg", kind: Write, fd: true},
	bAccept:  {name: "accept", kind: Accept, fd: true},
	bConnect: {name: "connect", kind: Connect, fd: true},
	bWait:    {name: "wait4", kind: Child},
	bWaitID:  {name: "waitid", kind: Child},
	bSigWait: {name: "rt_sigtimedwait", kind: Signal},
	bSuspend: {name: "rt_sigsuspend", kind: Signal},
	bPause:   {name: "pause", kind: Signal},
	bFlock:   {name: "flock", kind: FileLock, fd: true},
	bMsg:     {name: "msgrcv", kind: Message},
	bMQ:      {name: "mq_timedreceive", kind: Message, fd: true},
	bSem:     {name: "semop", kind: Semaphore},
	bEvents:  {name: "io_getevents", kind: IO},
	bRing:    {name: "io_uring_enter", kind: IO},
}

// blockingCall returns the system call of Linux with a number on a CPU, if it can block.
func blockingCall(arch *cpu.Arch, number uint64) (blocking, bool) {
	var call callNumber
	if table := blockingCalls(arch); number < uint64(len(table)) {
		call = table[number]
	}
	return calls[call], call != 0
}

// blockingCalls returns the system calls of Linux that block on a CPU, by their numbers; nil for other CPUs.
// Sources: Linux, arch/x86/entry/syscalls/syscall_64.tbl and syscall_32.tbl,
// arch/arm/tools/syscall.tbl, include/uapi/asm-generic/unistd.h.
func blockingCalls(arch *cpu.Arch) []callNumber {
	switch arch {
	case &cpu.AMD64:
		return amd64Calls[:]
	case &cpu.X86:
		return x86Calls[:]
	case &cpu.ARM:
		return armCalls[:]
	case &cpu.ARM64, &cpu.RISCV64, &cpu.RISCV:
		return genericCalls[:]
	}
	return nil
}

var amd64Calls = [...]callNumber{
	0: bRead, 1: bWrite, 7: bPoll, 19: bReadv, 20: bWritev, 23: bSelect, 34: bPause, 35: bSleep, 42: bConnect, 43: bAccept, 44: bSend, 45: bRecv,
	46: bSendMsg, 47: bRecvMsg, 61: bWait, 65: bSem, 70: bMsg, 73: bFlock, 128: bSigWait, 130: bSuspend, 202: bFutex, 208: bEvents, 220: bSem,
	230: bSleep, 232: bEpoll, 243: bMQ, 247: bWaitID, 270: bSelect, 271: bPoll, 281: bEpoll, 288: bAccept, 299: bRecvMsg, 426: bRing, 441: bEpoll,
}

var x86Calls = [...]callNumber{
	3: bRead, 4: bWrite, 7: bWait, 29: bPause, 82: bSelect, 114: bWait, 142: bSelect, 143: bFlock, 145: bReadv, 146: bWritev, 162: bSleep, 168: bPoll,
	177: bSigWait, 179: bSuspend, 240: bFutex, 247: bEvents, 256: bEpoll, 267: bSleep, 280: bMQ, 284: bWaitID, 308: bSelect, 309: bPoll, 319: bEpoll,
	337: bRecvMsg, 362: bConnect, 364: bAccept, 369: bSend, 370: bSendMsg, 371: bRecv, 372: bRecvMsg, 401: bMsg, 407: bSleep, 413: bSelect, 414: bPoll,
	417: bRecvMsg, 419: bMQ, 420: bSem, 421: bSigWait, 422: bFutex, 426: bRing, 441: bEpoll,
}

var armCalls = [...]callNumber{
	3: bRead, 4: bWrite, 29: bPause, 114: bWait, 142: bSelect, 143: bFlock, 145: bReadv, 146: bWritev, 162: bSleep, 168: bPoll, 177: bSigWait,
	179: bSuspend, 240: bFutex, 245: bEvents, 252: bEpoll, 265: bSleep, 277: bMQ, 280: bWaitID, 283: bConnect, 285: bAccept, 290: bSend, 292: bRecv,
	296: bSendMsg, 297: bRecvMsg, 298: bSem, 302: bMsg, 312: bSem, 335: bSelect, 336: bPoll, 346: bEpoll, 365: bRecvMsg, 366: bAccept,
	407: bSleep, 413: bSelect, 414: bPoll, 417: bRecvMsg, 419: bMQ, 420: bSem, 421: bSigWait, 422: bFutex, 426: bRing, 441: bEpoll,
}

var genericCalls = [...]callNumber{
	4: bEvents, 22: bEpoll, 32: bFlock, 63: bRead, 64: bWrite, 65: bReadv, 66: bWritev, 72: bSelect, 73: bPoll, 95: bWaitID, 98: bFutex, 101: bSleep,
	115: bSleep, 133: bSuspend, 137: bSigWait, 183: bMQ, 188: bMsg, 192: bSem, 193: bSem, 202: bAccept, 203: bConnect, 206: bSend, 207: bRecv,
	211: bSendMsg, 212: bRecvMsg, 242: bAccept, 243: bRecvMsg, 260: bWait, 407: bSleep, 413: bSelect, 414: bPoll, 417: bRecvMsg, 419: bMQ, 420: bSem,
	421: bSigWait, 422: bFutex, 426: bRing, 441: bEpoll,
}
