package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// Pointers to the heap of Android have 0xb4 in their upper byte, which the CPU ignores and the
// kernel removes from si_addr. Sources: source.android.com/docs/security/test/tagged-pointers;
// Linux, Documentation/arch/arm64/tagged-pointers.rst.
func TestTaggedPointers(t *testing.T) {
	const (
		ldr, str, indexed = "01 08 40 f9", "01 08 00 f9", "02 68 61 f8" // ldr x1, [x0, #16]; str x1, [x0, #16]; ldr x2, [x0, x1]
		tag               = 0xb4 << 56
	)
	at := func(code string, base, reported uint64, flags uint32) *scene {
		s := crashAt(t, code).on(&cpu.ARM64).reg(0, base).reg(1, 8).fault(reported)
		return s.raise("android", sigSEGV, flags)
	}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"unmapped memory", "Read from unmapped address 0x620010. `ldr x1, [x0, #16]` reads 8 bytes at 0x620010; x0 is 0xb400000000620000, whose upper byte the CPU ignores. Nothing is mapped there.",
			at(ldr, tag|heapBase+0x2_0000, heapBase+0x2_0010, segvMapErr)},
		{"without a tag", "Read from unmapped address 0x620010. `ldr x1, [x0, #16]` reads 8 bytes at 0x620010; x0 is 0x620000. Nothing is mapped there.",
			at(ldr, heapBase+0x2_0000, heapBase+0x2_0010, segvMapErr)},
		{"a tag that the handler asked for", "Read from unmapped address 0x620010. `ldr x1, [x0, #16]` reads 8 bytes at 0x620010; x0 is 0xb400000000620000, whose upper byte the CPU ignores. Nothing is mapped there.",
			at(ldr, tag|heapBase+0x2_0000, tag|heapBase+0x2_0010, segvMapErr)},
		{"that tag, next to the heap", "Read from unmapped address 0x610010. `ldr x1, [x0, #16]` reads 8 bytes at 0x610010; x0 is 0xb400000000610000, whose upper byte the CPU ignores. It lies 16 bytes behind the end of [heap].",
			at(ldr, tag|heapBase+0x1_0000, tag|heapBase+0x1_0010, segvMapErr)},
		{"that tag, of memory that is read only", "Write to read-only memory. `str x1, [x0, #16]` writes 8 bytes at 0x401010; x0 is 0xb400000000401000, whose upper byte the CPU ignores. " +
			"The memory from 0x400000 to 0x40ffff, in app, can be read and executed, but not written to.", at(str, tag|codeAddr, tag|codeAddr+0x10, segvAccErr)},
		{"that tag, of null", "Null pointer read. `ldr x1, [x0, #16]` reads 8 bytes at 0x10; x0 is 0xb400000000000000, whose upper byte the CPU ignores. " +
			"So low an address is most likely an offset from a null pointer, or a small number used as a pointer.", at(ldr, tag, tag|0x10, segvMapErr)},
		{"what a failed authentication leaves is no tag", "Pointer authentication failed. `ldr x1, [x0, #16]` reads 8 bytes at 0x2000000000600010; x0 is 0x2000000000600000. " +
			"Without the upper bits the address is 0x600010, in [heap]; these upper bits are what a failed authentication leaves.", at(ldr, 0x2000<<48|heapBase, 0x2000<<48|heapBase+0x10, segvMapErr)},
		{"memory that is read only: the tag is no signature", "Write to read-only memory. `str x1, [x0, #16]` writes 8 bytes at 0x401010; x0 is 0xb400000000401000, whose upper byte the CPU ignores. " +
			"The memory from 0x400000 to 0x40ffff, in app, can be read and executed, but not written to.", at(str, tag|codeAddr, codeAddr+0x10, segvAccErr)},
		{"the tag of the memory differs", "Memory tag mismatch. `ldr x1, [x0, #16]` reads 8 bytes at 0x600010; x0 is 0xb400000000600000, whose upper byte the CPU ignores. " +
			"The tag of a pointer does not match that of its memory.", at(ldr, tag|heapBase, heapBase+0x10, segvMTESync)},
		{"of two registers the tagged one is the pointer", "Read from unmapped address 0x620008. `ldr x2, [x0, x1]` reads 8 bytes at 0x620008; x0 is 0xb400000000620000, whose upper byte the CPU ignores. Nothing is mapped there.",
			at(indexed, tag|heapBase+0x2_0000, heapBase+0x2_0008, segvMapErr)},
		{"the kernel's half keeps its upper byte", "Read from unmapped address 0xffffff8000000010. `ldr x1, [x0, #16]` reads 8 bytes at 0xffffff8000000010; x0 is 0xffffff8000000000. Nothing is mapped there.",
			at(ldr, 0xffff_ff80_0000_0000, 0xffff_ff80_0000_0010, segvMapErr)},
	}
	for _, tt := range tests {
		if got := said(t, tt.s); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
	s := crashAt(t, ldr).on(&cpu.ARM64).reg(0, tag|heapBase+0x2_0000).windows(0, tag|heapBase+0x2_0010)
	if got, want := said(t, s), "Read from unmapped address 0xb400000000620010."; !strings.HasPrefix(got, want) {
		t.Errorf("Windows uses all bits: %s", got)
	}
}

// A register with a tag supports a flipped bit like one without, and so does a reported address.
func TestTaggedFlips(t *testing.T) {
	for _, reported := range []uint64{heapBase + 0x10 | 1<<40, 0xb4<<56 | heapBase + 0x10 | 1<<40} {
		s := crashAt(t, "01 08 40 f9").on(&cpu.ARM64).reg(0, 0xb4<<56|heapBase|1<<40).reg(2, 0xb4<<56|heapBase+0x20).fault(reported)
		if got, want := flipsOf(s), "0x600010 near 1, 0x600000 by x0 near 1"; got != want {
			t.Errorf("%#x: %s, want %s", reported, got, want)
		}
	}
}

// The upper byte of what a process sent belongs to its user's ID.
func TestTagOfSender(t *testing.T) {
	s := crashAt(t, "01 08 40 f9").on(&cpu.ARM64).reg(0, heapBase).fault(0xb400_0000<<32|4711).raise("android", sigSEGV, siUser)
	if got := said(t, s); !strings.Contains(got, "process 4711 of user 3019898880") {
		t.Errorf("%s", got)
	}
}
