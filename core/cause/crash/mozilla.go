package crash

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
)

// mozillaModules are Mozilla's libraries, in lower case.
var mozillaModules = []string{"xul", "xul.dll", "libxul.so", "mozglue.dll", "libmozglue.so", "libmozglue.dylib", "nss3.dll", "libnss3.so", "firefox",
	"firefox.exe", "thunderbird", "thunderbird.exe"}

// findMozCrash recognizes MOZ_CRASH in the code: it writes its line number to address 0
// (MOZ_CrashSequence of mfbt/Assertions.h). Compilers emit such a write without a register for no
// other source.
func (s *facts) findMozCrash() []candidate {
	line, ok := s.mozLine()
	if !ok || !s.mozilla() {
		return nil
	}
	why := fmt.Sprintf("`%s` writes a constant to address 0: most likely MOZ_CRASH or a release assertion, at line %d of its file.", s.Instruction, line)
	return explanation(Finding{Kind: Deliberate, Text: fmt.Sprintf("Deliberate crash: MOZ_CRASH at line %d, a null pointer write", line), Confidence: 0.9,
		Evidence: compact(s.in.Assertion, why)})
}

// mozLine returns the constant that the instruction writes to address 0.
func (s *facts) mozLine() (int64, bool) {
	op := s.Inst.Operands
	if len(op) != 2 || s.Inst.Mnemonic != "mov" || op[0].Kind != cpu.Memory || op[1].Kind != cpu.Immediate {
		return 0, false
	}
	m := &op[0].Mem
	return op[1].Imm, m.Base == cpu.None && m.Index == cpu.None && m.Disp == 0 && m.Segment == "" && op[1].Imm > 0
}

// mozTrap explains a breakpoint in Mozilla's programs: on Windows MOZ_CrashSequence is
// __debugbreak.
func (s *facts) mozTrap(kind Kind) string {
	if kind != Trapped || !s.in.OS.IsWindows() || !s.mozilla() {
		return ""
	}
	return "Mozilla's programs execute one for MOZ_CRASH and release assertions."
}

// mozilla reports whether the innermost frame is in one of Mozilla's modules.
func (s *facts) mozilla() bool {
	return len(s.in.Frames) > 0 && slices.Contains(mozillaModules, strings.ToLower(s.in.Frames[0].module()))
}

// findAttachment uses an annotation as the cause if no access to memory failed: programs attach
// these just before they end themselves. MozCrashReason also counts with a write to address 0,
// because Mozilla's programs end themselves with one.
// Sources: Chromium's ReportV8OOMError (v8-oom-*) and crash keys of
// PartitionAlloc; Electron's shell/common/node_bindings.cc (electron.v8-*).
func (s *facts) findAttachment() []candidate {
	if s.fault.memory && !(s.fault.known && s.fault.addr == 0) {
		return nil
	}
	for _, row := range codes()["attachments"] {
		c := strings.Split(row.text, "|")
		if v := s.annotation(c[0]); v != "" && (!s.fault.memory || c[0] == "MozCrashReason") {
			return explanation(Finding{Kind: Kind(c[1]), Text: c[2], Confidence: 0.9, Evidence: []string{
				"The program attached " + c[0] + ": " + sentenceOf(v), cmp.Or(s.mechanism(), "The exception is "+s.Reason+".")}})
		}
	}
	return nil
}

func (s *facts) annotation(name string) string {
	if i := slices.IndexFunc(s.in.Annotations, func(a Annotation) bool { return a.Name == name }); i >= 0 {
		return s.in.Annotations[i].Value
	}
	return ""
}
