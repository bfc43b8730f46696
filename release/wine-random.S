# bcryptprimitives.dll for a Wine that has none (before 9): Go's runtime asks it for random numbers.
#
# BOOL ProcessPrng(PBYTE data, SIZE_T size)
	.globl	ProcessPrng
ProcessPrng:
	test	%rdx, %rdx
	jz	2f
1:	rdrand	%rax
	jnc	1b
	movb	%al, (%rcx)
	inc	%rcx
	dec	%rdx
	jnz	1b
2:	movl	$1, %eax
	ret
