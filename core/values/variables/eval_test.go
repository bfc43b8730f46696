package variables

import (
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// bigFrame is a frame of a big-endian CPU of 32 bits.
func bigFrame(m memory, vars ...Variable) *Context {
	return &Context{Frame: &process.Frame{}, Arch: &cpu.PPC, BigEndian: true, Memory: m, Symbols: scopes(vars).symbols()}
}

// A number is read in the target's byte order, and stored in it.
func TestNumbersOfFrames(t *testing.T) {
	little, big := frameOf(nil), bigFrame(nil)
	for _, tt := range []struct {
		f    *Context
		v    uint64
		size int
		want []byte
	}{
		{little, 0x0102, 4, []byte{2, 1, 0, 0}},
		{big, 0x0102, 4, []byte{0, 0, 1, 2}},
		{little, 0x0102, 1, []byte{2}},
		{big, 0x0102, 1, []byte{2}},
		{little, 1, 99, []byte{1, 0, 0, 0, 0, 0, 0, 0}},
		{little, 1, -1, []byte{}},
	} {
		b := tt.f.Bytes(tt.v, tt.size)
		if !slices.Equal(b, tt.want) {
			t.Errorf("Bytes(%#x, %d) = % x, want % x", tt.v, tt.size, b, tt.want)
		}
		if back := tt.f.Number(b); len(b) >= 2 && back != tt.v {
			t.Errorf("Number(% x) = %#x, want %#x", b, back, tt.v)
		}
	}
}

// TestEvalRead reads a number from each kind of place.
func TestEvalRead(t *testing.T) {
	constant := Const([]byte{1, 2, 3, 4})
	partial := Place{[]Piece{{Kind: Constant, Bytes: []byte{1, 2, 3, 4}, Bits: 8, Partial: true}}}
	two := Place{[]Piece{{Kind: Constant}, {Kind: Constant}}}
	m := memory{0x100: words(0x8877_6655_4433_2211)}
	for _, tt := range []struct {
		name  string
		place Place
		size  int
		want  uint64
		state State
	}{
		{"memory", inMemory(0x100), 8, 0x8877_6655_4433_2211, Known},
		{"part of memory", inMemory(0x100), 2, 0x2211, Known},
		{"memory that is not there", inMemory(0x104), 8, 0, NotCaptured},
		{"no bytes", inMemory(0x100), 0, 0, Unreadable},
		{"nine bytes", inMemory(0x100), 9, 0, Unreadable},
		{"a register", inRegister("$rbx"), 4, 0x5566_7788, Known},
		{"a register that is not known", inRegister("$rax"), 4, 0, OptimizedOut},
		{"a constant", constant, 2, 0x0201, Known},
		{"a short constant", constant, 8, 0, Unreadable},
		{"a part", partial, 1, 0, OptimizedOut},
		{"parts", two, 1, 0, OptimizedOut},
		{"nothing", Place{}, 1, 0, OptimizedOut},
		{"what is missing", Place{[]Piece{{}}}, 1, 0, OptimizedOut},
	} {
		got, err := (&Eval{Frame: frameOf(m)}).Read(tt.place, tt.size)
		state := Known
		if err != nil {
			state = asError(err).State
		}
		if got != tt.want || state != tt.state {
			t.Errorf("%s: %#x, %s (%v)", tt.name, got, state, err)
		}
	}
	if got, err := (&Eval{Frame: bigFrame(nil)}).Read(constant, 2); got != 0x0304 || err != nil {
		t.Errorf("the least significant part on a big-endian CPU: %#x, %v", got, err)
	}
}

// An unknown value of a frame is an error with the reason.
func TestEvalUnknown(t *testing.T) {
	known := func() (uint64, bool) { return 0x7000, true }
	lost := func() (uint64, bool) { return 0, false }
	for _, tt := range []struct {
		name  string
		set   func(*Context)
		read  func(*Eval) (uint64, error)
		want  uint64
		error string
	}{
		{"CFA", func(f *Context) { f.CFA = known }, (*Eval).CFA, 0x7000, ""},
		{"no CFA", func(*Context) {}, (*Eval).CFA, 0, "the canonical frame address is not known: no call frame rules cover this instruction"},
		{"lost CFA", func(f *Context) { f.CFA = lost }, (*Eval).CFA, 0, "the canonical frame address is not known: no call frame rules cover this instruction"},
		{"virtual frame", func(f *Context) { f.VFrame = known }, (*Eval).VFrame, 0x7000, ""},
		{"no virtual frame", func(*Context) {}, (*Eval).VFrame, 0, "the virtual frame is not known: no STACK WIN program gives it at this instruction"},
		{"lost virtual frame", func(f *Context) { f.VFrame = lost }, (*Eval).VFrame, 0, "the virtual frame is not known: no STACK WIN program gives it at this instruction"},
		{"register of no CPU", func(*Context) {}, func(e *Eval) (uint64, error) { return e.Reg("$r99") }, 0, "register $r99 is not followed by the walk"},
		{"register of a caller", func(*Context) {}, func(e *Eval) (uint64, error) { return e.Reg("$rax") }, 0,
			"it was in register $rax, which the functions that were called may have overwritten"},
		{"register of the crash", func(f *Context) { f.Interrupted = true }, func(e *Eval) (uint64, error) { return e.Reg("$rax") }, 0, "register $rax is not in the dump"},
	} {
		f := frameOf(nil)
		tt.set(f)
		e := &Eval{Frame: f, Evidence: &Evidence{}}
		got, err := tt.read(e)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if got != tt.want || text != tt.error {
			t.Errorf("%s: %#x, %q", tt.name, got, text)
		}
		if used := len(e.Evidence.Registers); (err == nil) != (used == 1) {
			t.Errorf("%s: %d registers are evidence", tt.name, used)
		}
	}
}

// passing is a source that knows what calls passed.
type passing struct{}

func (passing) Passed(e *Eval, callee *Context, reg string) (uint64, error) {
	if reg == "$rdi" {
		return e.Entry(reg) // it is what this frame's own caller passed
	}
	return 5, nil
}

func (passing) Entered(uint64) (uint64, string, error) { return 0, "", nil }

// A value at a function's entry is the argument of its caller, if the caller is proved and its
// module has call sites. The depth of callers is bounded.
func TestEntryValues(t *testing.T) {
	caller := frameOf(nil)
	caller.Symbols = Symbols{CallSites: passing{}}
	for _, tt := range []struct {
		name string
		f    *Context
		reg  string
		want string
	}{
		{"passed", &Context{Frame: &process.Frame{}, Arch: &cpu.AMD64, Caller: caller}, "$rsi", ""},
		{"no caller", &Context{Frame: &process.Frame{}, Arch: &cpu.AMD64}, "$rsi", "it is what the caller passed in $rsi, and the caller is not proved"},
		{"a caller that was scanned for", &Context{Frame: &process.Frame{}, Arch: &cpu.AMD64, Caller: &Context{Frame: &process.Frame{Guess: true}, Symbols: Symbols{CallSites: passing{}}}}, "$rsi", "it is what the caller passed in $rsi, and the caller is not proved"},
		{"a caller without call sites", &Context{Frame: &process.Frame{}, Arch: &cpu.AMD64, Caller: frameOf(nil)}, "$rsi", "it is what the caller passed in $rsi, which nothing is known of"},
		{"an endless stack", endless(), "$rdi", "values of callers are nested more than 8 deep"},
	} {
		got, err := (&Eval{Frame: tt.f}).Entry(tt.reg)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if text != tt.want || err == nil && got != 5 {
			t.Errorf("%s: %d, %q", tt.name, got, text)
		}
	}
}

// endless is a frame that is its own caller.
func endless() *Context {
	f := &Context{Frame: &process.Frame{}, Arch: &cpu.AMD64, Symbols: Symbols{CallSites: passing{}}}
	f.Caller = f
	return f
}

// Evidence lists each register once, and a bounded number of reads.
func TestEvidenceIsBounded(t *testing.T) {
	m := memory{0x100: make([]byte, 8*40)}
	e := &Eval{Frame: frameOf(m), Evidence: &Evidence{}}
	for i := range uint64(40) {
		if _, err := e.Word(0x100+8*i, 8); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Reg("$rbx"); err != nil {
			t.Fatal(err)
		}
	}
	got := e.Evidence
	if len(got.Reads) != maxReads || got.More != 40-maxReads || len(got.Registers) != 1 {
		t.Errorf("%d reads, %d more, %d registers", len(got.Reads), got.More, len(got.Registers))
	}
	if got.Reads[1] != (Word{0x108, 0, 8}) || got.Registers[0] != (Register{"$rbx", 0x1122_3344_5566_7788}) {
		t.Errorf("%+v", got)
	}
}

// An address has as many bits as the CPU's words: what lies above is left out.
func TestAddressesAreMasked(t *testing.T) {
	f := bigFrame(memory{0x100: {1, 2, 3, 4}})
	if got, err := (&Eval{Frame: f}).Word(0xffff_ffff_0000_0100, 4); got != 0x01020304 || err != nil {
		t.Errorf("%#x, %v", got, err)
	}
}

// An error of another package is one of this: the value cannot be read.
func TestErrors(t *testing.T) {
	for state, want := range map[State]string{Known: "known", OptimizedOut: "optimized_out", NotCaptured: "not_captured", Unreadable: "unreadable"} {
		if got := state.String(); got != want {
			t.Errorf("%d is %q, want %q", state, got, want)
		}
	}
	if e := uncaptured(0x1f0); e.State != NotCaptured || e.Error() != "memory at 0x1f0 is not in the dump" {
		t.Errorf("%+v", e)
	}
	v := Variable{Name: "v", Type: to(integer), Rule: fixed{err: errOther{}}}
	if got := Read(frameOf(nil, v), Limits{})[0].Values[0]; got.State != Unreadable || got.Why != "other" {
		t.Errorf("%s: %s", got.State, got.Why)
	}
}

type errOther struct{}

func (errOther) Error() string { return "other" }

// Arguments come first, then variables of outer blocks; others keep their order.
// A variable is hidden by one of its name in a deeper block.
func TestBlocks(t *testing.T) {
	list := []Variable{
		{Name: "deep", Block: Block{Depth: 2}},
		{Name: "x", Block: Block{Depth: 1}},
		{Name: "arg", Argument: true, Block: Block{Depth: 1}},
		{Name: "first"},
		{Name: "x"},
		{Name: "second"},
	}
	Arrange(list)
	var names []string
	for _, v := range list {
		names = append(names, v.Name)
	}
	if want := []string{"arg", "first", "x", "second", "x", "deep"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if got, want := hidden(list), []bool{false, false, true, false, false, false}; !slices.Equal(got, want) {
		t.Errorf("hidden: %v, want %v", got, want)
	}
}

// The unit of a duration is that of its ratio: C++20, [time.syn].
func TestPeriods(t *testing.T) {
	for _, tt := range []struct{ duration, ratio, want string }{
		{"std::chrono::duration<long, std::ratio<1l, 1000000000l> >", "", " ns"},
		{"std::chrono::duration<long, std::ratio<1, 1000000> >", "", " µs"},
		{"std::chrono::duration<__int64,std::ratio<1,1000> >", "", " ms"},
		{"std::chrono::duration<double, std::ratio<1, 1> >", "", " s"},
		{"std::__1::chrono::duration<long, std::__1::ratio<3600L, 1L> >", "", " h"},
		{"std::chrono::duration<int,std::ratio<86400,1> >", "", " d"},
		{"std::chrono::duration<int,std::ratio<1,60> >", "", " × 1/60 s"},
		{"duration<long, std::ratio<60> >", "", " min"}, // a denominator of 1 is left out
		{"duration<long>", "std::ratio<1, 1000>", " ms"},
		{"duration<long>", "", ""},
		{"duration<long, std::ratio<> >", "", ""},
		{"duration<long, std::ratio<N, M> >", "", " × ?/? s"},
	} {
		if got := period(tt.duration, tt.ratio); got != tt.want {
			t.Errorf("period(%q, %q) = %q, want %q", tt.duration, tt.ratio, got, tt.want)
		}
	}
}
