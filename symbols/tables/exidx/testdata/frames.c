// Functions with frames of all kinds, for comparing the exception index with
// the call frame information of the same code. Built with Debian's gcc 12.2:
//
//	arm-linux-gnueabihf-gcc -O2 -g -shared -nostdlib -fPIC -funwind-tables -fno-builtin $MODE frames.c -o $OUT
//	arm-linux-gnueabihf-objcopy -R .debug_info -R .debug_abbrev -R .debug_line -R .debug_str -R .debug_line_str \
//		-R .debug_aranges -R .debug_loclists -R .debug_rnglists -R .comment $OUT
//
// MODE is -marm for a32.so, -mthumb for t32.so, and "-marm -fno-omit-frame-pointer -O1" for fp.so.

typedef unsigned long size_t;
int taken(const void *, ...);
double real(double);
extern int volatile state;

int leaf(int a, int b) { return a * b + 1; }

int one_call(int a) { return taken(0, a) + a; }

int big(int n) {
	char buffer[5000];
	taken(buffer, n);
	return buffer[n & 1023];
}

int many(int a, int b, int c, int d, int e, int f, int g, int h) {
	int x = taken(0, a, b, c, d, e, f, g, h);
	int y = taken(&x, a + b, c + d, e + f, g + h, a - b, c - d);
	return x + y + a + b + c + d + e + f + g + h;
}

double floats(double a, double b, double c, double d) {
	double x = real(a), y = real(b), z = real(c), w = real(d);
	return x * y + z * w + a * b + c * d;
}

int variable(int n) {
	int values[n];
	taken(values, n);
	return values[n - 1] + state;
}

int arguments(int n, ...) {
	__builtin_va_list list;
	__builtin_va_start(list, n);
	int sum = 0;
	while (n-- > 0)
		sum += taken(0, __builtin_va_arg(list, int));
	__builtin_va_end(list);
	return sum;
}

int early(int *p) {
	if (!p)
		return -1;
	int a = taken(p, *p), b = taken(p, a);
	if (a > b)
		return taken(p, a, b);
	state = a;
	return b;
}

int switches(int n, int m) {
	switch (n) {
	case 0: return taken(0, m);
	case 1: return taken(&m, n) + m;
	case 2: state = m; return 7;
	case 3: return switches(m, n) + 1;
	case 4: return leaf(m, 3);
	case 5: return one_call(m) + one_call(n);
	default: return m;
	}
}

void loops(int *p, int n) {
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			p[k] += taken(p + k, i, k) + p[i];
}

__attribute__((noreturn)) void gone(int why) {
	for (;;)
		taken(0, why);
}

int may_go(int a, int b) {
	if (a == b)
		gone(a);
	return taken(&a, b) + a;
}

long long wide(long long a, long long b) {
	long long x = (long long)taken(&a, 1) * b;
	return x + a * b + taken(&b, 2);
}
