// A program that places an object file as an execution engine does, registers it with debuggers, and calls it:
//
//	gcc -c -O1 -g -fcf-protection=none -ffile-prefix-map=$PWD=/made generated.c
//	gcc -static -nostdlib -O1 -fcf-protection=none -fno-stack-protector -Wl,--build-id -o registers registers.c
//	ulimit -c unlimited; ./registers
//
// It has no library, so that its core is small. Source: GDB manual, "JIT Compilation Interface".
#include <elf.h>
#include <stdint.h>

struct entry {
	struct entry *next, *prev;
	const char *file;
	uint64_t size;
};

struct descriptor {
	uint32_t version, action;
	struct entry *relevant, *first;
};

struct descriptor __jit_debug_descriptor = {1, 0, 0, 0};

void __attribute__((noinline)) __jit_debug_register_code(void) { __asm__ volatile(""); }

__asm__(".data\n.balign 16\nobject: .incbin \"generated.o\"\nobject_end: .text");
extern char object[], object_end[];

static long call(long n, long a, long b, long c, long d, long e, long f) {
	long out;
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	__asm__ volatile("syscall" : "=a"(out) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
	return out;
}

static struct entry entry;

void _start(void) {
	char *code = (char *)call(9, 0, 4096, 7, 0x22, -1, 0); // mmap: read, write and execute; private and anonymous
	Elf64_Ehdr *head = (Elf64_Ehdr *)object;
	Elf64_Shdr *sections = (Elf64_Shdr *)(object + head->e_shoff);
	char *at = code;
	int (*run)(int) = 0;
	for (int i = 1; i < head->e_shnum; i++) {
		if (sections[i].sh_flags & SHF_ALLOC && sections[i].sh_type != SHT_NOBITS && sections[i].sh_size > 0) {
			sections[i].sh_addr = (uint64_t)at;
			for (uint64_t n = 0; n < sections[i].sh_size; n++)
				at[n] = object[sections[i].sh_offset + n];
			at += (sections[i].sh_size + 63) & ~63ul;
		}
		if (sections[i].sh_type == SHT_SYMTAB) {
			Elf64_Sym *symbols = (Elf64_Sym *)(object + sections[i].sh_offset);
			const char *texts = object + sections[sections[i].sh_link].sh_offset;
			for (uint64_t n = 0; n < sections[i].sh_size / sizeof *symbols; n++)
				if (texts[symbols[n].st_name] == 'r')
					run = (int (*)(int))(code + symbols[n].st_value);
		}
	}
	entry.file = object;
	entry.size = object_end - object;
	__jit_debug_descriptor.first = __jit_debug_descriptor.relevant = &entry;
	__jit_debug_descriptor.action = 1;
	__jit_debug_register_code();
	run(4);
	call(60, 0, 0, 0, 0, 0, 0);
}
