package crash

import "fmt"

// Signals that the package uses by name.
const (
	sigINT  = 2
	sigILL  = 4
	sigTRAP = 5
	sigABRT = 6
	sigBUS  = 7
	sigFPE  = 8
	sigKILL = 9
	sigSEGV = 11
	sigSYS  = 31

	// dumpRequested replaces the signal in a dump that was requested. Sources: Breakpad's
	// minidump_exception_linux.h, which its writer uses (MD_EXCEPTION_CODE_LIN_DUMP_REQUESTED), and
	// Crashpad's util/posix/signals.h (kSimulatedSigno).
	dumpRequested = 0xffff_ffff
)

// signals are those of include/uapi/asm-generic/signal.h, for all CPUs but mips
// and sparc; rust-minidump and Breakpad use them for mips as well.
var signals = names{
	{1, "SIGHUP"}, {2, "SIGINT"}, {3, "SIGQUIT"}, {sigILL, "SIGILL"}, {sigTRAP, "SIGTRAP"},
	{sigABRT, "SIGABRT"}, {sigBUS, "SIGBUS"}, {sigFPE, "SIGFPE"}, {sigKILL, "SIGKILL"},
	{10, "SIGUSR1"}, {sigSEGV, "SIGSEGV"}, {12, "SIGUSR2"}, {13, "SIGPIPE"}, {14, "SIGALRM"},
	{15, "SIGTERM"}, {16, "SIGSTKFLT"}, {17, "SIGCHLD"}, {18, "SIGCONT"}, {19, "SIGSTOP"},
	{20, "SIGTSTP"}, {21, "SIGTTIN"}, {22, "SIGTTOU"}, {23, "SIGURG"}, {24, "SIGXCPU"},
	{25, "SIGXFSZ"}, {26, "SIGVTALRM"}, {27, "SIGPROF"}, {28, "SIGWINCH"}, {29, "SIGIO"},
	{30, "SIGPWR"}, {sigSYS, "SIGSYS"}, {dumpRequested, "DUMP_REQUESTED"},
}

// Values of si_code for signals that were sent.
const (
	siUser   = 0
	siKernel = 0x80
	siQueue  = 0xffff_ffff // -1
	siTimer  = 0xffff_fffe // -2
	siMesgq  = 0xffff_fffd // -3
	siAsync  = 0xffff_fffc // -4
	siTkill  = 0xffff_fffa // -6
)

// siCodes are valid with every signal; asm-generic/siginfo.h. The negative
// ones are written as the u32 that a dump holds.
var siCodes = names{
	{siUser, "SI_USER"}, {siKernel, "SI_KERNEL"},
	{0xffff_ffc4, "SI_ASYNCNL"}, {0xffff_fff9, "SI_DETHREAD"}, {siTkill, "SI_TKILL"},
	{0xffff_fffb, "SI_SIGIO"}, {siAsync, "SI_ASYNCIO"}, {siMesgq, "SI_MESGQ"},
	{siTimer, "SI_TIMER"}, {siQueue, "SI_QUEUE"},
}

// signalCodes are the values of si_code that belong to one signal each;
// asm-generic/siginfo.h.
var signalCodes = map[uint32]names{
	sigILL: {
		{1, "ILL_ILLOPC"}, {2, "ILL_ILLOPN"}, {3, "ILL_ILLADR"}, {4, "ILL_ILLTRP"},
		{5, "ILL_PRVOPC"}, {6, "ILL_PRVREG"}, {7, "ILL_COPROC"}, {8, "ILL_BADSTK"}, {9, "ILL_BADIADDR"},
	},
	sigTRAP: {
		{1, "TRAP_BRKPT"}, {2, "TRAP_TRACE"}, {3, "TRAP_BRANCH"}, {4, "TRAP_HWBKPT"},
		{5, "TRAP_UNK"}, {6, "TRAP_PERF"},
	},
	sigFPE: {
		{fpeIntDiv, "FPE_INTDIV"}, {2, "FPE_INTOVF"}, {fpeFltDiv, "FPE_FLTDIV"}, {4, "FPE_FLTOVF"},
		{5, "FPE_FLTUND"}, {6, "FPE_FLTRES"}, {7, "FPE_FLTINV"}, {8, "FPE_FLTSUB"},
	},
	sigSEGV: {{segvMapErr, "SEGV_MAPERR"}, {segvAccErr, "SEGV_ACCERR"}, {3, "SEGV_BNDERR"}, {segvKey, "SEGV_PKUERR"}},
	sigBUS: {
		{busAdrAln, "BUS_ADRALN"}, {busAdrErr, "BUS_ADRERR"}, {3, "BUS_OBJERR"}, {4, "BUS_MCEERR_AR"},
		{5, "BUS_MCEERR_AO"},
	},
	sigSYS: {{1, "SYS_SECCOMP"}, {2, "SYS_USER_DISPATCH"}},
}

// Values of si_code that the package uses by name, by signal.
const (
	fpeIntDiv  = 1
	fpeFltDiv  = 3
	segvMapErr = 1
	segvAccErr = 2
	segvKey    = 4
	busAdrAln  = 1
	busAdrErr  = 2

	busReadBroken = 4 // BUS_MCEERR_AR
	busBroken     = 5 // BUS_MCEERR_AO

	// The memory tagging extension of arm64. rust-minidump's tables do not have it, so the note
	// explains it and the reason does not name it.
	segvMTEAsync = 8
	segvMTESync  = 9
	segvControl  = 10 // SEGV_CPERR: the shadow stack does not have the return address
)

// linuxReason returns the signal, and the si_code unless that is SI_USER, which has no information:
// writers that do not know si_code leave it 0.
func linuxReason(e *Exception) string {
	signal := signals.of(e.Code)
	if signal == "" {
		return ""
	}
	if code := signalCodes[e.Code].of(e.Flags); code != "" {
		return signal + " / " + code
	}
	if e.Flags == siUser {
		return signal
	}
	if code := siCodes.of(e.Flags); code != "" {
		return signal + " / " + code
	}
	return fmt.Sprintf("%s / 0x%08x", signal, e.Flags)
}
