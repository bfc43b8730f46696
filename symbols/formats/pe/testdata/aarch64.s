// Operations of unwind codes that C compilers rarely need. None of it is ever run.

	.text
	.globl entry
entry:
	.seh_proc entry
	sub sp, sp, #64
	.seh_stackalloc 64
	stp x19, x30, [sp, #16]
	.seh_save_lrpair x19, 16
	stp d8, d9, [sp, #32]
	.seh_save_fregp d8, 32
	str d10, [sp, #48]
	.seh_save_freg d10, 48
	str x28, [sp, #8]
	.seh_save_reg x28, 8
	.seh_endprologue
	nop
	.seh_startepilogue
	ldr x28, [sp, #8]
	.seh_save_reg x28, 8
	ldr d10, [sp, #48]
	.seh_save_freg d10, 48
	ldp d8, d9, [sp, #32]
	.seh_save_fregp d8, 32
	ldp x19, x30, [sp, #16]
	.seh_save_lrpair x19, 16
	add sp, sp, #64
	.seh_stackalloc 64
	.seh_endepilogue
	ret
	.seh_endproc

pushes:
	.seh_proc pushes
	stp x27, x28, [sp, #-256]!
	.seh_save_regp_x x27, 256
	stp d14, d15, [sp, #-512]!
	.seh_save_fregp_x d14, 512
	str d12, [sp, #-128]!
	.seh_save_freg_x d12, 128
	str x25, [sp, #-256]!
	.seh_save_reg_x x25, 256
	stp x29, x30, [sp, #-512]!
	.seh_save_fplr_x 512
	add x29, sp, #2040
	.seh_add_fp 2040
	sub sp, sp, #16, lsl #12
	.seh_stackalloc 0x10000
	.seh_endprologue
	nop
	ret
	.seh_endproc

trap:
	.seh_proc trap
	.seh_trap_frame
	.seh_endprologue
	nop
	ret
	.seh_endproc

interrupted:
	.seh_proc interrupted
	.seh_pushframe
	.seh_endprologue
	nop
	ret
	.seh_endproc

dispatched:
	.seh_proc dispatched
	.seh_context
	.seh_endprologue
	nop
	ret
	.seh_endproc
