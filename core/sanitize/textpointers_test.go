package sanitize

import (
	"bytes"
	"crashglass/core/testkit/symbolsource"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// everyCPU has the context of each CPU that is walked.
var everyCPU = map[string]struct {
	processor uint16
	layout    *cpu.Layout
	big       bool
}{
	"x86":     {processor: dump.X86, layout: &cpu.ContextX86},
	"amd64":   {processor: dump.AMD64, layout: &cpu.ContextAMD64},
	"arm":     {processor: dump.ARM, layout: &cpu.ContextARM},
	"arm64":   {processor: dump.ARM64, layout: &cpu.ContextARM64},
	"mips":    {processor: dump.MIPS, layout: &cpu.ContextMIPS, big: true},
	"mips64":  {processor: dump.MIPS64, layout: &cpu.ContextMIPS64},
	"ppc":     {processor: dump.PPC, layout: &cpu.ContextPPC, big: true},
	"ppc64":   {processor: dump.PPC64, layout: &cpu.ContextPPC64, big: true},
	"sparc":   {processor: dump.SPARC, layout: &cpu.ContextSPARC, big: true},
	"riscv":   {processor: dump.RISCV, layout: &cpu.ContextRISCV},
	"riscv64": {processor: dump.RISCV64, layout: &cpu.ContextRISCV64},
}

// secretText fills a local array. No five characters of it occur twice.
const secretText = "Dear Alice, the merger of Kestrel & Oriole is signed on Friday at noon, IBAN DE00 1234 5678, password: swordfish!"

// A pointing is one way in which registers point into a text on the stack.
type pointing struct {
	encoding string
	at       int // of the first register's address in the text
	step     int // to the next register's
}

var pointings = []pointing{{"bytes", 0, 0}, {"bytes", 3, 0}, {"bytes", 8, 5}, {"UTF-16, lower byte first", 0, 0}, {"UTF-16, upper byte first", 1, 3}}

// textFrames is the number of stack words of the first function, of which the last one is the return
// address and the others are text.
const textFrames = 12

// pointersIntoText is a dump whose thread has a text in its local array, a return address above it, a
// text above that, and registers that all point into the first text.
func pointersIntoText(t testing.TB, name string, p pointing) []byte {
	c := everyCPU[name]
	word := c.layout.Arch.Word
	order := binary.ByteOrder(binary.LittleEndian)
	b := dump.New()
	if c.big {
		b, order = b.BigEndian(), binary.BigEndian
	}
	text := encodings[p.encoding].of(secretText)
	stack := make([]byte, 0x1000)
	copy(stack[0x100:], text[:(textFrames-1)*word])
	put := func(off int, v uint64) {
		if word == 8 {
			order.PutUint64(stack[off:], v)
		} else {
			order.PutUint32(stack[off:], uint32(v))
		}
	}
	put(0x100+(textFrames-1)*word, appBase+0x150)
	copy(stack[0x100+textFrames*word:], text)
	put(0x800, appBase+0x250)
	var regs cpu.Regs
	for i := range c.layout.Arch.Regs {
		regs.Set(cpu.Reg(i), uint64(stackBase+0x100+p.at+i*p.step))
	}
	regs.Set(c.layout.Arch.SP, stackBase+0x100)
	regs.Set(c.layout.Arch.PC, appBase+0x50)
	ctx := c.layout.Encode(&regs, 0, order)
	b.System(c.processor, dump.Linux, "")
	b.Module(dump.Module{Base: appBase, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3)})
	b.Stream(0x47670009, asm.At(0).Text(fmt.Sprintf("%x-%x r-xp 0 00:00 0 /opt/app\n", appBase, appBase+0x1000)))
	b.Thread(dump.Thread{ID: 1, StackBase: stackBase, Stack: stack, Context: ctx})
	b.Exception(dump.Exception{Thread: 1, Code: 11, Flags: 1, Address: 8, Context: ctx})
	return b.Build(t)
}

// textSymbols have a rule for the first function: it saved registers of its caller where the text is
// now, as after an overflow.
type textSymbols struct{ arch *cpu.Arch }

func (s textSymbols) For(*module.Module) (analyze.Source, report.Symbols) {
	return symbolsource.Bare{Source: s}, report.Symbols{State: report.SymbolsMatched}
}

func (textSymbols) Locate(uint64) (symbolize.Location, bool) { return symbolize.Location{}, false }

func (s textSymbols) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	word := s.arch.Word
	rules := []unwind.Rule{
		{Reg: unwind.CFA, From: unwind.At("$"+s.arch.RegName(s.arch.SP), int64(textFrames*word))},
		{Reg: unwind.RA, From: unwind.Word(unwind.CFA, int64(-word))},
	}
	for i, r := range s.arch.Regs {
		if s.arch.CalleeSaved&cpu.SetOf(cpu.Reg(i)) != 0 {
			rules = append(rules, unwind.Rule{Reg: "$" + r, From: unwind.Word(unwind.CFA, int64(-word*(2+i%8)))})
		}
	}
	return unwind.CallFrame{Start: 0, Size: 0x100, Rules: rules}, rel < 0x100
}

func (textSymbols) WinFrame(uint64) (unwind.WinFrame, bool) { return unwind.WinFrame{}, false }

func (textSymbols) Function(uint64) (unwind.Function, bool) { return unwind.Function{}, false }

func (textSymbols) HasNames() bool { return false }

func (textSymbols) HasCode() bool { return false }

// believing are CPUs on which a walk takes a text for a return address: there a frame record needs no
// return address that is in a module. Such a frame cannot stay what it was.
var believing = []string{"x86", "riscv", "riscv64", "sparc"}

// A general register may point into a text, also the one that is elsewhere the frame pointer. Walks
// then read the text, and none of it stays, with symbols and without. Masked, it is for a walk what it
// was, so that a stack changes only if the text itself is a frame of it, and then the result says so.
func TestPointersIntoText(t *testing.T) {
	for name, c := range everyCPU {
		for _, p := range pointings {
			for what, syms := range map[string]analyze.Symbols{"with symbols": textSymbols{c.layout.Arch}, "without": nil} {
				data := pointersIntoText(t, name, p)
				r, err := Clean(open(t, data), syms, Options{})
				if err != nil {
					t.Fatal(err)
				}
				same := true
				for _, by := range []analyze.Symbols{syms, nil} {
					same = same && slices.Equal(places(t, data, by), places(t, r.Data, by))
				}
				if same != (len(r.Changed) == 0) || !same && !slices.Contains(believing, name) {
					t.Errorf("%s, %+v, %s: the same stacks: %t, changed %q", name, p, what, same, r.Changed)
				}
				for _, piece := range survivors(r.Data, p) {
					t.Errorf("%s, %+v, %s: %q is still there", name, p, what, piece)
				}
			}
		}
	}
}

// places returns the addresses of all frames.
func places(t *testing.T, data []byte, syms analyze.Symbols) (out []report.Address) {
	for _, thread := range threads(t, open(t, data), syms) {
		for i := range thread.Frames {
			out = append(out, thread.Frames[i].Offset)
		}
	}
	return out
}

// survivors returns the pieces of five characters of the secret that data has.
func survivors(data []byte, p pointing) (out []string) {
	const length = 5
	for at := 0; at+length <= len(secretText); at++ {
		if piece := secretText[at : at+length]; bytes.Contains(data, []byte(strings.Trim(encodings[p.encoding].of(piece), "\x00"))) {
			out = append(out, piece)
		}
	}
	return out
}
