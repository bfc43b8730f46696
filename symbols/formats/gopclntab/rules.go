package gopclntab

import (
	"errors"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/stack/unwind"
)

// CallFrame implements unwind.Rules: the table has the distance from the stack pointer to where it was when the function was
// entered. A function that moves the stack pointer to another stack has no rules.
func (t *Table) CallFrame(rel uint64) (frame unwind.CallFrame, ok bool) {
	f, ok := t.at(rel + t.base())
	if !ok {
		return frame, false
	}
	frame = unwind.CallFrame{Start: f.start - t.opt.Base, Size: f.end - f.start, From: "Go's table"}
	size, ok := t.value(&f, f.sp, rel+t.opt.Base)
	if frame.Rules = t.rules(&f, size.value); !ok {
		frame.Rules = nil
	}
	return frame, len(frame.Rules) > 0
}

// rules are the rules of a function with so many bytes on the stack. The return address of CPUs with a link register is at the
// bottom of the frame, as soon as there is one; the frame pointer is in the word below, on others in the word below the
// return address. Assembly need not save it. Source: Go, src/cmd/internal/obj/{x86,arm64}/obj*.go (preprocess), and
// src/cmd/link/internal/ld/dwarf.go (writeframes).
func (t *Table) rules(f *function, size int64) []unwind.Rule {
	arch := t.arch
	name := ""
	if f.flags&(flagMoves|flagTop) != 0 {
		name = t.nameOf(f)
	}
	top := name != "" && ends(name, f.flags)
	if arch == nil || size < 0 || f.flags&flagMoves != 0 && !top && name != goCallback {
		return nil
	}
	word, sp := int64(t.word), arch.RegName(arch.SP)
	if top {
		return []unwind.Rule{{Reg: unwind.CFA, From: unwind.At(sp, size+word)}, {Reg: unwind.RA}}
	}
	var rules []unwind.Rule
	saved := unwind.Word(unwind.CFA, -2*word)
	if arch.LR == cpu.None {
		rules = []unwind.Rule{{Reg: unwind.CFA, From: unwind.At(sp, size+word)}, {Reg: unwind.RA, From: unwind.Word(unwind.CFA, -word)}}
	} else {
		rules = []unwind.Rule{{Reg: unwind.CFA, From: unwind.At(sp, size)}, {Reg: unwind.RA, From: unwind.Word(unwind.CFA, -size)}}
		saved = unwind.Word(unwind.CFA, -size-word)
		if size == 0 {
			rules[1].From = unwind.At(arch.RegName(arch.LR), 0)
		}
	}
	switch {
	case size == 0 || arch.FP == cpu.None:
	case f.flags&flagAsm == 0 && t.magic != magic2 && framePointers[arch]:
		rules = append(rules, unwind.Rule{Reg: arch.RegName(arch.FP), From: saved})
	default:
		rules = append(rules, unwind.Rule{Reg: arch.RegName(arch.FP)})
	}
	return rules
}

// goCallback runs a function of Go for C. It moves to the goroutine's stack, and makes a frame of its own size there, whose return address is where the
// goroutine has called C. Source: Go, src/runtime/asm_*.s.
const goCallback = "runtime.cgocallback"

// ends reports whether a function has no caller: it began the stack or, like mcall, it does not return to the one that it left.
// A signal handler interrupted code, and the saved registers of that follow.
func ends(name string, flags uint8) bool {
	return flags&flagTop != 0 && !strings.HasPrefix(name, "runtime.sig") || name == "runtime.mcall"
}

// framePointers are the CPUs on which Go's functions save the frame pointer.
var framePointers = map[*cpu.Arch]bool{&cpu.AMD64: true, &cpu.ARM64: true}

// EachCallFrame lists the rules of all functions.
func (t *Table) EachCallFrame(add func(*unwind.CallFrameTable) error) error {
	if t == nil {
		return nil
	}
	for i := range t.count {
		f, ok := t.function(i)
		if !ok {
			continue
		}
		out := unwind.CallFrameTable{Start: f.start - t.opt.Base, Size: f.end - f.start}
		var before []unwind.Rule
		t.rows(&f, f.sp, func(r row) bool {
			now := t.rules(&f, r.value)
			switch {
			case len(now) == 0:
				return false
			case before == nil:
				out.Rules = now
			default:
				if changed := unwind.Diff(nil, before, now); len(changed) > 0 {
					out.Rows = append(out.Rows, unwind.CallFrameRow{Addr: r.start - t.opt.Base, Rules: changed})
				}
			}
			before = now
			return true
		})
		if len(out.Rules) == 0 {
			continue
		}
		if err := add(&out); err != nil {
			return err
		}
	}
	return nil
}

var errFirst = errors.New("gopclntab: the first rules are known")

// First returns the first rules, nil if there are none.
func (t *Table) First() *unwind.CallFrameTable { return t.first() }

func (t *Table) firstRules() (first *unwind.CallFrameTable) {
	_ = t.EachCallFrame(func(c *unwind.CallFrameTable) error {
		first = c
		return errFirst
	})
	return first
}
