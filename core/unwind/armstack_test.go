package unwind

import (
	"testing"

	"crashglass/core/cpu"
)

// Encodings as GNU as makes them.
func TestARMStack(t *testing.T) {
	tests := []struct {
		text string
		insn uint32
		want stackInsn
	}{
		{"push {r4, r5, lr}", 0xe92d4030, stackInsn{does: pushes, regs: 0x4030}},
		{"push {lr}", 0xe52de004, stackInsn{does: pushes, regs: 1 << 14}},
		{"pop {r4, pc}", 0xe8bd8010, stackInsn{does: pops, regs: 0x8010}},
		{"pop {pc}", 0xe49df004, stackInsn{does: pops, regs: 1 << 15}},
		{"popeq {r4, pc}", 0x08bd8010, stackInsn{does: mayBranch}},
		{"pushne {r4}", 0x152d4004, stackInsn{does: unreadable}},
		{"str r4, [sp, #8]", 0xe58d4008, stackInsn{does: stores, regs: 0x10, bytes: 8}},
		{"str r4, [sp, #-8]", 0xe50d4008, stackInsn{does: stores, regs: 0x10, bytes: -8}},
		{"ldr lr, [sp, #20]", 0xe59de014, stackInsn{does: loads, regs: 1 << 14, bytes: 20}},
		{"strd r6, [sp, #8]", 0xe1cd60f8, stackInsn{does: stores, regs: 0xc0, bytes: 8}},
		{"ldrd r6, [sp, #24]", 0xe1cd61d8, stackInsn{does: loads, regs: 0xc0, bytes: 24}},
		{"strd r4, [sp, #-16]!", 0xe16d41f0, stackInsn{does: unreadable}},
		{"sub sp, sp, #4992", 0xe24ddd4e, stackInsn{does: moves, bytes: -4992}},
		{"add sp, sp, #8", 0xe28dd008, stackInsn{does: moves, bytes: 8}},
		{"sub sp, sp, r3", 0xe04dd003, stackInsn{does: unreadable}},
		{"vpush {d8-d14}", 0xed2d8b0e, stackInsn{does: moves, bytes: -56}},
		{"vpop {d8}", 0xecbd8b02, stackInsn{does: moves, bytes: 8}},
		{"mov sp, r11", 0xe1a0d00b, stackInsn{does: takes, from: 11}},
		{"sub sp, r11, #4", 0xe24bd004, stackInsn{does: takes, from: 11, bytes: 4}},
		{"bx lr", 0xe12fff1e, stackInsn{does: returns}},
		{"bxne lr", 0x112fff1e, stackInsn{does: mayBranch}},
		{"bl .+8", 0xeb000000, stackInsn{does: branches}},
		{"blx .+8", 0xfa000000, stackInsn{does: branches}},
		{"blx r3", 0xe12fff33, stackInsn{does: branches}},
		{"b .+16", 0xea000002, stackInsn{does: jumps, bytes: 16}},
		{"b .-8", 0xeafffffc, stackInsn{does: jumps, bytes: -8}},
		{"beq .-8", 0x0afffffc, stackInsn{does: mayBranch}},
		{"ldr pc, [r3]", 0xe593f000, stackInsn{does: branches}},
		{"add pc, pc, r3", 0xe08ff003, stackInsn{does: branches}},
		{"ldm r3, {r4, sp}", 0xe8932010, stackInsn{does: unreadable}},
		{"vld1.8 {d0}, [sp]!", 0xf42d070d, stackInsn{does: unreadable}},
		{"vld1.8 {d0}, [sp]", 0xf42d070f, stackInsn{}},
		{"cmp sp, r0", 0xe15d0000, stackInsn{}},
		{"add r4, sp, #8", 0xe28d4008, stackInsn{}},
		{"mov r0, r4", 0xe1a00004, stackInsn{}},
		{"str r0, [r4, #4]!", 0xe5a40004, stackInsn{}},
	}
	for _, tt := range tests {
		tt.want.size = 4
		if got := armStack(tt.insn); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.text, got, tt.want)
		}
	}
}

// The first halfword is the lower one.
func TestThumbStack(t *testing.T) {
	tests := []struct {
		text string
		insn uint32
		size uint64
		want stackInsn
	}{
		{"push {r4, lr}", 0xb510, 2, stackInsn{does: pushes, regs: 0x4010}},
		{"pop {r4, pc}", 0xbd10, 2, stackInsn{does: pops, regs: 0x8010}},
		{"push.w {r4-r11, lr}", 0x4ff0e92d, 4, stackInsn{does: pushes, regs: 0x4ff0}},
		{"pop.w {r4, r5, r6, lr}", 0x4070e8bd, 4, stackInsn{does: pops, regs: 0x4070}},
		{"str lr, [sp, #-4]!", 0xed04f84d, 4, stackInsn{does: pushes, regs: 1 << 14}},
		{"ldr pc, [sp], #4", 0xfb04f85d, 4, stackInsn{does: pops, regs: 1 << 15}},
		{"sub sp, #8", 0xb082, 2, stackInsn{does: moves, bytes: -8}},
		{"add sp, #20", 0xb005, 2, stackInsn{does: moves, bytes: 20}},
		{"sub.w sp, sp, #4992", 0x5d9cf5ad, 4, stackInsn{does: moves, bytes: -4992}},
		{"sub.w sp, sp, #0x10001", 0x1d01f1ad, 4, stackInsn{does: moves, bytes: -0x10001}},
		{"subw sp, sp, #1028", 0x4d04f2ad, 4, stackInsn{does: moves, bytes: -1028}},
		{"addw sp, sp, #1028", 0x4d04f20d, 4, stackInsn{does: moves, bytes: 1028}},
		{"sub.w sp, sp, r3", 0x0d03ebad, 4, stackInsn{does: unreadable}},
		{"str r4, [sp, #4]", 0x9401, 2, stackInsn{does: stores, regs: 0x10, bytes: 4}},
		{"ldr r4, [sp, #4]", 0x9c01, 2, stackInsn{does: loads, regs: 0x10, bytes: 4}},
		{"str.w lr, [sp, #20]", 0xe014f8cd, 4, stackInsn{does: stores, regs: 1 << 14, bytes: 20}},
		{"strd r4, r5, [sp, #8]", 0x4502e9cd, 4, stackInsn{does: stores, regs: 0x30, bytes: 8}},
		{"strd r4, r5, [sp, #-16]!", 0x4504e96d, 4, stackInsn{does: unreadable}},
		{"ldrd r4, r5, [sp], #16", 0x4504e8fd, 4, stackInsn{does: unreadable}},
		{"vpush {d8-d14}", 0x8b0eed2d, 4, stackInsn{does: moves, bytes: -56}},
		{"vpop {d8-d14}", 0x8b0eecbd, 4, stackInsn{does: moves, bytes: 56}},
		{"mov sp, r7", 0x46bd, 2, stackInsn{does: takes, from: 7}},
		{"mov pc, r3", 0x469f, 2, stackInsn{does: branches}},
		{"bx lr", 0x4770, 2, stackInsn{does: returns}},
		{"blx r3", 0x4798, 2, stackInsn{does: branches}},
		{"bl", 0xf810f000, 4, stackInsn{does: branches}},
		{"b.w .-220", 0xbf90f7ff, 4, stackInsn{does: jumps, bytes: -220}},
		{"b.w .+4", 0xb800f000, 4, stackInsn{does: jumps, bytes: 4}},
		{"b .-2", 0xe7fd, 2, stackInsn{does: jumps, bytes: -2}},
		{"bne", 0xd1f5, 2, stackInsn{does: mayBranch}},
		{"bne.w", 0x8008f040, 4, stackInsn{does: mayBranch}},
		{"cbz r0", 0xb108, 2, stackInsn{does: mayBranch}},
		{"it eq", 0xbf08, 2, stackInsn{does: branches}},
		{"nop", 0xbf00, 2, stackInsn{}},
		{"udf", 0xdeff, 2, stackInsn{does: branches}},
		{"svc", 0xdf00, 2, stackInsn{does: branches}},
		{"tbb [pc, r0]", 0xf000e8df, 4, stackInsn{does: branches}},
		{"ldr.w pc, [r3]", 0xf000f8d3, 4, stackInsn{does: branches}},
		{"ldr.w sp, [r3]", 0xd000f8d3, 4, stackInsn{does: unreadable}},
		{"add r7, sp, #0", 0xaf00, 2, stackInsn{}},
		{"bic.w r3, r3, #7", 0x0307f023, 4, stackInsn{}},
	}
	for _, tt := range tests {
		tt.want.size = tt.size
		if got := thumbStack(tt.insn); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.text, got, tt.want)
		}
	}
}

// FuzzARMByCode gives any code to the walk: it ends, and a caller's stack
// pointer is never below the callee's.
func FuzzARMByCode(f *testing.F) {
	f.Add([]byte{0x10, 0xb5, 0x82, 0xb0, 0x02, 0xb0, 0x10, 0xbd}, true, uint8(4))
	f.Add([]byte{0x10, 0x40, 0x2d, 0xe9, 0x10, 0x80, 0xbd, 0xe8}, false, uint8(4))
	f.Fuzz(func(t *testing.T, code []byte, isThumb bool, at uint8) {
		w := newWalk(Input{Arch: &cpu.ARM, OS: "linux", Memory: captured{{image, code}}})
		read := armStack
		if isThumb {
			read = thumbStack
		}
		if fr, ok := w.sinceEntry(read, image, image+uint64(at)); ok && fr.size < 0 {
			t.Errorf("a frame of %d bytes", fr.size)
		}
		if fr, ok := w.untilReturn(read, image+uint64(at), image, 256); ok && fr.size < 0 && fr.base == cpu.ARMSP {
			t.Errorf("a frame of %d bytes until the return", fr.size)
		}
	})
}
