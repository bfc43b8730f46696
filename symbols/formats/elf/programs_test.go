package elf

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A source is a random program of C: functions with cold blocks, calls that never return, tail calls, saves that only one path needs, arrays, loops,
// switches and arguments on the stack.
type source struct {
	strings.Builder
	rng   *rand.Rand
	depth int
	loops int
}

const functionsOfSource = 24

// randomSource returns the program of a seed.
func randomSource(seed uint64) string {
	s := &source{rng: rand.New(rand.NewPCG(seed, 31))}
	s.WriteString("typedef long word;\n" +
		"word ext(word), take(word *, word), (*table[16])(word, word);\nword many(word, word, word, word, word, word, word, word, word, word);\n" +
		"__attribute__((noreturn, noinline, visibility(\"hidden\"))) void die(const char *s, word a) { for (;;) ext(a); }\n" +
		"__attribute__((noreturn, noinline, visibility(\"hidden\"))) void __stack_chk_fail(void) { for (;;) ext(1); }\n" +
		"__attribute__((noreturn, noinline, visibility(\"hidden\"))) void __stack_chk_fail_local(void) { for (;;) ext(1); }\n" +
		"void note(const char *, ...);\ndouble real(double, word);\nextern word shared[64];\n")
	for i := range functionsOfSource {
		fmt.Fprintf(s, "word f%d(word, word);\n", i)
	}
	for i := range functionsOfSource {
		s.function(i)
	}
	return s.String()
}

func (s *source) function(i int) {
	attribute := []string{"", "", "", "__attribute__((noinline)) ", "__attribute__((cold)) "}[s.rng.IntN(5)]
	fmt.Fprintf(s, "%sword f%d(word a, word b) {\nword c = a ^ b, d = 1;\n", attribute, i)
	if s.rng.IntN(3) == 0 {
		fmt.Fprintf(s, "word v[%d]; take(v, %d); c += v[1];\n", 4+s.rng.IntN(300), s.rng.IntN(9))
	}
	if s.rng.IntN(4) == 0 {
		fmt.Fprintf(s, "char t[%d]; take((word *)t, 3); d += t[a & 3];\n", 4+s.rng.IntN(40))
	}
	s.block(2 + s.rng.IntN(5))
	switch s.rng.IntN(5) {
	case 0:
		fmt.Fprintf(s, "return f%d(c, d);\n", s.rng.IntN(functionsOfSource))
	case 1:
		s.WriteString("return table[d & 15](c, a);\n")
	case 2:
		s.WriteString("die(\"end\", c);\n")
	default:
		s.WriteString("return c + d;\n")
	}
	s.WriteString("}\n")
}

func (s *source) block(statements int) {
	s.depth++
	for range statements {
		s.statement()
	}
	s.depth--
}

func (s *source) variable() string { return []string{"a", "b", "c", "d"}[s.rng.IntN(4)] }

func (s *source) statement() {
	v, w, n := s.variable(), s.variable(), s.rng.IntN(200)
	switch kind := s.rng.IntN(17); {
	case kind < 4:
		fmt.Fprintf(s, "%s += %s * %d;\n", v, w, n)
	case kind == 4:
		fmt.Fprintf(s, "%s = ext(%s + %d);\n", v, w, n)
	case kind == 5:
		fmt.Fprintf(s, "if (__builtin_expect(%s == %d, 0)) die(\"no\", %s);\n", v, n, w)
	case kind == 6:
		fmt.Fprintf(s, "if (!%s) return %s;\n", v, w)
	case kind == 7:
		fmt.Fprintf(s, "shared[%s & 63] ^= %s;\n", v, w)
	case kind == 8:
		fmt.Fprintf(s, "%s = many(a, b, c, d, %s, %d, a, b, c, d);\n", v, w, n)
	case kind == 9:
		fmt.Fprintf(s, "%s = f%d(%s, %d);\n", v, s.rng.IntN(functionsOfSource), w, n)
	case kind == 10:
		fmt.Fprintf(s, "{ double r = %s; %s = (word)(r * real(r, %s) + real(%d, 1)); }\n", v, v, w, n)
	case kind == 11:
		fmt.Fprintf(s, "if (__builtin_expect(%s > %d, 0)) { note(\"%%ld %%ld\", %s, %s); %s++; }\n", v, n, v, w, v)
	case kind == 12 && s.rng.IntN(3) == 0:
		fmt.Fprintf(s, "{ word *m = __builtin_alloca((%s & 63) * 8 + 8); %s = take(m, %d); }\n", v, w, n)
	case kind == 13:
		fmt.Fprintf(s, "%s = table[%d](%s, %s);\n", v, n%16, w, v)
	case s.depth > 2:
		fmt.Fprintf(s, "%s ^= shared[%d];\n", v, n%64)
	case kind == 14:
		s.loops++
		fmt.Fprintf(s, "for (word i%d = 0; i%d < (%s & 31); i%d++) {\n", s.loops, s.loops, w, s.loops)
		s.block(1 + s.rng.IntN(3))
		s.WriteString("}\n")
	case kind == 15:
		fmt.Fprintf(s, "switch (%s & 7) {\n", v)
		for c := range 2 + s.rng.IntN(6) {
			fmt.Fprintf(s, "case %d: ", c)
			s.block(1 + s.rng.IntN(2))
			s.WriteString("break;\n")
		}
		s.WriteString("}\n")
	default:
		fmt.Fprintf(s, "if (%s > %s) {\n", v, w)
		s.block(1 + s.rng.IntN(3))
		s.WriteString("} else {\n")
		s.block(1 + s.rng.IntN(3))
		s.WriteString("}\n")
	}
}
