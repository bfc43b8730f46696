// Functions with arguments and locals of many kinds, six calls deep. The program
// crashes, the loader writes a minidump and goes on behind the ud2, and then each
// function prints what its variables held.
#include "kit.h"
int _fltused = 1;
volatile int sink;
enum Color { RED, GREEN = 5 };
struct In { short a; int b[3]; };
struct Out { struct In in; unsigned x : 3; int y : 5; enum Color color; double m[2][3]; };
NI int f6(int a, struct Out o, const int* p) { int v[4] = {a, a + 1, a + 2, a + 3}; sink = v[a & 3]; int q = a * 6; CRASH(); I(a); I(o.in.a); I(o.in.b[2]); U(o.x); I(o.y); I(o.color); D(o.m[1][2]); I(p[0]); I(q); I(v[2]); return q + v[1]; }
NI int f5(int a, struct Out* o, long long b) { long long t = b * a; int r = f6(a + 1, *o, o->in.b); I(a); I(o->y); I(b); I(t); sink = r; return (int)t; }
NI int f4(int a, short c, unsigned char d, struct In small) { struct Out o = {small, 5, -9, GREEN, {{1, 2, 3}, {4, 5, a * 1.5}}}; unsigned u = c * d; int r = f5(a + 1, &o, 1LL << (a + 30)); I(a); I(c); U(d); U(u); I(small.b[1]); I(o.in.b[0]); sink = r; return u; }
NI int f3(int a, float g, double k) { struct In in = {(short)-a, {a, a * 2, a * 3}}; float h = g * 2; double j = h + k; int r = f4(a + 1, a * 9, a * 5, in); I(a); F(g); F(h); D(j); D(k); I(in.a); sink = r; return (int)j; }
static int f2(int a, const int* p, int n) { int best = 0; for (int i = 0; i < n; i++) { int cur = p[i] * a; if (cur > best) best = cur; if (i == n - 1) { int r = f3(a + 1, best * 0.5f, 0.125); I(cur); I(best); I(i); I(n); I(a); sink = r; } } return best; }
NI int f1(int a) { int arr[5] = {a, a * 2, 9, a * 3, 4}; int r = f2(a, arr, 5); I(a); I(arr[1]); I(arr[3]); sink = r; return arr[2]; }
NI void program(int n) { int keep = n * 31; int r = f1(n); I(keep); I(n); sink = r; }
void* memset(void* d, int c, __SIZE_TYPE__ n) { volatile char* p = d; while (n--) *p++ = c; return d; }
void* memcpy(void* d, const void* s, __SIZE_TYPE__ n) { volatile char* p = d; const char* q = s; while (n--) *p++ = *q++; return d; }
void Start(void) { program(3); fflush(0); ExitProcess(0); }
