package breakpad

import (
	"strconv"
	"strings"

	"crashglass/core/stack/unwind"
)

// A segment is a written part of a table. Rules that a symbol file cannot express end it, and a new
// segment begins after them.
type segment struct {
	w     *writer
	start uint64
	lines []byte        // of rows after the first
	said  bool          // whether anything can be
	first []unwind.Rule // if so, its rules
}

// callFrames writes STACK CFI records.
func (w *writer) callFrames(t *unwind.CallFrameTable) error {
	s := &w.segment
	s.w = w
	now := append(w.rules[:0], t.Rules...)
	s.begin(t.Start, now)
	for _, row := range t.Rows {
		if row.Addr-t.Start >= t.Size {
			break
		}
		now = unwind.Apply(now, row.Rules, 0)
		switch {
		case !s.stillSaid(now, row.Rules):
			s.end(row.Addr)
		case !s.said:
			s.begin(row.Addr, now)
		default:
			s.row(row)
		}
	}
	s.end(t.Start + t.Size)
	w.rules = now
	return nil
}

func (s *segment) begin(at uint64, rules []unwind.Rule) {
	s.start, s.said, s.lines = at, sayable(rules), s.lines[:0]
	s.first = append(s.first[:0], rules...)
}

// stillSaid reports whether the rules are sayable after a row, which rarely changes it.
func (s *segment) stillSaid(now, row []unwind.Rule) bool {
	for _, r := range row {
		if !s.said || !plain(r.From) {
			return sayable(now)
		}
	}
	return s.said
}

func (s *segment) row(r unwind.CallFrameRow) {
	s.lines = strconv.AppendUint(append(s.lines, "STACK CFI "...), r.Addr, 16)
	s.lines = appendRules(s.lines, r.Rules)
}

// end writes what there is, up to an address.
func (s *segment) end(at uint64) {
	if s.said && at > s.start {
		line := strconv.AppendUint(append(s.w.line[:0], "STACK CFI INIT "...), s.start, 16)
		line = strconv.AppendUint(append(line, ' '), at-s.start, 16)
		s.w.line = appendRules(line, s.first)
		s.w.Write(s.w.line) // the Writer keeps the error
		s.w.Write(s.lines)
	}
	s.said = false
}

// appendRules writes rules: .cfa and .ra first, as dump_syms does. A register whose rule cannot be
// expressed becomes unknown, and does not keep its old value.
func appendRules(line []byte, rules []unwind.Rule) []byte {
	for _, first := range []string{unwind.CFA, unwind.RA} {
		for _, r := range rules {
			if r.Reg == first {
				line = appendRule(line, r)
			}
		}
	}
	for _, r := range rules {
		if r.Reg != unwind.CFA && r.Reg != unwind.RA {
			line = appendRule(line, r)
		}
	}
	return append(line, '\n')
}

func appendRule(line []byte, r unwind.Rule) []byte {
	if !plain(r.From) {
		r.From = unwind.Value{}
	}
	line = append(append(line, ' '), r.Reg...)
	return r.AppendText(append(line, ": "...))
}

// sayable reports whether a symbol file can say where the frame is and where
// it returns to.
func sayable(rules []unwind.Rule) bool {
	cfa, ra := false, false
	for _, r := range rules {
		cfa = cfa || r.Reg == unwind.CFA && plain(r.From)
		ra = ra || r.Reg == unwind.RA && plain(r.From)
	}
	return cfa && ra
}

// plain reports whether Breakpad has all operators of a value: ours begin with a dot.
func plain(v unwind.Value) bool {
	if v.Expr == nil {
		return true
	}
	for token := range strings.FieldsSeq(v.Expr.String()) {
		if token[0] == '.' && token != unwind.CFA {
			return false
		}
	}
	return true
}
