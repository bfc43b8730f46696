package disasm

import (
	"testing"

	"crashglass/core/machine/cpu"
)

// The bytes are those of LLVM 14's assembler, and the facts from the Intel SDM, volume 2: which
// instructions raise #GP(0) if CPL is not 0, and which operands of 16 bytes must be aligned (volume
// 1, 14.9). A register's part is in the context's whole register.
func TestAMD64Facts(t *testing.T) {
	checkFacts(t, &cpu.AMD64, []factRow{
		{"88f8", "mov al, bh", "next: al=rax, bh=rbx"},
		{"4088e1", "mov cl, spl", "next: cl=rcx, spl=rsp"},
		{"4488ff", "mov dil, r15b", "next: dil=rdi, r15b=r15"},
		{"4588c8", "mov r8b, r9b", "next: r8b=r8, r9b=r9"},
		{"664489f8", "mov ax, r15w", "next: ax=rax, r15w=r15"},
		{"664489c7", "mov di, r8w", "next: di=rdi, r8w=r8"},
		{"4489f8", "mov eax, r15d", "next: eax=rax, r15d=r15"},
		{"4189f8", "mov r8d, edi", "next: r8d=r8, edi=rdi"},
		{"4c89fc", "mov rsp, r15", "next: rsp=rsp, r15=r15"},
		{"0f20c0", "mov rax, cr0", "next: rax=rax, cr0=-; privileged"},
		{"0f23f8", "mov dr7, rax", "next: dr7=-, rax=rax; privileged"},
		{"8cd8", "mov eax, ds", "next: eax=rax, ds=-"},
		{"440f28f8", "movaps xmm15, xmm0", "next: xmm15=-, xmm0=-"},
		{"480f6ef8", "movq mm7, rax", "next: mm7=-, rax=rax"},
		{"66490f7ed3", "movq r11, xmm2", "next: r11=r11, xmm2=-"},
		{"c53c5838", "vaddps ymm15, ymm8, [rax]", "next: ymm15=-, ymm8=-, mem"},
		{"62617c482838", "vmovaps zmm31, [rax]", "next: zmm31=-, mem; aligned"},
		{"d8c7", "fadd st, st(7)", "next: st(0)=-, st(7)=-"},
		{"d9c9", "fxch st(1)", "next: st(0)=-, st(1)=-"},
		{"48f7f1", "div rcx", "next: rcx=rcx; division"},
		{"f638", "idiv byte ptr [rax]", "next: mem; division"},
		{"48f7e1", "mul rcx", "next: rcx=rcx"},
		{"cd80", "int 0x80", "trap: #128; privileged"},
		{"0f05", "syscall", "trap:"},
		{"0f34", "sysenter", "trap:"},
		{"0fb900", "ud1 eax, [rax]", "trap: eax=rax, mem"},
		{"cb", "retf", "ret: ; privileged"},
		{"48cf", "iretq", "ret: ; privileged"},
		{"ffd0", "call rax", "call: rax=rax"},
		{"ff10", "call [rax]", "call: mem"},
		{"ff2510000000", "jmp [rip + 16]", "jump: mem"},
		{"ff18", "lcall [rax]", "call: mem"},
		{"48ff28", "ljmp [rax]", "jump: mem"},
		{"e2ee", "loop .-16", "cond 0xff0: ->0xff0"},
		{"e300", "jrcxz .+2", "cond 0x1002: ->0x1002"},
		{"c7f80a000000", "xbegin .+16", "cond 0x1010: ->0x1010"},
		{"0f31", "rdtsc", "next: ; privileged"},
		{"ec", "in al, dx", "next: al=rax, dx=rdx; privileged"},
		{"6e", "outsb", "next: dx=rdx, mem; privileged"},
		{"fa", "cli", "next: ; privileged"},
		{"f4", "hlt", "trap: ; privileged"},
		{"0f09", "wbinvd", "next: ; privileged"},
		{"0f01d1", "xsetbv", "next: ; privileged"},
		{"0f01d0", "xgetbv", "next:"},
		{"0fc72f", "xsaves [rdi]", "next: mem; privileged"},
		{"480fc72f", "xsaves64 [rdi]", "next: mem; privileged"},
		{"0fc71f", "xrstors [rdi]", "next: mem; privileged"},
		{"480fc71f", "xrstors64 [rdi]", "next: mem; privileged"},
		{"0fae27", "xsave [rdi]", "next: mem"},
		{"0fae2f", "xrstor [rdi]", "next: mem"},
		{"0f2800", "movaps xmm0, [rax]", "next: xmm0=-, mem; aligned"},
		{"0f1000", "movups xmm0, [rax]", "next: xmm0=-, mem"},
		{"f20ff000", "lddqu xmm0, [rax]", "next: xmm0=-, mem"},
		{"660f3a630001", "pcmpistri xmm0, [rax], 1", "next: xmm0=-, mem, #1"},
		{"660ffe00", "paddd xmm0, [rax]", "next: xmm0=-, mem; aligned"},
		{"660ffec1", "paddd xmm0, xmm1", "next: xmm0=-, xmm1=-"},
		{"f20f5800", "addsd xmm0, [rax]", "next: xmm0=-, mem"},
		{"0ffe00", "paddd mm0, [rax]", "next: mm0=-, mem"},
		{"660f382a00", "movntdqa xmm0, [rax]", "next: xmm0=-, mem; aligned"},
		{"c5fde708", "vmovntdq [rax], ymm1", "next: mem, ymm1=-; aligned"},
		{"c5f1fe00", "vpaddd xmm0, xmm1, [rax]", "next: xmm0=-, xmm1=-, mem"},
		{"480fc708", "cmpxchg16b [rax]", "next: mem; aligned"},
		{"0fc708", "cmpxchg8b [rax]", "next: mem"},
		{"f34c0f38f6e1", "adox r12, rcx", "next: r12=r12, rcx=rcx"},
		{"660f38f603", "adcx eax, dword ptr [rbx]", "next: eax=rax, mem"},
		{"660fc7f0", "rdrand ax", "next: ax=rax"},
		{"410fc7f2", "rdrand r10d", "next: r10d=r10"},
		{"480fc7fa", "rdseed rdx", "next: rdx=rdx"},
		{"f3490f1ecd", "rdsspq r13", "next: r13=r13"},
	})
}

func TestX86Facts(t *testing.T) {
	checkFacts(t, &cpu.X86, []factRow{
		{"88f8", "mov al, bh", "next: al=eax, bh=ebx"},
		{"88d5", "mov ch, dl", "next: ch=ecx, dl=edx"},
		{"6689ee", "mov si, bp", "next: si=esi, bp=ebp"},
		{"89fc", "mov esp, edi", "next: esp=esp, edi=edi"},
		{"0f22d8", "mov cr3, eax", "next: cr3=-, eax=eax; privileged"},
		{"660e", "push cs", "next: cs=-"},
		{"c408", "les ecx, [eax]", "next: ecx=ecx, mem"},
		{"6208", "bound ecx, [eax]", "next: ecx=ecx, mem"},
		{"37", "aaa", "next:"},
		{"ce", "into", "trap: ; privileged"},
		{"e3fe", "jecxz .+0", "cond 0x1000: ->0x1000"},
		{"e8fbefffff", "call 0", "call 0x0: ->0x0"},
	})
}
