package exidx_test

import (
	"bytes"
	"cmp"
	"debug/elf"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/machine/postfix"
	"crashglass/core/process/module"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/tables/cfi"
	"crashglass/symbols/tables/exidx"
)

// A library is an ARM image that has both an exception index and .debug_frame.
type library struct {
	text  []byte
	at    uint64 // of text
	index *exidx.Table
	truth *cfi.Table   // exact at every instruction
	marks []elf.Symbol // where code and data begin: $a, $t, $d
}

func openLibrary(t *testing.T, path string) library {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data := func(name string) ([]byte, uint64) {
		s := f.Section(name)
		if s == nil {
			return nil, 0
		}
		data, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		return data, s.Addr
	}
	source := func(name string) (bin.Source, uint64) {
		data, addr := data(name)
		return bin.NewSource(bytes.NewReader(data), int64(len(data))), addr
	}
	var lib library
	lib.text, lib.at = data(".text")
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range symbols {
		if strings.HasPrefix(s.Name, "$") {
			lib.marks = append(lib.marks, s)
		}
	}
	slices.SortStableFunc(lib.marks, func(a, b elf.Symbol) int { return cmp.Compare(a.Value, b.Value) })
	var s exidx.Sections
	s.Exidx.Data, s.Exidx.Addr = source(".ARM.exidx")
	s.Extab.Data, s.Extab.Addr = source(".ARM.extab")
	s.End = lib.at + uint64(len(lib.text))
	if lib.index, err = exidx.Open(s); err != nil {
		t.Fatal(err)
	}
	var c cfi.Section
	c.Data, c.Addr = source(".debug_frame")
	if lib.truth, err = cfi.Open(cfi.Sections{DebugFrame: c, Arch: "arm", Word: 4, Order: f.ByteOrder}, cfi.Options{}); err != nil {
		t.Fatal(err)
	}
	return lib
}

// instructions calls f for each instruction of the text.
func (lib library) instructions(f func(rel uint64, insn uint32, thumb bool)) {
	end := lib.at + uint64(len(lib.text))
	for i, mark := range lib.marks {
		to := end
		if i+1 < len(lib.marks) {
			to = min(end, lib.marks[i+1].Value)
		}
		if mark.Value < lib.at || mark.Name == "$d" {
			continue
		}
		for at := mark.Value; at+4 <= to+2; {
			insn := lib.insn(at)
			f(at, insn, mark.Name == "$t")
			if at += 4; mark.Name == "$t" && insn&0xffff < 0xe800 {
				at -= 2
			}
		}
	}
}

// insn is the four bytes at an address, as far as there are.
func (lib library) insn(rel uint64) (v uint32) {
	for i := range uint64(4) {
		if off := rel - lib.at + i; off < uint64(len(lib.text)) {
			v |= uint32(lib.text[off]) << (8 * i)
		}
	}
	return v
}

// isCall reports whether an instruction of four bytes calls.
func isCall(insn uint32, thumb bool) bool {
	if thumb {
		return insn&0xd000f800 == 0xd000f000 || insn&0xd001f800 == 0xc000f000
	}
	return insn>>24 == 0xeb || insn>>25 == 0x7d
}

// The image of a test is the lower half of the address space, so that almost
// every word could be a return address.
const (
	image     = 0x1_0000
	imageSize = 0x7fff_0000
)

// A scene is a thread that was interrupted in the library: random registers,
// random memory, and the library's code if it was captured. Nothing else of the
// image was.
type scene struct {
	library
	seed  uint64
	code  bool // its code was captured
	thumb bool
}

// Word implements process.WordReader.
func (s scene) Word(addr uint64, size int) (uint64, bool) {
	if rel := addr - image; rel < imageSize {
		return uint64(s.insn(rel)), s.code && rel-s.at < uint64(len(s.text))
	}
	return rand.New(rand.NewPCG(addr, s.seed)).Uint64()&0x3fff_ffff | 0x2000_0000, true
}

func (s scene) regs(rel uint64) (regs cpu.Regs) {
	rnd := rand.New(rand.NewPCG(s.seed, 7))
	for reg := range cpu.ARMSP {
		regs.Set(reg, 0xa000_0000+rnd.Uint64N(1<<20)*8)
	}
	regs.Set(cpu.ARMSP, 0x9000_0000+rnd.Uint64N(1<<20)*8)
	regs.Set(cpu.ARMLR, 0x4000_0000+rnd.Uint64N(1<<20)*4)
	regs.Set(cpu.ARMPC, image+rel)
	regs.Set(cpu.ARMCPSR, 0)
	if s.thumb {
		regs.Set(cpu.ARMCPSR, 0x20)
	}
	return regs
}

// rules is an unwind.Rules that knows the exception index only.
type rules struct{ *exidx.Table }

func (rules) WinFrame(uint64) (unwind.WinFrame, bool) { return unwind.WinFrame{}, false }
func (rules) Function(uint64) (unwind.Function, bool) { return unwind.Function{}, false }
func (rules) HasNames() bool                          { return false }
func (rules) HasCode() bool                           { return false }

// walked is the caller that a walk finds.
func (s scene) walked(rel uint64) (unwind.Frame, bool) {
	stack := unwind.Walk(unwind.Input{
		Arch: &cpu.ARM, OS: "linux", Regs: s.regs(rel), Memory: s, Frames: 2,
		Modules: module.NewMap([]module.Module{{Base: image, Size: imageSize}}),
		Rules:   func(*module.Module) unwind.Rules { return rules{s.index} },
	})
	if len(stack.Frames) < 2 {
		return unwind.Frame{}, false
	}
	return stack.Frames[1], true
}

// environment evaluates rules in a scene.
type environment struct {
	scene
	callee cpu.Regs
	cfa    uint64
	hasCFA bool
}

// Get implements postfix.Env.
func (e *environment) Get(name string) (uint64, bool) {
	if name == ".cfa" {
		return e.cfa, e.hasCFA
	}
	reg, ok := cpu.ARM.Reg(name)
	if !ok {
		return 0, false
	}
	return e.callee.Get(reg)
}

// Set implements postfix.Env.
func (e *environment) Set(string, uint64) {}

// Word implements postfix.Env.
func (e *environment) Word(addr uint64) (uint64, bool) { return e.scene.Word(addr, 4) }

// caller evaluates rules: what the callee-saved registers, sp and pc were.
func (s scene) caller(t *testing.T, rel uint64, rules []unwind.Rule) cpu.Regs {
	t.Helper()
	e := &environment{scene: s, callee: s.regs(rel)}
	out := e.callee.Keep(cpu.ARM.CalleeSaved)
	m := postfix.Machine{Env: e, Size: 4}
	for _, r := range rules {
		v, err := m.Value(r.Text())
		reg, isReg := cpu.ARM.Reg(r.Reg)
		switch {
		case err != nil:
			t.Fatalf("%#x: %s: %s: %v", rel, r.Reg, r.Text(), err)
		case r.Reg == ".cfa":
			e.cfa, e.hasCFA = v, true
			out.Set(cpu.ARMSP, v)
		case r.Reg == ".ra":
			out.Set(cpu.ARMPC, v)
		case isReg && cpu.ARM.CalleeSaved.Has(reg):
			out.Set(reg, v)
		}
	}
	return out
}

// sameCaller compares what matters of two callers.
func sameCaller(a, b cpu.Regs) (string, bool) {
	for reg := range cpu.ARMPC + 1 {
		if !cpu.ARM.CalleeSaved.Has(reg) && reg != cpu.ARMSP && reg != cpu.ARMPC {
			continue
		}
		va, okA := a.Get(reg)
		vb, okB := b.Get(reg)
		if okA != okB || va != vb {
			return cpu.ARM.RegName(reg), false
		}
	}
	return "", true
}

func libraries(t *testing.T) []string {
	paths, err := filepath.Glob("testdata/*.so")
	if err != nil || len(paths) != 3 {
		t.Fatalf("%q, %v", paths, err)
	}
	// A larger library with both sections, if one is installed.
	if more := os.Getenv("CRASHGLASS_ARM_LIBRARY"); more != "" {
		paths = append(paths, more)
	}
	return paths
}

// TestAtCalls compares the exception index with .debug_frame behind every
// call: there, both have to say the same.
func TestAtCalls(t *testing.T) {
	for _, path := range libraries(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			lib := openLibrary(t, path)
			compared := 0
			lib.instructions(func(rel uint64, insn uint32, thumb bool) {
				ours, ok := lib.index.CallFrame(rel + 2)
				truth, okTruth := lib.truth.CallFrame(rel + 2)
				if !isCall(insn, thumb) || !ok || !okTruth {
					return
				}
				compared++
				s := scene{library: lib, seed: rel}
				if reg, same := sameCaller(s.caller(t, rel, ours.Rules), s.caller(t, rel, truth.Rules)); !same {
					t.Errorf("%#x: %s: %v, and .debug_frame has %v", rel, reg, ours.Rules, truth.Rules)
				}
			})
			if compared < 15 {
				t.Errorf("only %d calls were compared", compared)
			}
			t.Logf("%d calls", compared)
			if notes := lib.index.Notes(); len(notes) > 0 {
				t.Errorf("notes %q", notes)
			}
		})
	}
}

// TestAnywhere interrupts the library at every instruction, with its code
// captured and without. The values of the frame pointer and of sp in a scene belong to no common frame.
// So code that counts from sp is not compared where .debug_frame counts from the frame pointer.
func TestAnywhere(t *testing.T) {
	for _, path := range libraries(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			lib := openLibrary(t, path)
			var all, withCode, without int
			lib.instructions(func(rel uint64, insn uint32, thumb bool) {
				truth, ok := lib.truth.CallFrame(rel)
				if insn&0xffff == 0xbf00 && thumb {
					return // between functions
				}
				if _, covered := lib.index.CallFrame(rel); !ok || !covered || !strings.HasPrefix(truth.Rules[0].Text(), "sp ") {
					return
				}
				all++
				s := scene{library: lib, seed: rel, code: true, thumb: thumb}
				want := s.caller(t, rel, truth.Rules)
				if frame, reg, ok := s.finds(rel, want); ok {
					withCode++
				} else if inexact[filepath.Base(path)] != rel {
					t.Errorf("%#x (%08x): %s is wrong, found by %s; .debug_frame has %v", rel, insn, reg, frame.FoundBy, truth.Rules)
				}
				s.code = false
				if _, _, ok := s.finds(rel, want); ok {
					without++
				}
			})
			t.Logf("%d of %d right with code, %d without", withCode, all, without)
			if all < 40 || filepath.Base(path) != "fp.so" && without*100 < all*80 {
				t.Errorf("%d of %d right without code", without, all)
			}
		})
	}
}

// inexact are where GCC describes two instructions that move sp as one, and
// .debug_frame is wrong between them.
var inexact = map[string]uint64{"a32.so": 0x448, "t32.so": 0x42a}

// finds reports whether a walk finds a caller, or which register is wrong.
func (s scene) finds(rel uint64, want cpu.Regs) (unwind.Frame, string, bool) {
	frame, ok := s.walked(rel)
	if !ok {
		return frame, "everything", false
	}
	reg, same := sameCaller(frame.Regs, want)
	return frame, reg, same
}
