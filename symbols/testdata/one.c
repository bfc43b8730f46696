/* Built by build.sh into files whose DWARF is not whole. */
struct shape { int sides; struct shape *next; };
static inline int count(const struct shape *s) { int n = 0; for (; s; s = s->next) n += s->sides; return n; }
__attribute__((noinline)) int total(const struct shape *s) { return count(s) + 1; }
void _start(void) { struct shape s = {3, 0}; volatile int n = total(&s); (void)n; for (;;) {} }
