package breakpad

import (
	"bytes"
	"cmp"
	"slices"

	"crashglass/core/stack/unwind"
)

// maxRows is how much text of one STACK CFI INIT record and its rows is read,
// in units. Code for i386 that pushes its arguments has two rows for each
// push, so this is generous.
const maxRows = 1 << 20

// maxRules is how many registers a row may have rules for. No CPU has more.
const maxRules = 128

// checkpoint is how many rows are applied at most to answer for an address.
const checkpoint = 64

// frames is a STACK CFI INIT record with its rows. The INIT record itself is the first row; without
// rows there are no rules.
type frames struct {
	start, size uint64
	rows        []row
	points      [][]unwind.Rule // the rules in force before every 64th row

	last      []unwind.Rule // the last answer, which a recursion needs again and again
	lastCount int           // the number of its rows
}

// A row changes the rules from an address on.
type row struct {
	addr  uint64
	rules []unwind.Rule
}

// framesAt reads the STACK CFI INIT record at a unit offset and its rows.
func (f *File) framesAt(at int64) *frames {
	if fr, ok := f.cache.frames.Get(at); ok {
		return fr
	}
	fr := &frames{}
	ok, err := f.readInit(fr, at)
	if err != nil {
		f.failed(err)
		return &frames{}
	}
	if !ok {
		if !f.state.InDoubt() {
			f.cache.frames.Put(at, fr, 64) // a malformed record is not read again for each frame
		}
		return fr
	}
	size := 64
	if err = f.eachPart(at, maxRows, func(line []byte, at int64) bool {
		size += 4 * (16 + len(line))
		return f.addRow(fr, line, at)
	}); err != nil {
		f.failed(err)
		return &frames{}
	}
	// Rows should ascend. Where two have one address both count, in the order
	// of the file; Breakpad forgets the first of them.
	slices.SortStableFunc(fr.rows, func(a, b row) int { return cmp.Compare(a.addr, b.addr) })
	fr.mark()
	if !f.state.InDoubt() {
		f.cache.frames.Put(at, fr, size)
	}
	return fr
}

func (fr *frames) mark() {
	var rules []unwind.Rule
	for i, r := range fr.rows {
		if i%checkpoint == 0 {
			fr.points = append(fr.points, slices.Clone(rules))
		}
		rules = unwind.Apply(rules, r.rules, maxRules)
	}
}

func (fr *frames) at(addr uint64) (rules []unwind.Rule) {
	n, found := slices.BinarySearchFunc(fr.rows, addr, func(r row, a uint64) int { return cmp.Compare(r.addr, a) })
	for found && n < len(fr.rows) && fr.rows[n].addr == addr {
		n++
	}
	if n == fr.lastCount { // there are no rules before the first row
		return slices.Clone(fr.last)
	}
	from := (n - 1) / checkpoint
	rules = slices.Clone(fr.points[from])
	for _, r := range fr.rows[from*checkpoint : n] {
		rules = unwind.Apply(rules, r.rules, maxRules)
	}
	fr.last, fr.lastCount = slices.Clone(rules), n
	return rules
}

// readInit reads a STACK CFI INIT record without its rows. It reports false if the record is malformed.
func (f *File) readInit(fr *frames, at int64) (ok bool, err error) {
	line, err := f.lineAt(at)
	if err != nil {
		return false, err
	}
	k, rest := kindOf(line)
	r := fieldsOf(rest)
	fr.start, fr.size = r.hex(), r.hex()
	f.doubt(k == kindInit)
	rules, ok := parseRules(r.rest())
	if r.bad || !ok {
		f.notes.addLate("STACK CFI INIT has malformed rules", f.t.offset(at))
		return false, nil
	}
	fr.rows = append(fr.rows, row{fr.start, rules})
	return true, nil
}

// addRow takes one line after a STACK CFI INIT record. It reports false where
// the rows end, or are interrupted, by the same rule as the scan.
func (f *File) addRow(fr *frames, line []byte, at int64) bool {
	k, rest := kindOf(line)
	switch k {
	case kindCFI:
	case kindOrigin, kindNone:
		return true
	default:
		f.certain(k == kindInit) // otherwise they may go on elsewhere
		return false
	}
	r := fieldsOf(rest)
	addr := r.hex()
	rules, ok := parseRules(r.rest())
	switch {
	case r.bad || !ok:
		f.notes.addLate("STACK CFI row is malformed", f.t.offset(at))
	case addr-fr.start >= fr.size:
		f.notes.addLate("STACK CFI row lies outside of its STACK CFI INIT", f.t.offset(at))
	default:
		fr.rows = append(fr.rows, row{addr, rules})
	}
	return true
}

// parseRules reads register: expression, repeated. A word that ends in a colon
// is the name of a register; each needs an expression of at least one word.
func parseRules(text []byte) (rules []unwind.Rule, ok bool) {
	var reg string
	var expr [][]byte
	finish := func() bool {
		if reg == "" || len(expr) == 0 || len(rules) == maxRules {
			return false
		}
		rules = append(rules, unwind.Rule{Reg: reg, From: unwind.ParseValue(string(bytes.Join(expr, []byte(" "))))})
		expr = expr[:0]
		return true
	}
	for word := range bytes.FieldsSeq(text) {
		if n := len(word) - 1; n > 0 && word[n] == ':' {
			if (reg != "" || len(expr) > 0) && !finish() {
				return nil, false
			}
			reg = string(word[:n])
			continue
		}
		expr = append(expr, word)
	}
	return rules, finish()
}
