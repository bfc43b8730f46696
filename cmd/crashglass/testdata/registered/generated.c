// Code that registers.c registers with debuggers. Its calls are of its own section, so that they need no relocation.
static __attribute__((noinline)) int leaf(int n) {
	if (n == 0)
		__asm__ volatile("ud2");
	return n;
}

static __attribute__((noinline)) int fib(int n) {
	char room[24];
	__asm__ volatile("" : : "r"(room) : "memory");
	if (n < 2)
		return leaf(0) + 1;
	return fib(n - 1) + leaf(n) + fib(n - 2);
}

int run(int n) {
	return fib(n) + 1;
}
