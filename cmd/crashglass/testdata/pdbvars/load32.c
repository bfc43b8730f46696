// Runs a 32-bit Windows program without a system on Linux, and writes a minidump
// of it at each ud2: its image, its stack up to main, and what it wrote to.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <signal.h>
#include <ucontext.h>
#include <sys/mman.h>
#include <unistd.h>
static uint8_t* img; static uint32_t base, imgsize, stamp; static uint8_t cv[512]; static uint32_t cvsize; static uint32_t stack_top;
static FILE* o;
#define PUT(x) fwrite(&(x), sizeof(x), 1, o)
static void p32(uint32_t v) { PUT(v); } static void p16(uint16_t v) { PUT(v); } static void p64(uint64_t v) { PUT(v); }
static void crash(int sig, siginfo_t* si, void* uc_) {
  ucontext_t* uc = uc_; greg_t* g = uc->uc_mcontext.gregs;
  static uint8_t ctx[716]; memset(ctx, 0, sizeof ctx);
#define R(off, v) do { uint32_t t_ = (v); memcpy(ctx + off, &t_, 4); } while (0)
  R(0, 0x1003f); R(0x9c, g[REG_EDI]); R(0xa0, g[REG_ESI]); R(0xa4, g[REG_EBX]); R(0xa8, g[REG_EDX]); R(0xac, g[REG_ECX]); R(0xb0, g[REG_EAX]); R(0xb4, g[REG_EBP]); R(0xb8, g[REG_EIP]); R(0xbc, 0x23); R(0xc0, g[REG_EFL]); R(0xc4, g[REG_ESP]); R(0xc8, 0x2b);
  if (uc->uc_mcontext.fpregs) { memcpy(ctx + 0x1c, uc->uc_mcontext.fpregs, 108); memcpy(ctx + 0xcc, (char*)uc->uc_mcontext.fpregs + 112, 512); }
  struct { uint32_t a, n, rva; } mem[64]; int n = 0; char line[512];
  mem[n].a = base; mem[n++].n = imgsize;
  FILE* m = fopen("/proc/self/maps", "r"); static char maps[1<<16]; size_t ml = fread(maps, 1, sizeof maps - 1, m); maps[ml] = 0; fclose(m);
  for (char* l = strtok(maps, "\n"); l; l = strtok(0, "\n")) { uint32_t a, b; char perm[8]; if (sscanf(l, "%x-%x %7s", &a, &b, perm) != 3 || perm[0] != 'r' || perm[1] != 'w') continue; if (a >= base && a < base + imgsize) continue; if (strstr(l, "[stack]")) { a = (g[REG_ESP] - 256) & ~15; b = stack_top; } if (b - a > (4 << 20)) continue; if (n < 64) { mem[n].a = a; mem[n++].n = b - a; } }
  int st = -1; for (int i = 0; i < n; i++) if (mem[i].a <= (uint32_t)g[REG_ESP] && (uint32_t)g[REG_ESP] - mem[i].a < mem[i].n) st = i;
  o = fopen("x.dmp", "wb");
  uint32_t dir = 32, sys = dir + 5 * 12, thr = sys + 56, mod = thr + 4 + 48, exc = mod + 4 + 108, ml2 = exc + 168, ctxr = ml2 + 4 + 16 * n, cvr = ctxr + 716, name = cvr + cvsize, data = name + 4 + 2 * 6;
  uint32_t at = data; for (int i = 0; i < n; i++) { mem[i].rva = at; at += mem[i].n; }
  p32(0x504d444d); p32(0xa793); p32(5); p32(dir); p32(0); p32(0); p64(0);
  p32(7); p32(56); p32(sys); p32(3); p32(52); p32(thr); p32(4); p32(112); p32(mod); p32(6); p32(168); p32(exc); p32(5); p32(4 + 16 * n); p32(ml2);
  p16(0); p16(6); p16(0); fputc(1, o); fputc(1, o); p32(10); p32(0); p32(19045); p32(2); p32(0); p16(0); p16(0); for (int i = 0; i < 6; i++) p32(0);
  p32(1); p32(1); p32(0); p32(0); p32(0); p64(0x7ffde000); p64(mem[st].a); p32(mem[st].n); p32(mem[st].rva); p32(716); p32(ctxr);
  p32(1); p64(base); p32(imgsize); p32(0); p32(stamp); p32(name); for (int i = 0; i < 13; i++) p32(0); p32(cvsize); p32(cvr); p32(0); p32(0); p64(0); p64(0);
  p32(1); p32(0); p32(0xc000001d); p32(0); p64(0); p64((uint32_t)g[REG_EIP]); p32(0); p32(0); for (int i = 0; i < 15; i++) p64(0); p32(716); p32(ctxr);
  p32(n); for (int i = 0; i < n; i++) { p64(mem[i].a); p32(mem[i].n); p32(mem[i].rva); }
  fwrite(ctx, 716, 1, o); fwrite(cv, cvsize, 1, o); p32(10); for (char* c = "p.exe"; *c; c++) p16(*c); p16(0);
  for (int i = 0; i < n; i++) fwrite((void*)(uintptr_t)mem[i].a, 1, mem[i].n, o);
  fclose(o); g[REG_EIP] += 2;
}
int main(int c, char** v) {
  stack_top = ((uint32_t)__builtin_frame_address(0) + 64) & ~15; // the environment lies above
  FILE* f = fopen(v[1], "rb"); static uint8_t b[1 << 22]; fread(b, 1, sizeof b, f);
  uint32_t pe = *(uint32_t*)(b + 0x3c); uint16_t ns = *(uint16_t*)(b + pe + 6), os = *(uint16_t*)(b + pe + 20); uint8_t* opt = b + pe + 24;
  stamp = *(uint32_t*)(b + pe + 8); base = *(uint32_t*)(opt + 28); imgsize = *(uint32_t*)(opt + 56); uint32_t entry = *(uint32_t*)(opt + 16);
  img = mmap((void*)(uintptr_t)base, imgsize, 7, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0); if (img != (void*)(uintptr_t)base) { perror("mmap"); return 1; }
  memcpy(img, b, *(uint32_t*)(opt + 60)); uint8_t* s = opt + os;
  for (int i = 0; i < ns; i++, s += 40) memcpy(img + *(uint32_t*)(s + 12), b + *(uint32_t*)(s + 20), *(uint32_t*)(s + 16));
  uint32_t* dd = (uint32_t*)(opt + 96);
  for (uint32_t* d = (uint32_t*)(img + dd[2]); d[3]; d += 5) for (uint32_t* t = (uint32_t*)(img + d[4]); *t; t++) { char* nm = (char*)img + *t + 2; *t = !strcmp(nm, "printf") ? (uint32_t)printf : !strcmp(nm, "malloc") ? (uint32_t)malloc : !strcmp(nm, "fflush") ? (uint32_t)fflush : !strcmp(nm, "ExitProcess") ? (uint32_t)exit : (uint32_t)abort; }
  for (uint32_t i = 0; i < dd[13] / 28; i++) { uint32_t* d = (uint32_t*)(img + dd[12]) + 7 * i; if (d[3] == 2) { cvsize = d[4] < sizeof cv ? d[4] : sizeof cv; memcpy(cv, img + d[5], cvsize); } }
  static char alt[65536]; stack_t ss = {alt, 0, sizeof alt}; sigaltstack(&ss, 0);
  struct sigaction sa = {0}; sa.sa_sigaction = crash; sa.sa_flags = SA_SIGINFO | SA_ONSTACK; sigaction(SIGILL, &sa, 0);
  ((void (*)(void))(img + entry))(); return 0;
}
