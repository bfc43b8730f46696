int f(int), twice(int), print(const char *);

__attribute__((noinline)) static int helper(int x) {
	return f(x) * 7 + print("helper");
}

int main(int argc, char **argv) {
	return f(argc) + helper(argc + 1) + twice(argc);
}
