// Functions whose prologs have many shapes: what compilers do for large frames,
// frames of unknown size, variable arguments, many registers, vector registers,
// alignment and exception handlers. None of it is ever run.

typedef unsigned long long u64;

int sink;
int _fltused;
void __chkstk(void) {}
int __C_specific_handler(void) { return 0; }

__attribute__((noinline)) int use(void *p, ...) { sink += *(volatile int *)p; return sink; }

int leaf(int a) { return a + 1; }

int small(int a) { int x[4] = {a}; return use(x) + a; }

int large(int a) { int x[2000]; x[0] = a; return use(x) + a; }

int huge(int a) { char x[900000]; x[0] = a; return use(x) + a; }

int giant(int a) { char x[5000000]; x[0] = a; return use(x) + x[a]; }

int dynamic(int n) { char x[n]; x[0] = n; return use(x) + x[n - 1]; }

int dynamic_and_large(int n) {
	int y[3000];
	char x[n];
	y[0] = x[0] = n;
	return use(x, y) + x[n - 1] + y[n];
}

int many(int a, int b, int c, int d, int e, int f, int g, int h) {
	int v[8] = {a, b, c, d, e, f, g, h};
	for (int i = 0; i < a; i++) {
		use(v);
		a += b * c; b ^= d; c -= e; d += f; e *= g; f -= h; g ^= a; h += v[i & 7];
		use(&a);
	}
	return a + b + c + d + e + f + g + h;
}

int variadic(int n, ...) {
	__builtin_va_list l;
	__builtin_va_start(l, n);
	int s = 0;
	while (n--)
		s += __builtin_va_arg(l, int);
	__builtin_va_end(l);
	return s + use(&s);
}

double floats(double a, double b, double c, double d) {
	double e = a * b, f = b * c, g = c * d, h = d * a, i = a + b, j = c + d;
	for (int k = 0; k < (int)a; k++) {
		use(&k);
		e += f * g; f -= h; g *= i; h += j; i -= e; j += a; a -= b; b *= c;
	}
	return a + b + c + d + e + f + g + h + i + j;
}

double floats_behind_a_large_frame(double a, double b) {
	int x[400000];
	double c = a * b, d = a - b;
	for (int k = 0; k < (int)a; k++) {
		use(x);
		c += d * a; d -= b; a *= c;
	}
	return a + b + c + d + x[7];
}

double floats_and_dynamic(double a, int n, double b) {
	char x[n];
	double c = a * b, d = a - b;
	for (int k = 0; k < n; k++) {
		use(x);
		c += d * a; d -= b; a *= c;
	}
	return a + b + c + d + x[n / 2];
}

int aligned(int n) { _Alignas(64) int x[16]; x[0] = n; return use(x) + x[n & 15]; }

int aligned_and_dynamic(int n) {
	_Alignas(128) int x[32];
	char y[n];
	x[0] = y[0] = n;
	return use(x, y) + x[n & 15];
}

int one(int a) { int b = use(&a); use(&a); return a + b; }

int early(int *p, int a) {
	if (!p)
		return 3;
	int v[100];
	v[0] = a;
	use(v);
	use(p);
	return v[a] + *p;
}

int several_returns(int a, int *p) {
	switch (a) {
	case 0: return use(p);
	case 1: use(p); use(p); return 7;
	case 2: return *p;
	case 3: p[0]++; return use(p) * 3;
	}
	return use(&a);
}

__attribute__((noreturn)) void never(int *p) {
	for (;;)
		use(p);
}

struct big { int v[64]; };

struct big make(int a) {
	struct big b;
	for (int i = 0; i < 64; i++)
		b.v[i] = use(&a) + i;
	return b;
}

int pass(int a) { struct big b = make(a); return use(&b) + b.v[3]; }

int guarded(int *p) {
	__try {
		return use(p);
	} __except (*p == 1) {
		return use(p) + 1;
	}
}

int cleaned(int *p, int n) {
	char x[5000];
	__try {
		x[n] = use(p);
	} __finally {
		use(x);
	}
	return x[n];
}

int entry(void) {
	int n = sink;
	if (n == 1)
		never(&n);
	return leaf(n) + small(n) + large(n) + huge(n) + giant(n) + dynamic(n) + dynamic_and_large(n) + many(n, n, n, n, n, n, n, n) +
		variadic(n, 1, 2) + (int)floats(n, n, n, n) + (int)floats_behind_a_large_frame(n, n) + (int)floats_and_dynamic(n, n, n) +
		aligned(n) + aligned_and_dynamic(n) + one(n) + early(&n, n) + several_returns(n, &n) + pass(n) + guarded(&n) + cleaned(&n, n);
}

void *memset(void *p, int c, u64 n) { char *q = p; while (n--) *q++ = c; return p; }

void *memcpy(void *p, const void *s, u64 n) { char *q = p; const char *r = s; while (n--) *q++ = *r++; return p; }
