package swift

import (
	"math/rand/v2"
	"strconv"
)

// A mangler makes up declarations of Swift and writes their names by the grammar of
// docs/ABI/Mangling.rst. It shares nothing with the parser: it knows how names are
// written, and not what they look like in Swift.
type mangler struct {
	*rand.Rand
	subs  []byte // what a substitution can refer to: i an identifier, n a nominal type, p a protocol, t another type
	depth int
}

// mangled returns n different names, always the same ones.
func mangled(n int) (out []string) {
	rnd := rand.New(rand.NewPCG(2014, 6))
	seen := map[string]bool{}
	for len(out) < n {
		m := &mangler{Rand: rnd}
		if name := m.one("$s", "$s", "$s", "$S", "_$s", "$e") + m.global(); !seen[name] && len(name) < 400 {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

func (m *mangler) one(options ...string) string { return options[m.IntN(len(options))] }

// in reports true once in n times.
func (m *mangler) in(n int) bool { return m.IntN(n) == 0 }

// maybe runs make once in n times.
func (m *mangler) maybe(n int, make func() string) string {
	if m.in(n) {
		return make()
	}
	return ""
}

// times repeats make between least and most times.
func (m *mangler) times(least, most int, make func() string) (out string) {
	for range least + m.IntN(most-least+1) {
		out += make()
	}
	return out
}

// deeper runs make one level down, or flat where it is deep enough.
func (m *mangler) deeper(flat, make func() string) string {
	if m.depth >= 3 {
		return flat()
	}
	m.depth++
	defer func() { m.depth-- }()
	return make()
}

// note makes what has been written known to substitutions.
func (m *mangler) note(kind byte, text string) string {
	m.subs = append(m.subs, kind)
	return text
}

// again refers to something of one of some kinds, if there was one before.
func (m *mangler) again(kinds ...byte) (string, bool) {
	var at []int
	for i, have := range m.subs {
		for _, k := range kinds {
			if have == k {
				at = append(at, i)
			}
		}
	}
	if len(at) == 0 {
		return "", false
	}
	if i := at[m.IntN(len(at))]; i < 26 {
		return "A" + string(rune('A'+i)), true
	} else {
		return "A" + number(i-26), true
	}
}

// number writes an index: 0 is _ and 1 is 0_.
func number(n int) string {
	if n == 0 {
		return "_"
	}
	return strconv.Itoa(n-1) + "_"
}

func (m *mangler) index() string { return number(m.IntN(3)) }

// identifier writes a name with its length. A 0 in front says that letters stand for
// words, so that a name without any begins with its length.
func (m *mangler) identifier() string {
	if m.in(4) {
		if text, ok := m.again('i'); ok {
			return text
		}
	}
	name := m.one("main", "Foo", "bar", "NodeList", "x", "value", "T", "run", "HTTPServer", "_store", "Key", "kind_of", "a1", "Element", "withLock")
	return m.note('i', strconv.Itoa(len(name))+name)
}

func (m *mangler) module() string {
	if m.in(4) {
		return m.one("s", "So", "SC")
	}
	return m.identifier()
}
