package crash

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"crashglass/core/machine/cpu"
	"crashglass/core/stack/funcname"
)

// A reporter is a function that reports a failed assertion, with the places of its arguments.
type reporter struct {
	name             string
	text, file, line int
	wide             bool // its texts are of wchar_t of Windows, UTF-16
}

// reporters are those of C libraries. Sources: glibc assert/assert.h and musl include/assert.h; bionic libc/include/assert.h; Apple's Libc
// include/assert.h; the Windows SDK's ucrt/assert.h; mingw-w64 and Wine's msvcrt, assert.h.
var reporters = []reporter{
	{name: "__assert_fail", text: 0, file: 1, line: 2},
	{name: "__assert2", text: 3, file: 0, line: 1},
	{name: "__assert_rtn", text: 3, file: 1, line: 2},
	{name: "_assert", text: 0, file: 1, line: 2},
	{name: "_wassert", text: 0, file: 1, line: 2, wide: true},
}

// argumentRegisters are those of the first four arguments. Sources: System V ABI of AMD64, 3.2.3; Microsoft's x64 calling convention; AAPCS64, 6.8.2;
// AAPCS32, 6.5.
func (s *facts) argumentRegisters() []cpu.Reg {
	switch {
	case s.in.Arch.IsAMD64() && s.in.OS.IsWindows():
		return []cpu.Reg{cpu.RCX, cpu.RDX, cpu.R8, cpu.R9}
	case s.in.Arch.IsAMD64():
		return []cpu.Reg{cpu.RDI, cpu.RSI, cpu.RDX, cpu.RCX}
	case s.in.Arch.IsARM64(), s.in.Arch.IsARM():
		return []cpu.Reg{0, 1, 2, 3}
	}
	return nil
}

// passedAssertion says what a function that reports a failed assertion was called with, by the code in front of the call: the condition, the file and
// the line are constants. It needs no memory besides the program's file.
func (s *facts) passedAssertion() string {
	registers := s.argumentRegisters()
	if s.in.Argument == nil || registers == nil {
		return ""
	}
	for i := range s.in.Frames[:min(len(s.in.Frames), endDepth)] {
		f := &s.in.Frames[i]
		name := funcname.Bare(f.function())
		k := slices.IndexFunc(reporters, func(r reporter) bool { return r.name == name })
		if k < 0 || f.Inline != nil || !f.certain() {
			continue
		}
		argument := func(n int) uint64 {
			v, _ := s.in.Argument(f.Index, registers[n])
			return v
		}
		r := &reporters[k]
		condition, file := s.literal(argument(r.text), r.wide), s.literal(argument(r.file), r.wide)
		if line := uint32(argument(r.line)); condition != "" && file != "" && line != 0 {
			return fmt.Sprintf("The assertion is `%s`, at %s:%d: so `%s` was called.", shortened(condition), file, line, name)
		}
	}
	return ""
}

// literal reads a text of the program.
func (s *facts) literal(addr uint64, wide bool) string {
	if addr < nullZone {
		return ""
	}
	if !wide {
		return s.cstring(addr, messageMax)
	}
	var units []uint16
	for i := range uint64(messageMax) {
		unit, ok := s.in.Memory.Word(addr+2*i, 2)
		if !ok {
			return ""
		}
		if unit == 0 {
			break
		}
		units = append(units, uint16(unit))
	}
	text := string(utf16.Decode(units))
	if strings.ContainsFunc(text, func(c rune) bool { return c < 0x20 || c == 0x7f || c == 0xfffd }) {
		return ""
	}
	return text
}
