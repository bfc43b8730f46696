package pdb

import (
	"cmp"
	"fmt"
	"slices"

	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

var (
	_ variables.Source    = (*File)(nil)
	_ variables.Languages = (*File)(nil)
)

// Scopes implements variables.Source.
func (f *File) Scopes(rel uint64) []variables.Scope {
	f.mu.Lock()
	defer f.mu.Unlock()
	h, ok := f.find(rel)
	if !ok || h.unit == nil || h.body == nil || h.added || h.body.sym.thunk {
		return nil
	}
	s := f.newScoping(&h)
	h.unit.eachRecord(f, h.body.inside, s.record)
	slices.Reverse(s.scopes)
	for i := range s.scopes {
		variables.Arrange(s.scopes[i].Variables)
	}
	return s.scopes
}

// A scoping visits the records of a function that contain an address.
type scoping struct {
	f        *File
	u        *unit
	rva      uint32
	language types.Language
	frame    *procFrame

	scopes []variables.Scope // outermost first
	chain  []*site           // inlined calls at the address, outermost first
	levels []level           // open records, outermost first
	ranges *rule             // of the variable that S_DEFRANGE records are of

	arguments int // that the function's type has
	count     int
}

// A level is an enclosing record: the function, a block or a call.
type level struct {
	here  bool  // its code has the address
	site  *site // the call that it is, or is in
	next  int   // child of site that comes next
	scope int   // of variables in it
	block variables.Block
}

const maxVariables = 1 << 12

func (f *File) newScoping(h *hit) *scoping {
	b, u := h.body, h.unit
	s := &scoping{f: f, u: u, rva: h.rva, language: u.language, chain: b.chain(h.rva, nil)}
	s.frame = &procFrame{machine: f.dbi.machine, from: b.sym.bodyFrom, to: b.sym.bodyTo}
	if start, ok := f.addr.rva(b.sym.sect, b.sym.off); ok {
		s.frame.at = h.rva - start
	}
	s.describe(b)
	s.levels = []level{{here: true, site: &b.site}}
	s.scopes = []variables.Scope{{Function: cmp.Or(h.linkage, h.name)}}
	return s
}

// record takes the next record of the function. It returns false behind its end.
func (s *scoping) record(r record) bool {
	here := s.levels[len(s.levels)-1].here
	switch {
	case isProc(r.kind):
		return false
	case closes(r.kind):
		s.levels = s.levels[:len(s.levels)-1]
		return len(s.levels) > 0
	case opens(r.kind):
		return s.open(r)
	case !here:
	case r.kind == symFrameProc && len(s.levels) == 1:
		s.f.notes.error(s.frame.readFrame(r))
	case isRange(r.kind):
		s.place(r)
	default:
		s.variable(r)
	}
	return true
}

// open enters a block or an inlined call, if it contains the address.
func (s *scoping) open(r record) bool {
	if len(s.levels) >= maxDepth {
		return false // noted when the body was read
	}
	top := &s.levels[len(s.levels)-1]
	in := level{here: top.here, site: top.site, scope: top.scope, block: top.block}
	switch r.kind {
	case symInlineSite, symInlineSite2:
		in = s.call(top)
	case symBlock:
		b, err := parseBlock(r)
		start, ok := s.f.addr.rva(b.sect, b.off)
		in.here = top.here && err == nil && ok && start <= s.rva && s.rva-start < b.size
		in.block = variables.Block{Depth: top.block.Depth + 1, Line: s.lineAt(in.site, start)}
	}
	s.levels = append(s.levels, in)
	return true
}

// lineAt is the line of a call's own code at an address; of the function itself,
// where there is no call.
func (s *scoping) lineAt(in *site, rva uint32) uint32 {
	if row, ok := in.row(rva); ok {
		return row.line
	}
	if row, ok := s.u.lines.at(rva); ok && len(s.scopes) == 1 {
		return row.line
	}
	return 0
}

// call goes into an inlined call: the next one of those that its parent has.
// Blocks share the calls of what they are in.
func (s *scoping) call(top *level) level {
	counter := top
	for i := len(s.levels) - 1; i >= 0 && s.levels[i].site == top.site; i-- {
		counter = &s.levels[i]
	}
	in := level{site: &site{}}
	if counter.next < len(top.site.children) {
		in.site = top.site.children[counter.next]
	}
	counter.next++
	depth := len(s.scopes) - 1
	if top.here && depth < len(s.chain) && s.chain[depth] == in.site {
		in.here, in.scope = true, len(s.scopes)
		s.scopes = append(s.scopes, variables.Scope{Function: s.f.inlineName(s.u, in.site.id), Inlined: true})
	}
	return in
}

func (s *scoping) variable(r record) {
	s.ranges = nil
	v, ok, err := parseVariable(r)
	s.f.notes.error(err)
	if !ok || err != nil || v.flags&localGenerated != 0 && v.name != "this" || v.flags&localIsResult != 0 || v.name == "" {
		return
	}
	if s.count++; s.count > maxVariables {
		return
	}
	if v.at.kind == atAddress || v.at.kind == inThread {
		v.name = lastName(v.name) // LLVM writes the function's name before that of its static variable
	}
	out := variables.Variable{
		Name: v.name, Type: s.f.typeRef(s.u, v.typ, s.language), Argument: s.isArgument(&v),
		From: fmt.Sprintf("%s at %#x", s.u.what, r.at),
	}
	if v.flags&localOptimized == 0 {
		rule := &rule{f: s.f, frame: s.frame, argument: out.Argument, size: out.Type}
		if !v.ranged {
			rule.places = []place{v.at}
		} else {
			s.ranges = rule
		}
		out.Rule = rule
	}
	in := &s.levels[len(s.levels)-1]
	out.Block = in.block
	scope := &s.scopes[in.scope]
	scope.Variables = append(scope.Variables, out)
}

// Records of unoptimized code have no flag for that; arguments come first, outside of blocks.
func (s *scoping) isArgument(v *varSym) bool {
	if v.ranged {
		return v.flags&localIsParam != 0
	}
	if len(s.levels) > 1 || s.arguments == 0 || v.at.kind != atRegister && v.at.kind != atFramePointer && v.at.kind != inRegister {
		return false
	}
	s.arguments--
	return true
}

// place adds the location of an S_DEFRANGE record, if it covers the address. The first location of
// the whole variable is used, and a certain one before an uncertain one.
func (s *scoping) place(r record) {
	if s.ranges == nil {
		return
	}
	p, covers, err := s.f.rangedPlace(r, s.rva)
	s.f.notes.error(err)
	if !covers || err != nil {
		return
	}
	list := &s.ranges.places
	switch {
	case len(*list) > maxParts:
	case len(*list) == 0 || p.part && (*list)[0].part:
		*list = append(*list, p)
	case !p.part && ((*list)[0].part || (*list)[0].maybe && !p.maybe):
		*list = []place{p}
	}
}

// Language implements variables.Languages.
func (f *File) Language(rel uint64) types.Language {
	f.mu.Lock()
	defer f.mu.Unlock()
	h, ok := f.find(rel)
	if !ok || h.unit == nil {
		return types.C
	}
	return h.unit.language
}

// languages are those that differ from C: CV_CFL_LANG of cvinfo.h and, from
// 0x11 on, SourceLanguage of LLVM's CodeView.h.
var languages = map[byte]types.Language{1: types.CPlusPlus, 0x11: types.ObjectiveC, 0x12: types.CPlusPlus, 0x13: types.Swift, 'S': types.Swift, 0x15: types.Rust, 0x16: types.Go}

// readLanguage reads the language in S_COMPILE2 or S_COMPILE3: COMPILESYM3 of cvinfo.h.
func (u *unit) readLanguage(r record) error {
	c := r.cursor("compiler record")
	u.language = languages[c.U8()]
	return c.Err()
}
