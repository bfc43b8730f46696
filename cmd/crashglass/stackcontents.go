package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"crashglass/core/analyze"
	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/report/render"
)

// stackCPUs are the CPUs whose stacks minidump_stackwalk -s shows.
//
// Source: PrintStack in Breakpad's src/processor/stackwalk_common.cc.
var stackCPUs = []*cpu.Arch{&cpu.X86, &cpu.AMD64, &cpu.ARM, &cpu.ARM64, &cpu.RISCV, &cpu.RISCV64}

// maxContents bounds how much of one frame's stack is shown.
const maxContents = 1 << 20

// stackContents writes what minidump_stackwalk -s shows below a frame: the bytes up to the caller's
// frame, and the functions that words in them point into.
//
// Source: PrintStackContents in Breakpad's stackwalk_common.cc.
func stackContents(s *analyze.Session, syms analyze.Symbols, r *report.Report) func(f, caller *report.Frame) string {
	arch := r.SystemInfo.Arch()
	if !slices.Contains(stackCPUs, arch) {
		return nil
	}
	sp, word := arch.RegName(arch.SP), uint64(arch.Word)
	return func(f, caller *report.Frame) string {
		from, to := registerOf(f, sp), registerOf(caller, sp)
		if from == 0 || to == 0 || to > from+maxContents {
			return ""
		}
		var out strings.Builder
		out.WriteString("\n    Stack contents:")
		for at := from; at < to; at += 16 {
			contentsRow(&out, at, min(16, to-at), s.ReadMemory(at, int(min(16, to-at))), word)
		}
		out.WriteString("\n    Possible instruction pointers:\n")
		for at := from; at < to; at += word {
			out.WriteString(pointerRow(s, syms, at, word))
		}
		out.WriteString("\n")
		return out.String()
	}
}

// registerOf returns the value of a frame's register, or 0 if the frame does not have it. Reports have
// registers as text, because JSON has no 64-bit numbers.
func registerOf(f *report.Frame, name string) uint64 {
	i := slices.IndexFunc(f.Registers, func(r report.Register) bool { return r.Name == name })
	if i < 0 {
		return 0
	}
	n, _ := strconv.ParseUint(strings.TrimPrefix(string(f.Registers[i].Value), "0x"), 16, 64)
	return n
}

// contentsRow writes sixteen bytes with their address and characters. Bytes that were not captured
// are blank.
func contentsRow(out *strings.Builder, at, size uint64, data []byte, word uint64) {
	fmt.Fprintf(out, "\n     %0*x", int(2*word), at)
	for i := range 16 {
		if i < len(data) && uint64(i) < size {
			fmt.Fprintf(out, " %02x", data[i])
		} else {
			out.WriteString("   ")
		}
	}
	fmt.Fprintf(out, "  %-16s", printable(data))
}

// pointerRow writes a word of the stack that points into a function with a name, or nothing. The
// original prints an empty file name, line 0 and the address itself for a function without lines.
func pointerRow(s *analyze.Session, syms analyze.Symbols, at, word uint64) string {
	data := s.ReadMemory(at, int(word))
	if uint64(len(data)) < word {
		return ""
	}
	var value uint64
	for i := range data {
		value |= uint64(data[i]) << (8 * i) // all of these CPUs are little-endian
	}
	if !slices.ContainsFunc(s.Modules(), func(m module.Module) bool { return value-m.Base < m.Size }) {
		return "" // most words are not addresses, and this test is cheaper than a lookup
	}
	f := s.Resolve(syms, value)
	if f.Function == nil || *f.Function == "" {
		return ""
	}
	file, line, offset := "", uint32(0), value
	if f.File != nil {
		file = module.Basename(*f.File)
	}
	if f.Line != nil {
		line = *f.Line
	}
	if f.LineOffset != nil {
		n, _ := strconv.ParseUint(strings.TrimPrefix(string(*f.LineOffset), "0x"), 16, 64)
		offset = n
	}
	return fmt.Sprintf("     *(0x%0*x) = 0x%0*x <%s> [%s : %d + %#x]\n", int(2*word), at, int(2*word), value,
		render.Escape(*f.Function), render.Escape(file), line, offset)
}
