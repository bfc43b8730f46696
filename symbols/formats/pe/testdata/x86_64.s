// Operations of unwind codes that C compilers rarely need. None of it is ever run.

	.text
	.globl entry
entry:
	.seh_proc entry
	pushq %r15
	.seh_pushreg %r15
	subq $0x100000, %rsp
	.seh_stackalloc 0x100000
	movq %rsi, 16(%rsp)
	.seh_savereg %rsi, 16
	movq %rdi, 0x90000(%rsp)
	.seh_savereg %rdi, 0x90000
	movaps %xmm7, 0x20(%rsp)
	.seh_savexmm %xmm7, 0x20
	leaq 0x40(%rsp), %rbp
	.seh_setframe %rbp, 0x40
	.seh_endprologue
	nop
	ret
	.seh_endproc

interrupt:
	.seh_proc interrupt
	.seh_pushframe
	pushq %rbx
	.seh_pushreg %rbx
	.seh_endprologue
	nop
	ret
	.seh_endproc

fault:
	.seh_proc fault
	.seh_pushframe @code
	subq $8, %rsp
	.seh_stackalloc 8
	.seh_endprologue
	nop
	ret
	.seh_endproc
