package demangle

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// A rustMangler makes up names by the grammar of Rust's RFC 2603. It shares nothing with
// the parser. A back reference is to something of the same sort that is complete, at its
// offset behind the _R.
type rustMangler struct {
	*rand.Rand
	out    []byte
	starts map[byte][]int // of complete paths, types and constants
	depth  int
	bound  int // lifetimes that binders around have
}

// rustNames returns n different names, always the same ones.
func rustNames(n int) (out []string) {
	rnd := rand.New(rand.NewPCG(2603, 1))
	seen := map[string]bool{}
	for len(out) < n {
		m := &rustMangler{Rand: rnd, starts: map[byte][]int{}}
		m.path()
		if m.in(8) {
			m.path() // the crate that made the copy
		}
		name := m.one("_R", "_R", "__R") + string(m.out) + m.one("", "", "", ".llvm.9D1C9369")
		if !seen[name] && len(name) < 400 {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

func (m *rustMangler) one(options ...string) string { return options[m.IntN(len(options))] }

func (m *rustMangler) in(n int) bool { return m.IntN(n) == 0 }

func (m *rustMangler) say(text string) { m.out = append(m.out, text...) }

// times repeats make up to n times, and ends the list.
func (m *rustMangler) times(n int, make func()) {
	for range m.IntN(n + 1) {
		make()
	}
	m.say("E")
}

// deep runs one of some functions, the first where it is deep enough, and keeps the place
// for references. One in five times it refers to such a place.
func (m *rustMangler) deep(sort byte, makes ...func()) {
	if at := m.starts[sort]; len(at) > 0 && m.in(5) {
		m.say("B" + base62(at[m.IntN(len(at))]))
		return
	}
	start, i := len(m.out), 0
	if m.depth < 5 {
		i = m.IntN(len(makes))
	}
	m.depth++
	makes[i]()
	m.depth--
	m.starts[sort] = append(m.starts[sort], start)
}

// base62 writes a number: 0 is _ and 1 is 0_.
func base62(n int) string {
	if n == 0 {
		return "_"
	}
	digits := ""
	for n--; n > 0 || digits == ""; n /= 62 {
		digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[n%62:][:1] + digits
	}
	return digits + "_"
}

func (m *rustMangler) identifier() {
	name := m.one("core", "std", "a", "Foo", "bar", "", "_private", "2nd", "utf8", "HashMap", "run_with_cstr")
	m.say(strconv.Itoa(len(name)))
	if name != "" && (name[0] == '_' || isDigit(name[0])) {
		m.say("_")
	}
	m.say(name)
}

// numbered is an identifier, maybe one of several of that name.
func (m *rustMangler) numbered() {
	m.say(m.one("", "", "s_", "s0_", "sa_"))
	if m.in(10) {
		m.say(m.one("u8gdel_5qa", "u5abc_a", "u30____7hkackfecea1cbdathfdh9hlq6y"))
		return
	}
	m.identifier()
}

func (m *rustMangler) path() {
	nested := func() {
		m.say("N" + m.one("v", "t", "C", "S", "K"))
		m.path()
		m.numbered()
	}
	m.deep('p', func() { m.say("C"); m.numbered() }, nested, nested, nested,
		func() { m.say("M" + m.one("", "s_")); m.path(); m.typ() },
		func() { m.say("X"); m.path(); m.typ(); m.path() },
		func() { m.say("Y"); m.typ(); m.path() },
		func() { m.say("I"); m.path(); m.times(3, m.argument) })
}

func (m *rustMangler) argument() {
	switch m.IntN(5) {
	case 0:
		m.say("L")
		m.lifetime()
	case 1:
		m.say("K")
		m.constant()
	default:
		m.typ()
	}
}

func (m *rustMangler) lifetime() { m.say(base62(m.IntN(m.bound + 1))) }

// bind makes something within up to three lifetimes of its own.
func (m *rustMangler) bind(make func()) {
	n := m.IntN(4)
	if n > 0 {
		m.say("G" + base62(n-1))
	}
	m.bound += n
	make()
	m.bound -= n
}

func (m *rustMangler) typ() {
	reference := func() {
		m.say(m.one("R", "Q"))
		if m.in(2) {
			m.say("L")
			m.lifetime()
		}
		m.typ()
	}
	m.deep('t', func() { m.say(m.one("a", "b", "c", "d", "e", "h", "j", "l", "n", "p", "u", "v", "y", "z")) },
		m.path, m.path, reference,
		func() { m.say(m.one("P", "O", "S")); m.typ() },
		func() { m.say("A"); m.typ(); m.constant() },
		func() { m.say("T"); m.times(3, m.typ) },
		func() { m.say("F"); m.bind(m.function) },
		func() { m.say("D"); m.bind(func() { m.times(2, m.trait) }); m.say("L"); m.lifetime() },
		func() { m.say("W"); m.typ(); m.pattern() })
}

func (m *rustMangler) function() {
	m.say(m.one("", "", "U") + m.one("", "", "KC", "K15efiapi_unwind_x"))
	m.times(2, m.typ)
	m.typ()
}

// trait is a trait with the types and values that it is bound to.
func (m *rustMangler) trait() {
	m.path()
	for range m.IntN(3) {
		m.say("p")
		m.identifier()
		if m.in(3) {
			m.say("K")
			m.constant()
		} else {
			m.typ()
		}
	}
}

func (m *rustMangler) pattern() {
	switch m.IntN(4) {
	case 0:
		m.say("N")
	case 1:
		m.say("O")
		m.pattern()
		m.times(1, m.pattern)
	default:
		m.say("R")
		m.constant()
		m.constant()
	}
}

func (m *rustMangler) constant() {
	list := func() { m.say(m.one("A", "T")); m.times(3, m.constant) }
	m.deep('c', m.literal, m.literal, m.literal, list,
		func() { m.say(m.one("R", "Q")); m.constant() },
		func() { m.say("V"); m.path(); m.fields() })
}

func (m *rustMangler) literal() {
	switch m.IntN(5) {
	case 0:
		m.say(m.one("b0_", "b1_", "p"))
	case 1:
		m.say("c" + fmt.Sprintf("%x_", []rune{'a', '\'', '"', '\n', 0x7f, 0, 'é', '😀'}[m.IntN(8)]))
	case 2:
		m.say(m.one("e", "Re") + fmt.Sprintf("%x_", m.one("", "abc", "it's", `a "b"`, "tab\t", "ß\x1b")))
	case 3:
		m.say(m.one("a", "s", "l", "x", "n", "i") + m.one("", "n") + m.one("0_", "7f_", "ffffffffffffffff_", "10000000000000000_"))
	default:
		m.say(m.one("h", "t", "m", "y", "o", "j") + m.one("0_", "_", "00ff_", "8000000000000000_", "123456789abcdef01_"))
	}
}

func (m *rustMangler) fields() {
	switch m.IntN(3) {
	case 0:
		m.say("U")
	case 1:
		m.say("T")
		m.times(2, m.constant)
	default:
		m.say("S")
		m.times(2, func() { m.numbered(); m.constant() })
	}
}
