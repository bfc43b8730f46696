int print(const char *);

static inline __attribute__((always_inline)) int thrice(int x) {
	return x * 3 + print("thrice");
}

__attribute__((noinline)) int f(int x) {
#ifdef LONGER
	print("longer");
	print("still longer");
#endif
	return thrice(x) + 1;
}
