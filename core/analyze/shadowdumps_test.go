package analyze

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/elfcore"
	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/write"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/symbolsource"
)

// Where the parts of the dumps are: a program with a function every 256 bytes, whose frames have 32 bytes, a stack and a shadow stack.
const (
	shadowProgram = 0x40_0000
	shadowStack   = 0x7000_0000
	shadowCalls   = 0x9000_0000
	shadowText    = 0x4141_4141_4141_4141
)

// everyFrame are the program's symbols.
type everyFrame struct {
	fakeSource
	arch *cpu.Arch
}

func (s everyFrame) Locate(rel uint64) (symbolize.Location, bool) {
	start := rel &^ 255
	return symbolize.Location{Function: s.nameAt(start), Start: start, Size: 256}, true
}

func (s everyFrame) nameAt(start uint64) string {
	if start == 0x900 {
		return map[bool]string{true: "__kernel_rt_sigreturn", false: "__restore_rt"}[s.arch.IsARM64()]
	}
	return fmt.Sprintf("f%x", start>>8)
}

func (s everyFrame) Function(rel uint64) (unwind.Function, bool) {
	l, ok := s.Locate(rel)
	return unwind.Function{Name: l.Function, Start: l.Start, Size: l.Size}, ok
}

func (s everyFrame) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	sp := s.arch.RegName(s.arch.SP)
	if !s.arch.IsARM64() {
		sp = "$" + sp
	}
	return unwind.CallFrame{Start: rel &^ 255, Size: 256, From: ".eh_frame", Rules: []unwind.Rule{
		{Reg: unwind.CFA, From: unwind.At(sp, 32)}, {Reg: unwind.RA, From: unwind.Word(unwind.CFA, -8)},
	}}, rel&^255 != 0x900
}

// A shadowDump is a made dump: the words of the stack and of the shadow stack, from their pointers on.
type shadowDump struct {
	name   string
	arch   *cpu.Arch
	os     process.OS
	stack  []uint64
	before []uint64 // words below the shadow stack pointer
	shadow []uint64
	ssp    uint64 // 0 for the shadow stack's
	bare   bool   // there are no symbols
	want   string
}

// made writes the dump with the project's own writers: a minidump of Windows, whose mappings are unknown, and a core of Linux.
func (d shadowDump) made(t *testing.T) bin.Source {
	t.Helper()
	var regs cpu.Regs
	regs.Set(d.arch.PC, shadowProgram+0x110)
	regs.Set(d.arch.SP, shadowStack)
	if d.ssp == 0 {
		d.ssp = shadowCalls + 8*uint64(len(d.before))
	}
	code := make([]byte, 0x1000)
	copy(code, "\x7fELF\x02\x01\x01")
	stack := asm.At(shadowStack).U64(d.stack...).Build(t)
	shadow := asm.At(shadowCalls).U64(d.before...).U64(d.shadow...).Build(t)
	registers := &process.Registers{Arch: d.arch, Regs: regs, Shadow: d.ssp}
	if d.arch.IsAMD64() {
		l := &cpu.ContextAMD64
		context := minidump.WithExtended(l, l.Encode(&regs, 3, binary.LittleEndian), nil, d.ssp)
		registers.Context = func() []byte { return context }
	}
	p := &process.Process{
		System: &process.System{OS: d.os}, Arch: d.arch, Event: &process.Event{Code: 11, Flags: 1, Address: 0x18},
		Threads: []process.Thread{{ID: 1, Registers: registers}},
		Regions: []process.Region{
			{Start: shadowProgram, Last: shadowProgram + 0xfff, Access: "r-x", Name: "/app"},
			{Start: shadowStack, Last: shadowStack + 0xffff, Access: "rw-"},
			{Start: shadowCalls, Last: shadowCalls + uint64(len(shadow)) - 1, Access: "rw-"},
		},
	}
	if d.os.IsWindows() {
		p.Event.Code = 0xc000_0005
	}
	p.SetModules([]module.Module{{Base: shadowProgram, Size: 0x1000, CodeFile: "/app"}})
	at, all, ranges := uint64(0), []byte(nil), []process.Range(nil)
	for _, part := range []struct {
		base uint64
		data []byte
	}{{shadowProgram, code}, {shadowStack, stack}, {shadowCalls, shadow}} {
		ranges = append(ranges, process.Range{Base: part.base, Location: process.Location{RVA: at, Size: uint64(len(part.data))}})
		all, at = append(all, part.data...), at+uint64(len(part.data))
	}
	p.Memory = process.NewMemory(process.NewPager(source(all)), false, ranges, func(err error) { t.Error(err) })
	writer := elfcore.Write
	if d.os.IsWindows() {
		writer = write.Whole
	}
	src, err := writer(p)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// frameTo returns the words of a frame of 32 bytes that returns to an address.
func frameTo(returns uint64) []uint64 { return []uint64{1, 2, 3, returns} }

// wordsOf joins lists of words.
func wordsOf(lists ...[]uint64) (all []uint64) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// TestShadowDumps judges made dumps with shadow stacks: overwritten returns, signals, switched stacks.
func TestShadowDumps(t *testing.T) {
	const (
		f2, f3, f4, text  = shadowProgram + 0x210, shadowProgram + 0x310, shadowProgram + 0x410, shadowText
		trampoline, saved = shadowProgram + 0x900, 1 << 63
	)
	whole := wordsOf(frameTo(f2), frameTo(f3), frameTo(f4))
	calls := []uint64{f2, f3, f4}
	handler := func(context ...uint64) []uint64 { return wordsOf(frameTo(trampoline), context) }
	x86Signal := wordsOf(make([]uint64, 5), []uint64{8, 9, 10, 11, 12, 13, 14, 15, 1, 2, 0, 3, 4, 5, 6, shadowStack + 0x200, f3, 0x246})
	armSignal := wordsOf(make([]uint64, 39), make([]uint64, 31), []uint64{shadowStack + 0x300, f3, 0})
	fill := func(words []uint64, size int) []uint64 { return wordsOf(words, make([]uint64, size/8-len(words))) }
	for n, d := range []shadowDump{
		{name: "nothing is wrong, on Windows", os: process.Windows, stack: whole, shadow: calls, want: "f1 f2 f3 f4; not_captured"},
		{name: "a return address is text", os: process.Windows, stack: wordsOf(frameTo(text), frameTo(f3), frameTo(f4)), shadow: calls,
			want: "f1 f2(text) f3 f4; not_captured"},
		{name: "two are text", stack: wordsOf(frameTo(f2), frameTo(text), frameTo(text)), shadow: calls, want: "f1 f2 f3(text) f4(text); shadow_end complete"},
		{name: "another function's address: a chain of returns", stack: wordsOf(frameTo(f2), frameTo(shadowProgram+0x610), frameTo(f4)), shadow: calls,
			want: "f1 f2 f3(f6) f4; shadow_end complete"},
		{name: "without rules, the stack is destroyed", stack: []uint64{text, text, text, text, text}, shadow: calls, bare: true, want: "110 20f 30f 40f; shadow_end complete"},
		{name: "calls that have returned", stack: whole, before: []uint64{shadowProgram + 0x710, shadowProgram + 0x510}, shadow: calls, want: "f1 f2 f3 f4; shadow_end complete; returned f5 f7"},
		{name: "a signal of x86", stack: fill(handler(x86Signal...), 0x200), shadow: []uint64{trampoline, shadowCalls + 16 | saved, f4},
			want: "f1 __restore_rt f3 f4; shadow_end complete"},
		{name: "a signal of arm64", arch: &cpu.ARM64, stack: fill(handler(armSignal...), 0x300), shadow: []uint64{trampoline, shadowCalls, f4},
			want: "f1 __kernel_rt_sigreturn f3 f4; shadow_end complete"},
		{name: "a switched stack: the token is no call", stack: wordsOf(frameTo(f2), frameTo(f3), frameTo(0)), shadow: []uint64{f2, shadowCalls + 16 | 1, f4},
			want: "f1 f2 f3; zero_return complete"},
		{name: "a coroutine's own shadow stack", stack: wordsOf(frameTo(f2), frameTo(f4), frameTo(f4)), shadow: []uint64{f2}, want: "f1 f2; shadow_end complete"},
		{name: "arm64, a return address is text", arch: &cpu.ARM64, stack: wordsOf(frameTo(f2), frameTo(text), frameTo(f4)), shadow: calls, want: "f1 f2 f3(text) f4; shadow_end complete"},
		{name: "a pointer into the stack is none", stack: wordsOf(frameTo(f2), frameTo(f3), frameTo(0)), shadow: calls, ssp: shadowStack + 0x18, want: "f1 f2 f3; zero_return complete"},
	} {
		t.Run(fmt.Sprint(n+1, " ", d.name), func(t *testing.T) {
			if d.arch == nil {
				d.arch = &cpu.AMD64
			}
			if d.os == "" {
				d.os = process.Linux
			}
			var syms Symbols
			if !d.bare {
				syms = SymbolsFunc(func(*module.Module) (Source, report.Symbols) {
					return symbolsource.Bare{Source: everyFrame{arch: d.arch}}, report.Symbols{State: report.SymbolsMatched}
				})
			}
			sessions, err := OpenAll(d.made(t))
			if err != nil {
				t.Fatal(err)
			}
			r, err := sessions[0].Report(syms, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := shadowSummary(r); got != d.want {
				t.Errorf("\n got %s\nwant %s", got, d.want)
			}
		})
	}
}

// shadowSummary is a stack in short: functions, with what is in the place of their return addresses.
func shadowSummary(r *report.Report) string {
	th := &r.Threads[0]
	var out []string
	name := func(f *report.Frame) string {
		if f.Function != nil {
			return *f.Function
		}
		return fmt.Sprintf("%x", f.Offset.Number()-shadowProgram)
	}
	for i := range th.Frames {
		f := &th.Frames[i]
		text := name(f)
		if f.Guess {
			text += "?"
		}
		if o := f.Overwritten; o != nil {
			switch value := o.Value.Number(); {
			case (o.Address.Number()-shadowStack)%32 != 24:
				text += "(elsewhere)"
			case value == shadowText:
				text += "(text)"
			default:
				text += fmt.Sprintf("(f%x)", (value-shadowProgram)>>8)
			}
		}
		out = append(out, text)
	}
	text := strings.Join(out, " ") + "; " + string(th.End.Kind)
	if th.End.Complete {
		text += " complete"
	}
	for i := range th.Returned {
		if i == 0 {
			text += "; returned"
		}
		text += " " + name(&th.Returned[i])
	}
	return text
}
