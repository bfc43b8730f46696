package breakpad

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// A reference is the same format read the naive way: everything at once, into
// lists that every question searches from end to end. It shares no code with
// the reader, so that a wrong idea of a record cannot agree with itself. It
// bounds nothing.
type reference struct {
	funcs   []*refFunc
	publics []refFunc
	inits   []*refInit
	wins    []refWin
	files   map[uint64]string
	origins map[uint64]refOrigin
}

type refFunc struct {
	start, size, params uint64
	name                string
	multiple            bool
	lines               []refLine
	inlines             []refInline
	own                 *int // what ownLine found
}

type refLine struct{ start, size, line, file uint64 }

type refInline struct {
	start, size, depth, line, file, origin uint64
	hasFile                                bool
}

type refOrigin struct {
	name    string
	file    uint64
	hasFile bool
}

type refInit struct {
	start, size uint64
	rows        []refRow
}

type refRow struct {
	addr  uint64
	rules []unwind.Rule
}

type refWin struct {
	kind uint64
	unwind.WinFrame
}

// refFields splits text at spaces into at most n fields. The last field may contain spaces.
func refFields(text string, n int) (out []string) {
	for len(out) < n-1 {
		text = strings.TrimLeft(text, " ")
		word, rest, _ := strings.Cut(text, " ")
		if word == "" {
			return out
		}
		out, text = append(out, word), rest
	}
	if text = strings.TrimLeft(text, " "); text != "" {
		out = append(out, text)
	}
	return out
}

// refNumbers parses fields by a pattern: x for 64 bits of hex, w for 32, d for
// decimal.
func refNumbers(fields []string, pattern string) (out []uint64, ok bool) {
	if len(fields) < len(pattern) {
		return nil, false
	}
	for i, p := range pattern {
		base, bits := 16, 64
		switch p {
		case 'w':
			bits = 32
		case 'd':
			base, bits = 10, 32
		}
		v, err := strconv.ParseUint(fields[i], base, bits)
		if err != nil {
			return nil, false
		}
		out = append(out, v)
	}
	return out, true
}

func parseReference(data string) *reference {
	r := &reference{files: map[uint64]string{}, origins: map[uint64]refOrigin{}}
	var fn *refFunc
	var init *refInit
	for _, line := range strings.Split(data, "\n") {
		line = strings.TrimRight(line, "\r")
		tag, rest := refTag(line)
		switch tag {
		case "FUNC":
			if fn = refSymbol(rest, "xxw"); fn != nil {
				r.funcs = append(r.funcs, fn)
			}
		case "PUBLIC":
			fn = nil
			if p := refSymbol(rest, "xw"); p != nil && p.start != 0 {
				r.publics = append(r.publics, *p)
			}
		case "FILE":
			r.file(rest)
		case "INLINE_ORIGIN":
			r.origin(rest)
		case "INLINE":
			if fn != nil {
				fn.inline(rest)
			}
		case "STACK WIN":
			r.win(rest)
		case "STACK CFI INIT":
			init = r.init(rest)
		case "STACK CFI":
			if f := refFields(rest, 2); init != nil {
				init.row(f)
			}
		case "line":
			if n, ok := refNumbers(refFields(rest, 5), "xxdd"); ok && fn != nil && refCovers(n[0], n[1]) {
				fn.lines = append(fn.lines, refLine{n[0], n[1], n[2], n[3]})
			}
		}
	}
	return r
}

func refTag(line string) (tag, rest string) {
	for _, tag := range []string{"FUNC", "PUBLIC", "FILE", "INLINE_ORIGIN", "INLINE", "STACK WIN", "STACK CFI INIT", "STACK CFI", "MODULE", "INFO"} {
		if rest, ok := strings.CutPrefix(line, tag+" "); ok {
			return tag, rest
		}
	}
	if line != "" && strings.Contains("0123456789abcdefABCDEF", line[:1]) {
		return "line", line
	}
	return "", line
}

func refCovers(start, size uint64) bool { return size != 0 && start+(size-1) >= start }

func refSymbol(rest, pattern string) *refFunc {
	var s refFunc
	if f := refFields(rest, 2); len(f) == 2 && f[0] == "m" {
		s.multiple, rest = true, f[1]
	}
	f := refFields(rest, len(pattern)+1)
	n, ok := refNumbers(f, pattern)
	if !ok || len(f) <= len(pattern) {
		return nil
	}
	s.start, s.params, s.name = n[0], n[len(n)-1], f[len(pattern)]
	if len(n) == 3 {
		s.size = n[1]
	}
	return &s
}

func (r *reference) file(rest string) {
	f := refFields(rest, 2)
	if n, ok := refNumbers(f, "d"); ok && len(f) == 2 {
		if _, known := r.files[n[0]]; !known {
			r.files[n[0]] = f[1]
		}
	}
}

func (r *reference) origin(rest string) {
	f := refFields(rest, 2)
	n, ok := refNumbers(f, "d")
	if !ok || len(f) < 2 {
		return
	}
	if _, known := r.origins[n[0]]; known {
		return
	}
	o := refOrigin{name: f[1]}
	if g := refFields(f[1], 2); len(g) == 2 {
		if file, ok := refNumbers(g, "d"); ok {
			o = refOrigin{name: g[1], file: file[0], hasFile: true}
		} else if g[0] == "-1" {
			o = refOrigin{name: g[1]}
		}
	}
	r.origins[n[0]] = o
}

func (fn *refFunc) inline(rest string) {
	f := refFields(rest, 1<<20)
	head := "dddd"
	if len(f)%2 == 1 {
		head = "ddd"
	}
	n, ok := refNumbers(f, head+strings.Repeat("x", max(len(f)-len(head), 2)))
	if !ok || n[0] >= maxDepth {
		return
	}
	in := refInline{depth: n[0], line: n[1], origin: n[len(head)-1]}
	if in.hasFile = head == "dddd"; in.hasFile {
		in.file = n[2]
	}
	for n = n[len(head):]; len(n) > 0; n = n[2:] {
		if in.start, in.size = n[0], n[1]; refCovers(in.start, in.size) {
			fn.inlines = append(fn.inlines, in)
		}
	}
}

func (r *reference) win(rest string) {
	f := refFields(rest, 11)
	n, ok := refNumbers(f, "xxxwwwwwwx")
	if !ok || len(f) < 11 || n[0] != 0 && n[0] != 4 || !refCovers(n[1], n[2]) {
		return
	}
	w := refWin{n[0], unwind.WinFrame{Start: n[1], Size: n[2], Prolog: uint32(n[3]), FrameData: n[0] == 4,
		ParamSize: uint32(n[5]), SavedRegs: uint32(n[6]), Locals: uint32(n[7])}}
	if n[9] != 0 {
		w.Program = f[10]
	} else if flag, ok := refNumbers(refFields(f[10], 2), "x"); ok {
		w.AllocatesEBP = flag[0] != 0
	} else {
		return
	}
	r.wins = append(r.wins, w)
}

func (r *reference) init(rest string) *refInit {
	f := refFields(rest, 3)
	n, ok := refNumbers(f, "xx")
	if !ok || len(f) < 3 {
		return nil
	}
	in := &refInit{start: n[0], size: n[1]}
	if rules := refRules(f[2]); rules != nil {
		in.rows = []refRow{{n[0], rules}}
	}
	if refCovers(n[0], n[1]) {
		r.inits = append(r.inits, in)
	}
	return in
}

func (in *refInit) row(f []string) {
	n, ok := refNumbers(f, "x")
	if !ok || len(f) < 2 || len(in.rows) == 0 || n[0] < in.start || n[0]-in.start >= in.size {
		return
	}
	if rules := refRules(f[1]); rules != nil {
		in.rows = append(in.rows, refRow{n[0], rules})
	}
}

func refRules(text string) (rules []unwind.Rule) {
	var exprs []string
	for _, word := range strings.Fields(text) {
		last := len(rules) - 1
		switch {
		case len(word) > 1 && strings.HasSuffix(word, ":"):
			if last >= 0 && exprs[last] == "" {
				return nil
			}
			rules, exprs = append(rules, unwind.Rule{Reg: strings.TrimSuffix(word, ":")}), append(exprs, "")
		case last < 0:
			return nil
		default:
			exprs[last] = strings.TrimSpace(exprs[last] + " " + word)
		}
	}
	if len(rules) == 0 || exprs[len(rules)-1] == "" {
		return nil
	}
	for i, expr := range exprs {
		rules[i].From = unwind.ParseValue(expr)
	}
	return rules
}

// latest returns the index of the range that covers addr and starts last, or -1. If several do, the
// first one is returned.
func latest(n int, addr uint64, rng func(i int) (start, size uint64)) int {
	best, from := -1, uint64(0)
	for i := range n {
		start, size := rng(i)
		if addr >= start && addr-start < size && refCovers(start, size) && (best < 0 || start > from) {
			best, from = i, start
		}
	}
	return best
}

func (r *reference) symbol(addr uint64) (s *refFunc, public bool) {
	if i := latest(len(r.funcs), addr, func(i int) (uint64, uint64) { return r.funcs[i].start, r.funcs[i].size }); i >= 0 {
		return r.funcs[i], false
	}
	for i := range r.publics {
		if p := &r.publics[i]; p.start <= addr && (s == nil || p.start > s.start) {
			s = p
		}
	}
	return s, true
}

// bounded reports whether a FUNC lies between a public symbol and an address.
// Where functions overlap the reader's table knows the pieces' starts only, so
// the check is left to tests without overlaps.
func (r *reference) bounded(public, addr uint64) bool {
	for _, f := range r.funcs {
		if refCovers(f.start, f.size) && f.start <= addr && f.start >= public {
			return true
		}
	}
	return false
}

func (r *reference) Locate(addr uint64) (symbolize.Location, bool) {
	s, public := r.symbol(addr)
	if s == nil || public && r.bounded(s.start, addr) {
		return symbolize.Location{}, false
	}
	loc := symbolize.Location{Function: s.name, Start: s.start, Size: s.size, Public: public, Multiple: s.multiple}
	if public {
		return loc, true
	}
	at := symbolize.Inline{}
	li := latest(len(s.lines), addr, func(i int) (uint64, uint64) { return s.lines[i].start, s.lines[i].size })
	if li >= 0 {
		at.Line, at.File, loc.LineStart = uint32(s.lines[li].line), r.files[s.lines[li].file], s.lines[li].start
	}
	calls := s.inlinesAt(addr)
	if li < 0 && len(calls) > 0 {
		loc.LineStart = calls[0].start
	}
	for i := len(calls) - 1; i >= 0; i-- {
		at.Function = r.origins[calls[i].origin].name
		loc.Inlines = append(loc.Inlines, at)
		at = symbolize.Inline{Line: uint32(calls[i].line), File: r.callFile(s, calls[:i+1], li)}
	}
	loc.File, loc.Line = at.File, at.Line
	return loc, true
}

// inlinesAt returns the inlined calls at an address, the outermost first. They end at the first
// depth without one.
func (fn *refFunc) inlinesAt(addr uint64) (calls []refInline) {
	covering := map[uint64][]refInline{} // by depth
	for _, in := range fn.inlines {
		if addr >= in.start && addr-in.start < in.size {
			covering[in.depth] = append(covering[in.depth], in)
		}
	}
	for depth := uint64(0); ; depth++ {
		list := covering[depth]
		i := latest(len(list), addr, func(i int) (uint64, uint64) { return list[i].start, list[i].size })
		if i < 0 {
			return calls
		}
		calls = append(calls, list[i])
	}
}

// ownLine returns the index of the first line that is of no inlined call; or -1.
func (fn *refFunc) ownLine() int {
	if fn.own == nil {
		i := slices.IndexFunc(fn.lines, func(l refLine) bool { return !fn.isInlined(l.start) })
		fn.own = &i
	}
	return *fn.own
}

func (fn *refFunc) isInlined(addr uint64) bool {
	return slices.ContainsFunc(fn.inlines, func(in refInline) bool {
		return in.depth == 0 && addr >= in.start && addr-in.start < in.size && refCovers(in.start, in.size)
	})
}

func (r *reference) callFile(s *refFunc, calls []refInline, li int) string {
	n := len(calls)
	if calls[n-1].hasFile {
		return r.files[calls[n-1].file]
	}
	if n > 1 {
		if o := r.origins[calls[n-2].origin]; o.hasFile {
			return r.files[o.file]
		}
	} else {
		if own := s.ownLine(); own >= 0 {
			return r.files[s.lines[own].file]
		}
	}
	if li >= 0 {
		return r.files[s.lines[li].file]
	}
	return ""
}

func (r *reference) CallFrame(addr uint64) (unwind.CallFrame, bool) {
	i := latest(len(r.inits), addr, func(i int) (uint64, uint64) { return r.inits[i].start, r.inits[i].size })
	if i < 0 || len(r.inits[i].rows) == 0 {
		return unwind.CallFrame{}, false
	}
	in := r.inits[i]
	rows := append([]refRow(nil), in.rows...)
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].addr < rows[j].addr })
	out := unwind.CallFrame{Start: in.start, Size: in.size}
	where := map[string]int{}
	for _, row := range rows {
		if row.addr > addr {
			break
		}
		for _, rule := range row.rules {
			key := strings.TrimPrefix(rule.Reg, "$")
			if k, ok := where[key]; ok {
				out.Rules[k] = rule
			} else {
				where[key] = len(out.Rules)
				out.Rules = append(out.Rules, rule)
			}
		}
	}
	return out, true
}

func (r *reference) HasNames() bool { return true }

func (r *reference) HasCode() bool { return false }

func (r *reference) WinFrame(addr uint64) (unwind.WinFrame, bool) {
	for _, kind := range []uint64{4, 0} {
		i := latest(len(r.wins), addr, func(i int) (uint64, uint64) {
			if r.wins[i].kind != kind {
				return 0, 0
			}
			return r.wins[i].Start, r.wins[i].Size
		})
		if i >= 0 {
			return r.wins[i].WinFrame, true
		}
	}
	return unwind.WinFrame{}, false
}
