package breakpad

// numbers assigns numbers to the names in one kind of record. A record is written when its name is
// first needed.
type numbers struct {
	record string         // the record up to its number
	names  map[string]int // as the source has them
	texts  map[string]int // as they are written: different names may look the same
	last   struct {
		name   string
		number int
	}
}

func newNumbers(record string) *numbers {
	return &numbers{record: record, names: map[string]int{}, texts: map[string]int{}}
}

// of returns the number of a name; spell makes the written form. Often the same name is needed
// again.
func (n *numbers) of(w *writer, name string, spell func(string) string) int {
	if n.last.name == name && len(n.names) > 0 {
		return n.last.number
	}
	number, known := n.names[name]
	if !known {
		number = n.spelt(w, spell(name))
		n.names[name] = number
	}
	n.last.name, n.last.number = name, number
	return number
}

func (n *numbers) spelt(w *writer, text string) int {
	number, known := n.texts[text]
	if known {
		return number
	}
	number = len(n.texts)
	n.texts[text] = number
	w.line = append(appendDecimal(append(w.line[:0], n.record...), number), ' ')
	w.line = append(append(w.line, text...), '\n')
	w.Write(w.line) // the Writer keeps its error
	return number
}
