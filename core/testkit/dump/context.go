package dump

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// contexts has the structures of the C headers, field by field: NAME:SIZE,
// PREFIX0-N:SIZE for a row of numbered fields, and _:SIZE for bytes that
// are not read. The CPU is as dump.System takes it.
var contexts = map[uint16]struct {
	flags  uint32
	fields string
}{
	X86: {0x1001f, `flags:4 _:24 _:112 gs:4 fs:4 es:4 ds:4 edi:4 esi:4 ebx:4 edx:4 ecx:4 eax:4 ebp:4 eip:4
		cs:4 eflags:4 esp:4 ss:4 _:512`},
	AMD64: {0x10001f, `_:48 flags:4 mxcsr:4 _:12 eflags:4 _:48 rax:8 rcx:8 rdx:8 rbx:8 rsp:8 rbp:8 rsi:8 rdi:8
		r8-15:8 rip:8 _:512 _:416 _:48`},
	ARM:      {0x40000003, `flags:4 r0-10:4 fp:4 r12:4 sp:4 lr:4 pc:4 cpsr:4 _:296`},
	ARM64:    {0x400003, `flags:4 cpsr:4 x0-28:8 fp:8 lr:8 sp:8 pc:8 _:512 _:8 _:96 _:24`},
	ARM64Old: {0x80000003, `flags:8 x0-28:8 fp:8 lr:8 sp:8 pc:8 cpsr:4 _:8 _:512`},
	MIPS:     {0x40003, mipsFields},
	MIPS64:   {0x80003, mipsFields},
	PPC:      {0x20000003, `flags:4 srr0:4 srr1:4 r0-31:4 cr:4 xer:4 lr:4 ctr:4 mq:4 vrsave:4 _:264 _:576`},
	PPC64:    {0x1000003, `flags:8 srr0:8 srr1:8 r0-31:8 cr:8 xer:8 lr:8 ctr:8 vrsave:8 _:264 _:576`},
	SPARC:    {0x10000003, `flags:4 _:4 g0-7:8 o0-7:8 l0-7:8 i0-7:8 ccr:8 pc:8 npc:8 y:8 asi:8 fprs:8 _:272`},
	RISCV:    {0x800003, `flags:4 _:4 pc:4 ra:4 sp:4 gp:4 tp:4 t0-2:4 s0-1:4 a0-7:4 s2-11:4 t3-6:4 _:132`},
	RISCV64:  {0x8000003, `flags:4 _:4 pc:8 ra:8 sp:8 gp:8 tp:8 t0-2:8 s0-1:8 a0-7:8 s2-11:8 t3-6:8 _:264`},
}

const mipsFields = `flags:4 _:4 zero:8 at:8 v0-1:8 a0-3:8 t0-7:8 s0-7:8 t8-9:8 k0-1:8 gp:8 sp:8 fp:8 ra:8
	hi:8 lo:8 _:24 _:8 pc:8 badvaddr:8 _:8 _:264`

// Context returns a thread's context with the given registers, and zeros
// elsewhere. A register that the CPU does not have fails the test.
func (b *Builder) Context(t testing.TB, processor uint16, regs map[string]uint64) []byte {
	t.Helper()
	layout, ok := contexts[processor]
	if !ok {
		t.Fatalf("dump: no context for processor %#x", processor)
	}
	s := b.Section()
	used := map[string]bool{}
	for _, field := range strings.Fields(layout.fields) {
		name, size := parseField(t, field)
		for _, one := range expand(t, name) {
			v, given := regs[one]
			used[one] = used[one] || given
			if one == "flags" && !given {
				v = uint64(layout.flags)
			}
			appendField(s, size, one, v)
		}
	}
	for name := range regs {
		if !used[name] {
			t.Fatalf("dump: processor %#x has no register %q", processor, name)
		}
	}
	return s.Build(t)
}

func appendField(s *asm.Section, size int, name string, v uint64) {
	if name == "_" {
		s.Zeros(size)
		return
	}
	s.Word(size, v)
}

func parseField(t testing.TB, field string) (name string, size int) {
	t.Helper()
	name, number, _ := strings.Cut(field, ":")
	size, err := strconv.Atoi(number)
	if err != nil {
		t.Fatalf("dump: field %q: %v", field, err)
	}
	return name, size
}

// expand makes r8-15 the names r8, r9, ... r15.
func expand(t testing.TB, name string) []string {
	t.Helper()
	from, to, isRow := strings.Cut(name, "-")
	if !isRow {
		return []string{name}
	}
	prefix := strings.TrimRight(from, "0123456789")
	first, err1 := strconv.Atoi(from[len(prefix):])
	last, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil {
		t.Fatalf("dump: row %q", name)
	}
	var names []string
	for i := first; i <= last; i++ {
		names = append(names, fmt.Sprintf("%s%d", prefix, i))
	}
	return names
}
