package crash

import (
	"encoding/binary"
	enchex "encoding/hex"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

// A scene is a crash that a test builds: an amd64 Linux program at 0x400000 with its library, a
// stack, a heap, and some regions, in which an instruction failed.
type scene struct {
	*Input
	bytes map[uint64]byte
}

// Addresses in a scene.
const (
	appBase   = 0x40_0000
	libBase   = 0x7f00_0000_0000
	stackLow  = 0x7ffd_0000_0000
	stackHigh = stackLow + 0x2_0000
	heapBase  = 0x60_0000
	codeAddr  = appBase + 0x1000
)

// crashAt starts a scene with code, in hex, at the program counter.
func crashAt(t testing.TB, code string) *scene {
	t.Helper()
	s := &scene{bytes: map[uint64]byte{}}
	s.Input = &Input{
		OS: "linux", Arch: &cpu.AMD64, Exception: &Exception{Code: sigSEGV, Flags: segvMapErr},
		Regs: &cpu.Regs{}, Decode: disasm.Decode, Memory: s, ThreadIndex: 0,
		StackLow: stackLow, StackHigh: stackHigh,
		Modules: module.NewMap([]module.Module{
			{Base: appBase, Size: 0x1_0000, CodeFile: "/opt/app/bin/app"},
			{Base: libBase, Size: 0x10_0000, CodeFile: "/usr/lib/libc.so.6"},
		}),
		Regions: []process.Region{
			{Start: appBase, Last: appBase + 0xffff, Access: "r-x", Name: "/opt/app/bin/app"},
			{Start: heapBase, Last: heapBase + 0xffff, Access: "rw-", Name: "[heap]"},
			{Start: libBase, Last: libBase + 0xf_ffff, Access: "r-x", Name: "/usr/lib/libc.so.6"},
			{Start: stackLow, Last: stackHigh - 1, Access: "rw-", Name: "[stack]"},
		},
		Frames: rows([]spot{
			{Address: codeAddr, Module: "app", ModuleOffset: 0x1000, Function: "middle", File: "/src/threads.cpp", Line: 12},
			{Address: appBase + 0x2000, Module: "app", ModuleOffset: 0x2000, Function: "main", File: "/src/threads.cpp", Line: 40},
		}),
	}
	code = strings.ReplaceAll(code, " ", "")
	data, err := enchex.DecodeString(code)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range data {
		s.bytes[codeAddr+uint64(i)] = b
	}
	return s.reg(cpu.RIP, codeAddr).reg(cpu.RSP, stackLow+0x1000)
}

// Word reads what the scene has put into memory.
func (s *scene) Word(addr uint64, size int) (uint64, bool) {
	var b [8]byte
	for i := range size {
		v, ok := s.bytes[addr+uint64(i)]
		if !ok {
			return 0, false
		}
		b[i] = v
	}
	return binary.LittleEndian.Uint64(b[:]), true
}

// put writes a word into memory.
func (s *scene) put(addr, v uint64) *scene {
	for i := range uint64(8) {
		s.bytes[addr+i] = byte(v >> (8 * i))
	}
	return s
}

func (s *scene) reg(r cpu.Reg, v uint64) *scene {
	s.Regs.Set(r, v)
	return s
}

// fault sets the address of the exception.
func (s *scene) fault(addr uint64) *scene {
	s.Exception.Address = addr
	return s
}

// windows makes it an access violation of Windows.
func (s *scene) windows(kind, addr uint64) *scene {
	s.OS = "windows"
	s.Exception = &Exception{Code: accessViolation, Address: codeAddr, Params: []uint64{kind, addr}}
	return s
}

// raise replaces the exception.
func (s *scene) raise(os process.OS, code, flags uint32, params ...uint64) *scene {
	s.OS, s.Exception = os, &Exception{Code: code, Flags: flags, Address: s.Exception.Address, Params: params}
	return s
}

// stack replaces the frames: functions of the program or, with a '!' in front, of libc.
func (s *scene) stack(functions ...string) *scene {
	s.Frames = nil
	for _, f := range functions {
		name, system := strings.CutPrefix(f, "!")
		fr := spot{Address: codeAddr, Module: "app", Function: name}
		if system {
			fr.Module, fr.ModuleIndex, fr.System, fr.Address = "libc.so.6", 1, true, libBase
		}
		s.Frames = append(s.Frames, fr.row())
	}
	return s
}

// A spot is a row of a stack in few words. The zero ModuleIndex is the program.
type spot struct {
	Address                  uint64
	Module                   string
	ModuleIndex              int
	ModuleOffset             uint64
	Unloaded                 string
	Function, File           string
	Line                     uint32
	Guess, Uncertain, System bool
}

// row is the row of a report.
func (s spot) row() Row {
	f := report.FrameOf(&process.Frame{Instruction: s.Address, Module: &module.Module{Base: s.Address - s.ModuleOffset}, Guess: s.Guess})
	for to, text := range map[**string]string{&f.Module: s.Module, &f.Function: s.Function, &f.File: s.File} {
		if text != "" {
			*to = &text
		}
	}
	if s.ModuleIndex >= 0 {
		f.ModuleIndex = &s.ModuleIndex
	}
	if s.Unloaded != "" {
		f.Unloaded = []report.UnloadedModule{{Module: s.Unloaded}}
	}
	f.Line, f.UsedAnyway, f.System = &s.Line, s.Uncertain, s.System
	return Row{Frame: &f}
}

// rows are the rows of a stack.
func rows(list []spot) (out []Row) {
	for _, s := range list {
		out = append(out, s.row())
	}
	return out
}
