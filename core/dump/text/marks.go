package text

// marks find the marks of all families in a line, in one pass: an automaton of Aho and Corasick
// ("Efficient string matching", 1975) whose states are the beginnings of marks.
type marks struct {
	class [256]uint8 // of each byte; bytes that are in no mark have class 0
	width int        // number of classes
	next  []int32    // of state*width + class
	ends  [][]end    // of states: the marks that end there
}

// An end is a mark of a family.
type end struct{ family, size int }

// A hit is a mark in a line.
type hit struct{ family, column int }

func newMarks(families []Family) *marks {
	m := &marks{width: 1}
	for _, f := range families {
		for _, mark := range f.Marks {
			for _, b := range []byte(mark) {
				if m.class[b] == 0 {
					m.class[b] = uint8(m.width)
					m.width++
				}
			}
		}
	}
	m.state()
	for i, f := range families {
		for _, mark := range f.Marks {
			m.add(mark, end{i, len(mark)})
		}
	}
	m.link()
	return m
}

// state adds a state that leads nowhere.
func (m *marks) state() int32 {
	m.next = append(m.next, make([]int32, m.width)...)
	m.ends = append(m.ends, nil)
	return int32(len(m.ends) - 1)
}

// add adds the states of a mark.
func (m *marks) add(mark string, e end) {
	at := int32(0)
	for _, b := range []byte(mark) {
		step := int(at)*m.width + int(m.class[b])
		if m.next[step] == 0 {
			to := m.state()
			m.next[step] = to
		}
		at = m.next[step]
	}
	m.ends[at] = append(m.ends[at], e)
}

// link completes each state's steps: where its text cannot go on, the longest end of it that begins
// a mark does.
func (m *marks) link() {
	fallback := make([]int32, len(m.ends))
	order := []int32{0}
	for i := 0; i < len(order); i++ {
		at := order[i]
		for c := range m.width {
			step, back := int(at)*m.width+c, int32(0)
			if at != 0 {
				back = m.next[int(fallback[at])*m.width+c]
			}
			if to := m.next[step]; to != 0 {
				fallback[to] = back
				m.ends[to] = append(m.ends[to], m.ends[back]...)
				order = append(order, to)
			} else {
				m.next[step] = back
			}
		}
	}
}

// find returns the marks in a line, in the order of their ends, each family once.
func (m *marks) find(line []byte) (hits []hit) {
	state := int32(0)
	for i, b := range line {
		state = m.next[int(state)*m.width+int(m.class[b])]
		for _, e := range m.ends[state] {
			hits = add(hits, hit{e.family, i + 1 - e.size})
		}
	}
	return hits
}

func add(hits []hit, h hit) []hit {
	for _, other := range hits {
		if other.family == h.family {
			return hits
		}
	}
	return append(hits, h)
}
