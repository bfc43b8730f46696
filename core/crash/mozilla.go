package crash

import (
	"fmt"
	"slices"
	"strings"

	"crashglass/core/cpu"
)

const mozWhy = "MOZ_CRASH or a release assertion ended the program."

// mozillaSigns are the functions with which Mozilla's programs end themselves.
// Sources: mfbt/Assertions.h and mfbt/Assertions.cpp, mozalloc_abort.cpp,
// xpcom/base/nsDebugImpl.cpp.
var mozillaSigns = []sign{
	{"MOZ_Crash", Asserted, "MOZ_CRASH", mozWhy},
	{"MOZ_CrashPrintf", Asserted, "MOZ_CRASH", mozWhy},
	{"MOZ_CrashSequence", Asserted, "MOZ_CRASH", mozWhy},
	{"RustMozCrash", Panic, "Rust panic", "The program panicked; Mozilla's hook ended it."},
	{"mozalloc_abort", Asserted, "Mozilla's allocator ended the program", mozWhy},
	{"NS_DebugBreak", Asserted, "Fatal assertion of Mozilla", mozWhy},
	{"mozilla::(anonymous namespace)::RunWatchdog", Hang, "Shutdown took too long", "Mozilla's watchdog ends a process that hangs while it shuts down."},
}

// mozillaModules are Mozilla's libraries, in lower case.
var mozillaModules = []string{"xul", "xul.dll", "libxul.so", "mozglue.dll", "libmozglue.so", "libmozglue.dylib", "nss3.dll", "libnss3.so", "firefox", "firefox.exe", "thunderbird", "thunderbird.exe"}

// findMozCrash recognizes MOZ_CRASH in the code: it writes its line number to address 0
// (MOZ_CrashSequence of mfbt/Assertions.h). Compilers emit such a write without a register for no
// other source.
func (s *state) findMozCrash() {
	line, ok := s.mozLine()
	if !ok || s.caused() || !s.mozilla() {
		return
	}
	evidence := []string{fmt.Sprintf("`%s` writes a constant to address 0: most likely MOZ_CRASH or a release assertion, at line %d of its file.", s.Instruction, line)}
	if s.in.Assertion != "" {
		evidence = append([]string{s.in.Assertion}, evidence...)
	}
	s.cause(Finding{Kind: Deliberate, Text: fmt.Sprintf("Deliberate crash: MOZ_CRASH at line %d, a null pointer write", line), Confidence: 0.9, Evidence: evidence})
}

// mozLine returns the constant that the instruction writes to address 0.
func (s *state) mozLine() (int64, bool) {
	op := s.Inst.Operands
	if len(op) != 2 || s.Inst.Mnemonic != "mov" || op[0].Kind != cpu.Memory || op[1].Kind != cpu.Immediate {
		return 0, false
	}
	m := &op[0].Mem
	return op[1].Imm, m.Base == cpu.None && m.Index == cpu.None && m.Disp == 0 && m.Segment == "" && op[1].Imm > 0
}

// mozTrap explains a breakpoint in Mozilla's programs: on Windows MOZ_CrashSequence is
// __debugbreak.
func (s *state) mozTrap(kind Kind) string {
	if kind != Trapped || s.in.OS != "windows" || !s.mozilla() {
		return ""
	}
	return "Mozilla's programs execute one for MOZ_CRASH and release assertions."
}

// mozilla reports whether the innermost frame is in one of Mozilla's modules.
func (s *state) mozilla() bool {
	return len(s.in.Frames) > 0 && slices.Contains(mozillaModules, strings.ToLower(s.in.Frames[0].Module))
}
