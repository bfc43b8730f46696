package crash

import (
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/sample"
)

// A processor is a CPU of the crashes below, with code that it executes. codes are the codes at the
// program counter by name, before those in front of it; traps are the names among them of
// instructions that raise a breakpoint exception, and of system calls.
type processor struct {
	arch   *cpu.Arch
	sp     cpu.Reg
	base   cpu.Reg // of the load
	codes  map[string]string
	before map[string]string
}

var processors = []processor{
	{&cpu.AMD64, cpu.RSP, cpu.RBX,
		map[string]string{"": "", "nop": "90", "zeros": "00 00 00 00 00 00", "trap": "cc", "load": "48 8b 43 10", "idiv": "f7 f9", "no instruction": "06"},
		map[string]string{"": "", "nop": "90 90", "zeros": "00 00", "trap": "90 cc", "long trap": "cd 03", "icebp": "90 f1", "system call": "0f 05"}},
	{&cpu.X86, cpu.ESP, cpu.EBX,
		map[string]string{"": "", "nop": "90", "trap": "cc", "load": "8b 43 10"},
		map[string]string{"": "", "nop": "90 90", "trap": "90 cc", "system call": "cd 80"}},
	{&cpu.ARM64, cpu.A64SP, cpu.Reg(1),
		map[string]string{"": "", "nop": "1f 20 03 d5", "trap": "00 00 20 d4", "trap of __debugbreak": "00 00 3e d4", "load": "20 08 40 f9"},
		map[string]string{"": "", "nop": "1f 20 03 d5", "trap behind": "00 00 20 d4", "system call": "01 00 00 d4"}},
	{&cpu.ARM, cpu.ARM.SP, cpu.Reg(1), // in ARM state
		map[string]string{"": "", "nop": "00 f0 20 e3", "trap": "70 00 20 e1", "trap of gdb": "f0 01 f0 e7"},
		map[string]string{"": "", "nop": "00 f0 20 e3", "system call": "00 00 00 ef"}},
	{&cpu.RISCV64, cpu.RISCV64.SP, cpu.Reg(1),
		map[string]string{"": "", "nop": "13 00 00 00", "trap": "73 00 10 00", "short trap": "02 90 01 00"},
		map[string]string{"": "", "nop": "13 00 00 00", "system call": "73 00 00 00"}},
	{&cpu.MIPS, cpu.MIPS.SP, cpu.Reg(1),
		map[string]string{"": "", "nop": "00 00 00 00", "trap": "0d 00 00 00", "trap if equal": "34 00 00 00"},
		map[string]string{"": "", "nop": "00 00 00 00", "system call": "0c 00 00 00"}},
	{&cpu.PPC, cpu.PPC.SP, cpu.Reg(1),
		map[string]string{"": "", "nop": "00 00 00 60", "trap": "08 00 e0 7f", "trap immediate": "00 00 e0 0f"},
		map[string]string{"": "", "nop": "00 00 00 60", "system call": "02 00 00 44"}},
	{&cpu.PPC64, cpu.PPC64.SP, cpu.Reg(1),
		map[string]string{"": "", "nop": "00 00 00 60", "trap": "08 00 e0 7f"},
		map[string]string{"": "", "nop": "00 00 00 60", "system call": "02 00 00 44"}},
}

// A told is a synthetic crash and what is true of it.
type told struct {
	*scene
	name         string
	processor    *processor
	code, before string // names
	address      uint64 // that the record says was accessed
	mapping      string // the list of mappings at address: "", "none", "mapped", "reserved"
	captured     bool   // the dump has memory at address
}

// A fact is a sentence that the dump has to prove.
type fact struct {
	says  *regexp.Regexp
	holds func(c *told, said []string) bool
	known map[string]bool // sentences that were compared already
}

// claimedBy reports whether a sentence says so. Thousands of crashes share a few sentences.
func (f *fact) claimedBy(sentence string) bool {
	says, ok := f.known[sentence]
	if !ok {
		says = f.says.MatchString(sentence)
		if f.known == nil {
			f.known = map[string]bool{}
		}
		f.known[sentence] = says
	}
	return says
}

// ran reports whether the code at or in front of the program counter is a breakpoint.
func (c *told) ran() bool {
	return strings.Contains(c.code, "trap") || c.x86() && (strings.Contains(c.before, "trap") || c.before == "icebp")
}

func (c *told) x86() bool  { return c.Arch == &cpu.AMD64 || c.Arch == &cpu.X86 }
func (c *told) unix() bool { return c.OS == "linux" }

// loads reports whether the code is a load from a register that is 0.
func (c *told) loads() bool { return c.code == "load" }

// denied reports whether the dump shows that something is mapped at the address.
func (c *told) denied() bool {
	return c.mapping == "mapped" || c.captured ||
		c.OS == "windows" && (c.Exception.Code == guardPage || c.Exception.Code == inPageError) ||
		c.unix() && c.Exception.Code == sigSEGV && c.Exception.Flags == segvAccErr
}

// sender reports whether the address can be the process that sent the signal.
func (c *told) sender() bool {
	return c.unix() && c.Exception.Flags == siUser && c.Exception.Address&0xffff_ffff != 0 && c.Exception.Address&0xffff_ffff <= maxPID
}

// inCall reports whether the thread can have been in a system call.
func (c *told) inCall() bool { return c.before == "" || c.before == "system call" }

func (c *told) functions(names ...string) bool {
	return slices.ContainsFunc(c.Frames, func(f Row) bool { return slices.Contains(names, f.function()) })
}

var claims = []fact{
	{says: regexp.MustCompile(`[Bb]reakpoint instruction ran|__debugbreak ran|The instruction is .(int3|int 0x3|brk|bkpt|udf|ebreak)`),
		holds: func(c *told, _ []string) bool { return c.ran() }},
	{says: regexp.MustCompile(`without a breakpoint|is no breakpoint|is a breakpoint,`),
		holds: func(c *told, _ []string) bool { return !c.ran() && (c.code != "" || c.before != "") }},
	{says: regexp.MustCompile(`no debugger`), holds: func(*told, []string) bool { return false }},
	{says: regexp.MustCompile(`a debugger (had|that)|of a debugger|by a debugger|debugger is attached`),
		holds: func(c *told, _ []string) bool { return c.OS == "windows" && !c.functions("middle") }},
	{says: regexp.MustCompile(`^Nothing is (ever )?mapped|[^t] nothing is mapped|[Uu]nmapped`), holds: func(c *told, _ []string) bool { return !c.denied() }},
	{says: regexp.MustCompile(`[Nn]ull pointer`), holds: func(c *told, said []string) bool {
		return c.loads() || (c.code == "zeros") || c.address < nullZone && !c.denied()
	}},
	{says: regexp.MustCompile(`KiB of it`), holds: func(c *told, said []string) bool {
		used := regexp.MustCompile(`(\d+) KiB of it`).FindStringSubmatch(strings.Join(said, " "))
		n, _ := strconv.ParseUint(used[1], 10, 64)
		sp, _ := c.Regs.Get(c.processor.sp)
		return n > 0 && n == (c.StackHigh-sp)>>10
	}},
	{says: regexp.MustCompile(`^Stack overflow|^The thread used up its stack`), holds: func(c *told, _ []string) bool {
		return c.OS == "windows" && c.Exception.Code == stackOverflow || c.address < c.StackLow && c.StackLow-c.address <= stackGap
	}},
	{says: regexp.MustCompile(`The program (accessed|read|wrote)`), holds: func(c *told, _ []string) bool { return !c.sender() || c.loads() }},
	{says: regexp.MustCompile(`abort\(\) called|called abort`), holds: func(c *told, _ []string) bool { return c.functions("abort") || c.inCall() }},
	{says: regexp.MustCompile(`divided by zero|Division by zero`), holds: func(c *told, said []string) bool {
		return c.code == "idiv" || c.code == "" || !c.x86() || strings.Contains(said[1], "does not divide")
	}},
	{says: regexp.MustCompile(`^(Null pointer|Access to|Read from|Write to|Jump to)`), holds: func(c *told, said []string) bool {
		return !c.sender() || c.loads() || c.address < nullPage || strings.Contains(said[0], " sent by ")
	}},
	{says: regexp.MustCompile(`right behind a system call|was waiting`), holds: func(c *told, _ []string) bool { return c.before == "system call" }},
	{says: regexp.MustCompile(`Execution of zeros`), holds: func(c *told, _ []string) bool { return c.code == "zeros" }},
}

// An accident is an exception of a system.
type accident struct {
	os          process.OS
	code, flags uint32
	params      func(address uint64) []uint64
	memory      bool // it names an accessed address
}

func accessParams(kind uint64) func(uint64) []uint64 {
	return func(address uint64) []uint64 { return []uint64{kind, address} }
}

var accidents = []accident{
	{os: "linux", code: sigSEGV, flags: siUser, memory: true}, {os: "linux", code: sigSEGV, flags: segvMapErr, memory: true},
	{os: "linux", code: sigSEGV, flags: segvAccErr, memory: true},
	{os: "linux", code: sigBUS, flags: siUser, memory: true}, {os: "linux", code: sigBUS, flags: busAdrErr, memory: true},
	{os: "linux", code: sigTRAP, flags: siUser}, {os: "linux", code: sigTRAP, flags: trapBreakpoint},
	{os: "linux", code: sigTRAP, flags: siKernel}, {os: "linux", code: sigTRAP, flags: 2},
	{os: "linux", code: sigFPE, flags: siUser}, {os: "linux", code: sigFPE, flags: fpeIntDiv}, {os: "linux", code: sigILL, flags: siUser},
	{os: "linux", code: sigABRT, flags: siUser}, {os: "linux", code: sigABRT, flags: siTkill},
	{os: "windows", code: accessViolation, flags: 0, params: accessParams(0), memory: true},
	{os: "windows", code: accessViolation, flags: 0, params: accessParams(1), memory: true},
	{os: "windows", code: guardPage, flags: 0, params: accessParams(1), memory: true}, {os: "windows", code: guardPage, flags: 0},
	{os: "windows", code: stackOverflow, flags: 0, params: accessParams(1), memory: true}, {os: "windows", code: stackOverflow, flags: 0},
	{os: "windows", code: inPageError, flags: 0, params: func(a uint64) []uint64 { return []uint64{0, a, 0xc000_0185} }, memory: true},
	{os: "windows", code: breakpoint, flags: 0}, {os: "windows", code: intDivideByZero, flags: 0},
	{os: "mac", code: excBadAccess, flags: kernInvalidAddress, memory: true}, {os: "mac", code: excBreakpoint, flags: 2}, {os: "mac", code: excArithmetic, flags: 1},
}

// toldStacks are the frames of the crashed thread; "!" marks a system library.
var toldStacks = map[string][]string{
	"of the program": {"middle", "main"}, "that aborts": {"!raise", "!abort", "middle"},
	"of a debugger": {"!DbgBreakPoint", "!DbgUiRemoteBreakin", "!BaseThreadInitThunk"}, "without names": {"", ""}, "of the system": {"!", "!"},
}

// build builds one crash.
func (o combination) build(t *testing.T, m *processor, a accident) *told {
	code, before, mapping, stack, address := o.code, o.before, o.mapping, o.stack, o.address
	s := crashAt(t, m.codes[code])
	inFront := crashAt(t, m.before[before]).bytes
	for at, b := range inFront {
		s.bytes[at-uint64(len(inFront))] = b
	}
	if m.arch != &cpu.AMD64 {
		s.on(m.arch)
	}
	low, high := uint64(stackLow), uint64(stackHigh)
	if m.arch.Word == 4 {
		low, high = 0x7ffd_0000, 0x7ffd_0000+stackHigh-stackLow
		s.Regions[len(s.Regions)-1] = process.Region{Start: low, Last: high - 1, Access: "rw-", Name: "[stack]"}
		s.Regions = append(s.Regions[:2], s.Regions[3]) // the library is beyond
	}
	s.StackLow, s.StackHigh = low, high
	s.reg(m.sp, high-0x40).reg(m.base, 0)
	if stack == "of the program" {
		s.reg(m.sp, low+0x1000)
	}
	var params []uint64
	if a.params != nil {
		params = a.params(address)
	}
	s.fault(codeAddr)
	if a.os != "windows" {
		s.fault(address)
	}
	s.raise(a.os, a.code, a.flags, params...).stack(toldStacks[stack]...)
	if a.os == "windows" {
		for i := range s.Frames {
			if s.Frames[i].System {
				s.Frames[i].Module = new("ntdll.dll")
			}
		}
	}
	c := &told{scene: s, processor: m, code: code, before: before, address: address, mapping: mapping,
		name: fmt.Sprintf("%s on %s, code %#x %#x at %#x, %q at the program counter behind %q, %s in the list, stack %s",
			a.os, m.arch.Name, a.code, a.flags, address, code, before, mapping, stack)}
	c.place(address, mapping)
	if !a.memory {
		c.address = 0
	}
	return c
}

// place lists the address among the mappings.
func (c *told) place(address uint64, mapping string) {
	page := address &^ 0xfff
	g := process.Region{Start: page, Last: page + 0xfff}
	switch mapping {
	case "":
		c.Regions = nil
		return
	case "captured":
		c.Regions, c.captured = nil, true
		c.bytes[address] = 1
		return
	case "none":
		return
	case "mapped":
		g.Access = "rw-"
	}
	if slices.ContainsFunc(c.Regions, func(o process.Region) bool { return o.Contains(address) }) {
		c.mapping = "mapped"
		return
	}
	c.Regions = append(c.Regions, g)
	slices.SortFunc(c.Regions, func(a, b process.Region) int {
		if a.Start < b.Start {
			return -1
		}
		return 1
	})
}

// Whatever the exception, the code, the mappings and the stack are, no sentence says what another
// part of the dump denies.
func TestFactsOfAllWitnesses(t *testing.T) {
	t.Parallel()
	failed := map[string]int{}
	n := 0
	for i := range processors {
		for _, a := range accidents {
			for c := range a.on(&processors[i]) {
				if n++; n%sample.Step() == 0 {
					c.build(t, &processors[i], a).check(t, failed)
				}
			}
		}
	}
	for fact, times := range failed {
		t.Errorf("%d of %d crashes deny %s", times, n, fact)
	}
}

// A combination is what varies between crashes with one exception.
type combination struct {
	code, before, mapping, stack string
	address                      uint64
}

// on lists the combinations for an exception on a CPU. Mappings matter to accesses, the code in front
// of the program counter to all others.
func (a accident) on(m *processor) iter.Seq[combination] {
	return func(yield func(combination) bool) {
		if a.os != "linux" && m.base == cpu.Reg(1) && m.arch != &cpu.ARM64 || m.base == cpu.Reg(1) && m.arch != &cpu.ARM64 && a.code != sigTRAP {
			return
		}
		mappings, befores, addresses := []string{""}, slices.Sorted(maps.Keys(m.before)), []uint64{0, 0x1234}
		if a.memory {
			mappings, befores = []string{"", "none", "mapped", "reserved", "captured"}, []string{"", "nop"}
			addresses = []uint64{0, 0x1234, 0x5000, heapBase + 0x20_0000, 4660 | 1000<<32, stackLow - 8}
		}
		for _, code := range slices.Sorted(maps.Keys(m.codes)) {
			for _, before := range befores {
				for _, mapping := range mappings {
					for _, stack := range slices.Sorted(maps.Keys(toldStacks)) {
						for _, address := range addresses {
							if a.memory && stack != "of the program" || m.arch.Word == 4 && address > 0xffff_ffff {
								continue
							}
							if !yield(combination{code, before, mapping, stack, address}) {
								return
							}
						}
					}
				}
			}
		}
	}
}

// check compares all sentences of a verdict with the crash. It describes the first crash that
// denies a fact.
func (c *told) check(t *testing.T, failed map[string]int) {
	a := Analyze(c.Input)
	v := Verdict(c.Input, a)
	said := []string{v.What, v.Detail, a.Note}
	for _, b := range v.Badges {
		said = append(append(said, b.Text), b.Evidence...)
	}
	for i := range claims {
		f := &claims[i]
		at := slices.IndexFunc(said, f.claimedBy)
		if at < 0 || f.holds(c, said) {
			continue
		}
		if failed[f.says.String()]++; failed[f.says.String()] <= 2 {
			t.Logf("%s: %q is not so (%s. %s)", c.name, said[at], v.What, v.Detail)
		}
	}
}
