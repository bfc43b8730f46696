// A handler that runs on the stack of what it interrupted, and gives up there.
#include <signal.h>
#include <stdlib.h>

static volatile int *nowhere;

__attribute__((noinline)) static void give_up(int deep) {
	if (deep > 0)
		give_up(deep - 1);
	else
		abort();
	__asm__ volatile("");
}

static void on_fault(int signal) { give_up(signal - 9); }

__attribute__((noinline)) static int touch(volatile int *p) { return *p + 1; }

__attribute__((noinline)) static int work(int n) { return touch(nowhere + n) * 2; }

int main(int argc, char **argv) {
	(void)argv;
	signal(SIGSEGV, on_fault);
	return work(argc);
}
