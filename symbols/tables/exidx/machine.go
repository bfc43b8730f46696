package exidx

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"crashglass/core/machine/postfix"
	"crashglass/core/stack/unwind"
)

// Registers with a part in unwinding.
const (
	regSP = 13
	regLR = 14
	regPC = 15
)

// A machine runs unwind instructions on texts instead of values. Its virtual
// stack pointer is an offset from something: the stack pointer to begin with.
type machine struct {
	code  []byte
	at    int
	base  string // a register, or postfix
	off   int64
	depth int // how many stack pointers out of memory base is made of
	saved [16]slot
	done  bool
	err   error
}

// A slot is where a register was saved.
type slot struct {
	known bool
	base  string
	off   int64
}

// maxDepth is how often the stack pointer may become something that was popped.
const maxDepth = 4

// run turns instructions into rules. It returns nothing and no error when they
// refuse to unwind.
func run(code []byte) ([]unwind.Rule, error) {
	m := machine{code: code, base: "sp"}
	for m.at < len(code) && !m.done && m.err == nil {
		m.step()
	}
	if m.err != nil {
		return nil, m.err
	}
	if m.base == "" {
		return nil, nil
	}
	return m.rules(), nil
}

func (m *machine) next() byte {
	if m.at >= len(m.code) {
		m.fail("the instructions end inside of one")
		return 0
	}
	m.at++
	return m.code[m.at-1]
}

func (m *machine) fail(format string, args ...any) {
	if m.err == nil {
		m.err = fmt.Errorf(format, args...)
	}
}

// pop takes registers off the stack, the lowest first. A popped stack pointer takes effect after all of
// them.
func (m *machine) pop(mask uint32) {
	for reg := range 16 {
		if mask&(1<<reg) != 0 {
			m.saved[reg] = slot{true, m.base, m.off}
			m.off += 4
		}
	}
	if mask&(1<<regSP) != 0 {
		m.become(regSP)
	}
}

// become sets the stack pointer to a register, with its popped value if it was popped.
func (m *machine) become(reg int) {
	s := m.saved[reg]
	m.off = 0
	if !s.known {
		m.base = name(reg)
		return
	}
	if m.depth++; m.depth > maxDepth {
		m.fail("the stack pointer is loaded more than %d times", maxDepth)
		return
	}
	m.base = text(s.base, s.off, true)
}

// rules returns the rules that result from the instructions. The caller's stack pointer is the CFA.
func (m *machine) rules() []unwind.Rule {
	out := []unwind.Rule{{Reg: unwind.CFA, From: value(m.base, m.off, false)}}
	from := regPC
	if !m.saved[regPC].known {
		from = regLR
	}
	ra := unwind.At(name(regLR), 0)
	if m.saved[from].known {
		ra = m.word(m.saved[from])
	}
	out = append(out, unwind.Rule{Reg: unwind.RA, From: ra})
	for reg := range regPC {
		if s := m.saved[reg]; s.known && reg != regSP && reg != from {
			out = append(out, unwind.Rule{Reg: name(reg), From: m.word(s)})
		}
	}
	return out
}

// word reads a slot, relative to the CFA where that is what it is relative to.
func (m *machine) word(s slot) unwind.Value {
	if s.base == m.base {
		return unwind.Word(unwind.CFA, s.off-m.off)
	}
	return value(s.base, s.off, true)
}

// value is a place, or an expression where a stack pointer out of memory is the base.
func value(base string, off int64, load bool) unwind.Value {
	if strings.Contains(base, " ") {
		return unwind.Value{Expr: postfix.Compile(text(base, off, load))}
	}
	return unwind.Value{Base: base, Off: off, Load: load}
}

func text(base string, off int64, load bool) string {
	out := base + " " + strconv.FormatInt(off, 10) + " +"
	if load {
		out += " ^"
	}
	return out
}

// name is a register's in symbol files.
func name(reg int) string {
	switch reg {
	case regSP:
		return "sp"
	case regLR:
		return "lr"
	case regPC:
		return "pc"
	}
	return "r" + strconv.Itoa(reg)
}

// skip moves over n registers of some bytes each that no walk needs.
func (m *machine) skip(n, size int64) { m.off += n * size }

func ones(b byte) int64 { return int64(bits.OnesCount8(b)) }
