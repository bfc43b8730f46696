// What the program needs of Windows, and how it prints what its variables hold:
// lines of "T function path value".
#pragma once
int printf(const char*, ...);
int fflush(void*);
void __stdcall ExitProcess(unsigned);
void program(int);
extern volatile int sink;
#define CRASH() __asm__ volatile("ud2" ::: "memory")
#define NI __attribute__((noinline))
#define I(p) printf("T %s " #p " %lld\n", __func__, (long long)(p))
#define U(p) printf("T %s " #p " %llu\n", __func__, (unsigned long long)(p))
#define D(p) printf("T %s " #p " %.17g\n", __func__, (double)(p))
#define F(p) printf("T %s " #p " %.9g\n", __func__, (double)(p))
