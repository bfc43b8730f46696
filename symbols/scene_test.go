package symbols

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// A scene is a thread in a program: a stack of return addresses into its
// functions, of addresses further up and of numbers, drawn by chance. Rules lead
// through it for as long as anybody follows them.
type scene struct {
	arch  *cpu.Arch
	image symbolize.Image
	code  []uint64 // where calls return to, relative to the module
	seed  uint64
}

// Where a scene's module and its stack are.
const (
	sceneImage = 0x40_0000
	sceneStack = 0x2000_0000
	sceneSize  = 0x1_0000
)

// newScene finds the code of a program that has rules.
func newScene(t testing.TB, program *union, arch string) *scene {
	t.Helper()
	s := &scene{arch: cpu.ByName(arch), image: program}
	var functions []strip
	for _, r := range program.frames {
		if err := r.Capabilities().Lister.EachCallFrame(func(c *unwind.CallFrameTable) error {
			functions = append(functions, strip{int64(c.Start), int64(c.Start + c.Size)})
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range functions {
		s.addReturns(functions, f)
	}
	if len(s.code) == 0 {
		t.Fatalf("no code of %d functions", len(functions))
	}
	return s
}

// addReturns adds the addresses behind the calls of a function. Where
// instructions have one size each of them will do.
func (s *scene) addReturns(functions []strip, f strip) {
	if s.arch.Name != "x86" && s.arch.Name != "amd64" {
		for at := f.from; at < f.to; at += 4 {
			s.code = append(s.code, uint64(at))
		}
		return
	}
	code := make([]byte, f.to-f.from)
	code = code[:s.image.ReadImage(uint64(f.from), code)]
	for i := 5; i < len(code); i++ {
		target := f.from + int64(i) + int64(int32(binary.LittleEndian.Uint32(code[i-4:])))
		if code[i-5] == 0xe8 && slices.ContainsFunc(functions, func(g strip) bool { return g.from == target }) {
			s.code = append(s.code, uint64(f.from)+uint64(i))
		}
	}
}

// value is what a register or a word of the stack at an address has.
func (s *scene) value(r *rand.Rand, at uint64) uint64 {
	switch r.IntN(3) {
	case 0:
		return sceneImage + s.code[r.IntN(len(s.code))]
	case 1:
		return (at + r.Uint64N(0x200)) &^ uint64(2*s.arch.Word-1)
	}
	return r.Uint64N(1 << 20)
}

// Word implements process.WordReader.
func (s *scene) Word(addr uint64, size int) (uint64, bool) {
	if at := addr - sceneStack; at < sceneSize && sceneSize-at >= uint64(size) {
		return s.value(rand.New(rand.NewPCG(s.seed, addr)), addr), true
	}
	var b [8]byte
	if s.image.ReadImage(addr-sceneImage, b[:size]) == size {
		return binary.LittleEndian.Uint64(b[:]), true
	}
	return 0, false
}

// input draws another thread.
func (s *scene) input(seed uint64) unwind.Input {
	s.seed = seed
	r := rand.New(rand.NewPCG(seed, 0))
	const sp = sceneStack + 0x400
	m := module.Module{Base: sceneImage, Size: 0x1000_0000, CodeFile: "app"}
	in := unwind.Input{Arch: s.arch, OS: "linux", Memory: s, Modules: module.NewMap([]module.Module{m})}
	for reg := range cpu.Reg(64) {
		if s.arch.CalleeSaved.Has(reg) || reg == s.arch.LR {
			in.Regs.Set(reg, s.value(r, sp))
		}
	}
	in.Regs.Set(s.arch.PC, sceneImage+s.code[r.IntN(len(s.code))])
	in.Regs.Set(s.arch.SP, sp)
	if s.arch.FP != cpu.None {
		in.Regs.Set(s.arch.FP, sp+uint64(r.IntN(0x80)*2*s.arch.Word))
	}
	return in
}
