package pe

import (
	"cmp"
	"slices"
	"testing"

	"crashglass/core/machine/isa"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
)

// framed saves rbx by its frame register, which is 16 bytes above rsp:
//
//	push rbp; sub rsp, 20h; lea rbp, [rsp+10h]; mov [rsp+10h], rbx
func framed() *asm.Section {
	return info(1, 0, 12, 5|1<<4, 12, 4|3<<4, 2, 0, 8, 3, 4, 2|3<<4, 1, 5<<4)
}

// TestAMD64Prolog asks behind each instruction of a prolog. The frame register is used
// from the one on that sets it: RtlVirtualUnwind, "x64 exception handling".
func TestAMD64Prolog(t *testing.T) {
	for _, tt := range []struct {
		off  uint64
		want string
	}{
		{0, ".cfa: $rsp 8 + .ra: .cfa -8 + ^"},
		{1, ".cfa: $rsp 16 + .ra: .cfa -8 + ^ $rbp: .cfa -16 + ^"},
		{4, ".cfa: $rsp 48 + .ra: .cfa -8 + ^ $rbp: .cfa -16 + ^"},
		{7, ".cfa: $rsp 48 + .ra: .cfa -8 + ^ $rbp: .cfa -16 + ^"},
		{8, ".cfa: $rbp 32 + .ra: .cfa -8 + ^ $rbp: .cfa -16 + ^"},
		{11, ".cfa: $rbp 32 + .ra: .cfa -8 + ^ $rbp: .cfa -16 + ^"},
		{12, ".cfa: $rbp 32 + .ra: .cfa -8 + ^ $rbx: .cfa -32 + ^ $rbp: .cfa -16 + ^"},
	} {
		if got, _ := at(t, nops(0x40), framed(), tt.off); got != tt.want {
			t.Errorf("%d:\n got %s\nwant %s", tt.off, got, tt.want)
		}
	}
	// A part of the function has no frame register of its own.
	got, _ := at(t, nops(0x40), chained(t, 1, 0, nil, framed()), 0x20)
	if want := ".cfa: $rbp 32 + .ra: .cfa -8 + ^ $rbx: .cfa -32 + ^ $rbp: .cfa -16 + ^"; got != want {
		t.Errorf("part:\n got %s\nwant %s", got, want)
	}
}

// Every instruction of a function has the same rules in the listing as when it is asked for.
func TestAMD64Listed(t *testing.T) {
	pushed := func() *asm.Section { return info(1, 0, 5, 0, 5, 2|3<<4, 1, 3<<4) } // push rbx; sub rsp, 20h
	popping := []byte{0x5b, 0x41, 0x5c, 0xc3}
	for _, tt := range []struct {
		name   string
		code   []byte // at 0x10
		record *asm.Section
	}{
		{"a prolog with a frame register", nil, framed()},
		{"epilogs of version 2: pop rbx; pop r12; ret", slices.Concat(nops(0x10), popping, nops(0x18), popping), info(2, 0, 8, 0, 4, 6|1<<4, 0x20, 6, 8, 2|3<<4, 4, 3<<4, 3, 12<<4)},
		{"add rsp, 20h; pop rbx; ret", []byte{0x48, 0x83, 0xc4, 0x20, 0x5b, 0xc3}, pushed()},
		{"mov rsp, r11; pop rbx; ret", []byte{0x49, 0x8b, 0xe3, 0x5b, 0xc3}, pushed()},
		{"mov rsp, rbp; pop rbx; ret, as GCC writes it", []byte{0x48, 0x89, 0xec, 0x5b, 0xc3}, pushed()},
		{"mov rsp, rbp; pop rbx; ret, as MSVC writes it", []byte{0x48, 0x8b, 0xe5, 0x5b, 0xc3}, pushed()},
		{"pop rcx; pop rbx; ret, for 8 bytes", []byte{0x59, 0x5b, 0xc3}, info(1, 0, 5, 0, 5, 2|0<<4, 1, 3<<4)},
		{"a jump behind the function", []byte{0x48, 0x83, 0xc4, 0x20, 0x5b, 0xe9, 0x35, 0, 0, 0}, pushed()},
		{"a jump within it", []byte{0x48, 0x83, 0xc4, 0x20, 0x5b, 0xeb, 0x08}, pushed()},
		{"two pops and a return", []byte{0x5b, 0x5d, 0xc3}, info(1, 0, 6, 0, 6, 2|3<<4, 2, 3<<4, 1, 5<<4)},
	} {
		c := nops(0x40)
		copy(c[0x10:], tt.code)
		f := open(t, amd64Image(t, c, tt.record.Build(t)))
		table := tables(t, f)[0]
		for off := 0; off < len(c); off += int(isa.AMD64.Decode(c[off:], 0).Size) {
			rel := table.Start + uint64(off)
			cf, _ := f.CallFrame(rel)
			if got, want := sortedRules(rulesIn(table, rel)), sortedRules(cf.Rules); got != want {
				t.Errorf("%s: %#x is listed as %s, asked %s", tt.name, rel, got, want)
				break
			}
		}
	}
}

// sortedRules writes rules in the order of their registers, without those of registers
// that are as they were: only the listing says so.
func sortedRules(rules []unwind.Rule) string {
	sorted := slices.DeleteFunc(slices.Clone(rules), func(r unwind.Rule) bool {
		return unwind.RuleText([]unwind.Rule{r}) == r.Reg+": "+r.Reg
	})
	slices.SortFunc(sorted, func(a, b unwind.Rule) int { return cmp.Compare(a.Reg, b.Reg) })
	return unwind.RuleText(sorted)
}
