int print(const char *s) {
	return *s;
}

int dropped(int x) {
	return x + print("dropped");
}
