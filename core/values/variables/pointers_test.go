package variables

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/values/types"
)

// Addresses have the digits of the CPU. A pointer without a size has the CPU's, and a larger one
// than 8 bytes is damage.
func TestPointersOfSizes(t *testing.T) {
	sized := func(n uint64) *types.Type { p := *pointer(nil); p.Size, p.Sized = n, n > 0; return &p }
	m := memory{0x100: words(0x1122_3344_5566_7788, 0)}
	for _, test := range []struct {
		arch *cpu.Arch
		t    *types.Type
		want string
	}{
		{&cpu.AMD64, sized(8), "v = 0x1122334455667788"},
		{&cpu.AMD64, sized(4), "v = 0x0000000055667788"}, // x32
		{&cpu.AMD64, sized(0), "v = 0x1122334455667788"},
		{&cpu.X86, sized(4), "v = 0x55667788"},
		{&cpu.X86, sized(0), "v = 0x55667788"},
		{&cpu.X86, sized(2), "v = 0x00007788"},
		{&cpu.AMD64, sized(16), "v <unreadable>"},
	} {
		f := frameOf(m, at("v", 0x100, test.t))
		f.Arch = test.arch
		if got := read(f); got != test.want {
			t.Errorf("%s, %d bytes: %s, want %s", test.arch.Name, test.t.Size, got, test.want)
		}
	}
}

// A reference is the object that it refers to. One to a scalar has it as a child, too; one to a
// reference, which only a damaged type has, ends.
func TestReferences(t *testing.T) {
	ref := func(t *types.Type) *types.Type {
		return &types.Type{Kind: types.Reference, Elem: to(t), Size: 8, Sized: true, Language: types.CPlusPlus}
	}
	itself := ref(nil)
	itself.Elem = to(itself)
	pair := structure("P", 8, member("a", 0, integer), member("b", 4, integer))
	holder := structure("H", 16, member("r", 0, ref(integer)), member("n", 8, long))
	m := memory{0x100: words(0x200, 3), 0x110: words(0x9000), 0x120: words(0x120), 0x200: words(2<<32 | 1)}
	for _, test := range []struct {
		name string
		v    Variable
		want string
	}{
		{"to a number", at("r", 0x100, ref(integer)), "r = 1 {&r = 1}"},
		{"to a structure", at("r", 0x100, ref(pair)), "r = 0x0000000000000200 {a = 1, b = 2}"},
		{"to an array", at("r", 0x100, ref(array(integer, 2))), "r = 0x0000000000000200 {[0] = 1, [1] = 2}"},
		{"to a pointer", at("r", 0x110, ref(pointer(integer))), "r <not_captured>"},
		{"of a member", at("h", 0x100, holder), "h {r = 1 {&r = 1}, n = 3}"},
		{"to what was not captured", at("r", 0x110, ref(integer)), "r <not_captured>"},
		{"to itself", at("r", 0x120, itself), "r <unreadable>"},
	} {
		if got := read(frameOf(m, test.v)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// A scalar has at most 64 bytes, and a kind without a text of its own is a number.
func TestWidestScalars(t *testing.T) {
	of := func(n uint64) *types.Type { return base(types.Unsigned, "wide", n) }
	m := memory{0x100: append([]byte{1, 2, 3}, make([]byte, 70)...)}
	for _, test := range []struct {
		t    *types.Type
		want string
	}{
		{of(3), "v = 197121"},
		{of(64), "v = 197121"},
		{of(65), "v <unreadable>"},
		{of(0), "v <unreadable>"},
		{base(types.MemberPointer, "int S::*", 8), "v = 0x0000000000030201"},
		{base(types.MemberPointer, "void (S::*)()", 16), "v = 0x00000000000000000000000000030201"},
		{base(types.Bool, "bool", 2), "v = true"},
	} {
		if got := read(frameOf(m, at("v", 0x100, test.t))); got != test.want {
			t.Errorf("%s of %d: %s, want %s", test.t.Name, test.t.Size, got, test.want)
		}
	}
}
