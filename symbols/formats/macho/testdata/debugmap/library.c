int print(const char *);

int twice(int x) {
	return x * 2 + print("twice");
}
