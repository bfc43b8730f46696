package sanitize

import (
	"bytes"
	"crashglass/core/testkit/symbolsource"
	"encoding/binary"
	"encoding/json"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/dump"
)

// Libraries of 32-bit Android may be at any address. Here addresses look like text: three
// consecutive return addresses read "aaBAccBAeeBA".
const (
	armApp   = 0x4142_0000
	armPage  = 0xffff_1000 // the kernel's page of trampolines, which is in no module
	armStack = 0x7e00_0000
	armFar   = armStack + 0x8_0000 // above every captured stack
)

// An armThread is one way to have a stack.
type armThread struct {
	what   string
	regs   map[string]uint64 // sp is an offset into the stack
	stack  map[int]uint32    // by offset
	frames int
}

var armThreads = []armThread{
	{
		what:   "Thumb code without symbols, whose return addresses look like a text",
		regs:   map[string]uint64{"pc": armApp + 0x100, "sp": 0x40},
		stack:  map[int]uint32{0x48: armApp + 0x6161, 0x4c: armApp + 0x6363, 0x50: armApp + 0x6565},
		frames: 4,
	},
	{
		what:   "a chain of frame records through r11, in ARM code",
		regs:   map[string]uint64{"pc": armApp + 0x100, "sp": 0x40, "fp": armStack + 0x60},
		stack:  map[int]uint32{0x60: armStack + 0x80, 0x64: armApp + 0x201, 0x80: 0, 0x84: armApp + 0x301},
		frames: 3,
	},
	{
		what:   "a scan behind which r11 is what was saved, an address above the stack",
		regs:   map[string]uint64{"pc": armApp + 0x100, "sp": 0x40, "fp": armStack + 0x44},
		stack:  map[int]uint32{0x44: armFar, 0x48: armApp + 0x201},
		frames: 2,
	},
	{
		what:   "a stack pointer that is not aligned",
		regs:   map[string]uint64{"pc": armApp + 0x100, "sp": 0x42},
		stack:  map[int]uint32{0x4a: armApp + 0x201, 0x5e: armApp + 0x301},
		frames: 3,
	},
	{
		what:   "a leaf in Thumb code, which is captured: bx lr",
		regs:   map[string]uint64{"pc": armApp + 0x802, "sp": 0x40, "lr": armApp + 0x301, "cpsr": 0x30},
		stack:  map[int]uint32{0x48: armApp + 0x401},
		frames: 3,
	},
	{
		what: "a handler that returns to the kernel's page, above what it interrupted",
		regs: map[string]uint64{"pc": armApp + 0x4010, "sp": 0x40},
		stack: map[int]uint32{
			0x44:              armPage, // the handler's return address; the saved registers begin 160 bytes above
			0x48 + 160 + 4*11: 0, 0x48 + 160 + 4*13: armStack + 0x200, 0x48 + 160 + 4*15: armApp + 0x501,
			0x210: armApp + 0x601,
		},
		frames: 4,
	},
	{
		what:   "a caller that is the thread's first function: its return address is 0",
		regs:   map[string]uint64{"pc": armApp + 0x4010, "sp": 0x40},
		stack:  map[int]uint32{0x44: armApp + 0x4020, 0x4c: 0},
		frames: 2,
	},
	{
		what:   "nothing to be found: the walk says how far it has looked",
		regs:   map[string]uint64{"pc": armApp + 0x100, "sp": 0x40},
		frames: 1,
	},
}

// android is a dump with those threads, a page apart.
func androidDump(t testing.TB) []byte {
	b := dump.New().System(dump.ARM, dump.Android, "")
	b.Module(dump.Module{Base: armApp, Size: 0x1_0000, Name: "/data/app/libapp.so", CodeView: dump.BuildID(1, 2, 3)})
	for i, thread := range armThreads {
		base := uint64(armStack + i*0x1_0000)
		regs := map[string]uint64{}
		for name, v := range thread.regs {
			if name == "sp" || v >= armStack && v < armFar {
				v = base + v&0xffff
			}
			regs[name] = v
		}
		stack := make([]byte, 0x1000)
		for off, v := range thread.stack {
			if v >= armStack && v < armFar {
				v += uint32(i * 0x1_0000)
			}
			binary.LittleEndian.PutUint32(stack[off:], v)
		}
		b.Thread(dump.Thread{ID: uint32(i + 1), StackBase: base, Stack: stack, Context: b.Context(t, dump.ARM, regs)})
	}
	b.Memory(armApp+0x802, []byte{0x70, 0x47, 0, 0})              // begins in the middle of a word
	b.Memory(armPage, []byte{0xad, 0x27, 0x00, 0xdf, 0, 0, 0, 0}) // movs r7, 173; svc 0
	return b.Build(t)
}

// armSymbols know one function of libapp, at 0x4000, which keeps its return
// address right above where its stack pointer points.
type armSymbols struct{}

func (armSymbols) For(*module.Module) (analyze.Source, report.Symbols) {
	return symbolsource.Bare{Source: armSymbols{}}, report.Symbols{State: report.SymbolsMatched}
}

func (armSymbols) Locate(rel uint64) (symbolize.Location, bool) { return symbolize.Location{}, false }

func (armSymbols) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	rules := []unwind.Rule{{Reg: unwind.CFA, From: unwind.At("$sp", 8)}, {Reg: unwind.RA, From: unwind.Word(unwind.CFA, -4)}}
	return unwind.CallFrame{Start: 0x4000, Size: 0x1000, Rules: rules}, rel>>12 == 4
}

func (armSymbols) WinFrame(uint64) (unwind.WinFrame, bool) { return unwind.WinFrame{}, false }

func (armSymbols) Function(uint64) (unwind.Function, bool) { return unwind.Function{}, false }

// HasNames says that their silence means nothing.
func (armSymbols) HasNames() bool { return false }

func (armSymbols) HasCode() bool { return false }

// TestAndroid compares every thread of the new dump with the old one's, with
// the symbols that it was made with and without.
func TestAndroid(t *testing.T) {
	data := androidDump(t)
	s := open(t, data)
	r, err := Clean(s, armSymbols{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Changed) > 0 {
		t.Errorf("changed: %q", r.Changed)
	}
	after := open(t, r.Data)
	for name, syms := range map[string]analyze.Symbols{"with symbols": armSymbols{}, "without": nil} {
		was, is := threads(t, s, syms), threads(t, after, syms)
		for i, thread := range armThreads {
			if n := len(was[i].Frames); n != thread.frames && syms != nil {
				t.Errorf("%s: %d frames, want %d", thread.what, n, thread.frames)
			}
			if b, a := text(t, was[i]), text(t, is[i]); b != a {
				t.Errorf("%s, %s: it was\n%s\nand is now\n%s", thread.what, name, b, a)
			}
		}
	}
}

// TestLongStack has more frames in one stack than there is room for evidence of:
// return addresses all of which look like a text.
func TestLongStack(t *testing.T) {
	b := dump.New().System(dump.ARM, dump.Android, "")
	b.Module(dump.Module{Base: armApp, Size: 0x1_0000, Name: "/data/app/libapp.so"})
	stack := bytes.Repeat([]byte("aaBA"), 32<<10)
	ctx := b.Context(t, dump.ARM, map[string]uint64{"pc": armApp + 0x100, "sp": armStack})
	b.Thread(dump.Thread{ID: 1, StackBase: armStack, Stack: stack, Context: ctx})
	s := open(t, b.Build(t))
	r, err := Clean(s, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	was, is := threads(t, s, nil)[0], threads(t, open(t, r.Data), nil)[0]
	if len(was.Frames) < 1<<14 || len(is.Frames) != len(was.Frames) || len(r.Changed) > 0 {
		t.Errorf("%d frames became %d; changed: %q", len(was.Frames), len(is.Frames), r.Changed)
	}
}

// fickle symbols have rules only in the first report.
type fickle struct{ asked *int }

func (f fickle) For(m *module.Module) (analyze.Source, report.Symbols) {
	if *f.asked++; *f.asked > 1 {
		return nil, report.Symbols{State: report.SymbolsMissing}
	}
	return armSymbols{}.For(m)
}

// TestNoBetter cleans a dump whose stacks differ in any case. The result says so.
func TestNoBetter(t *testing.T) {
	r, err := Clean(open(t, androidDump(t)), fickle{new(int)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Changed) == 0 {
		t.Error("nothing is said to have changed")
	}
}

func open(t testing.TB, data []byte) *analyze.Session {
	t.Helper()
	s, err := analyze.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func threads(t testing.TB, s *analyze.Session, syms analyze.Symbols) []report.Thread {
	r, err := s.Report(syms, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Threads
}

// text is a stack with its registers and why it ends; how much of it is
// captured may differ.
func text(t testing.TB, thread report.Thread) string {
	thread.Stack = nil
	data, err := json.Marshal(thread)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
