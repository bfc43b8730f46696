package dwarf

import (
	"fmt"
	"slices"
	"strings"

	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

// A File is also a source of variables: Scopes, Passed and Entered.
var (
	_ variables.Source    = (*File)(nil)
	_ variables.CallSites = (*File)(nil)
)

func (f *File) function(rel uint64) (d die, ok bool) {
	at, ok := find(f, func() (at defPlace, ok bool) {
		p, r, ok := f.at(rel)
		if ok {
			at = defPlace{p.unit, int(p.subs[r.sub].die)}
		}
		return at, ok
	})
	if !ok {
		return d, false
	}
	d, ok = f.dieAt(at)
	return d, ok && d.tag == tagSubprogram
}

// Language implements variables.Languages.
func (f *File) Language(rel uint64) types.Language {
	at, ok := find(f, func() (*unit, bool) {
		p, _, ok := f.at(rel)
		if !ok {
			return nil, false
		}
		return p.unit, true
	})
	if !ok {
		return types.C
	}
	return at.languageOf()
}

// Scopes implements variables.Source. A recursion queries the same address again and again.
func (f *File) Scopes(rel uint64) []variables.Scope {
	if known, ok := f.scopes.Get(rel); ok {
		return known
	}
	before := f.Unanswered()
	known := f.scopesAt(rel)
	if f.Unanswered() == before { // else the query is repeated when all headers are read
		f.scopes.Put(rel, known, 1)
	}
	return known
}

// maxKnownScopes bounds the answers that are kept.
const maxKnownScopes = 16

// scopesAt is Scopes without its memory: the innermost call first, the function last.
func (f *File) scopesAt(rel uint64) []variables.Scope {
	d, ok := f.function(rel)
	if !ok {
		return nil
	}
	s := &scoping{addr: f.opt.Base + rel, base: d.frameBase(), budget: d.n.rangeBudget()}
	s.open(&d)
	d.each(s.visit)
	slices.Reverse(s.scopes)
	for i := range s.scopes {
		variables.Arrange(s.scopes[i].Variables)
	}
	return s.scopes
}

// A scoping visits the entries of a function that contain an address.
type scoping struct {
	addr   uint64
	base   frameBase
	scopes []variables.Scope // its own, then those of calls inlined into it, outermost first
	budget int
	count  int
	depth  int // of blocks in each other
	calls  int // that it is inlined into
}

// A frameBase computes what places in a function count from.
type frameBase = func(e *variables.Eval) (uint64, error)

const maxVariables = 1 << 12

// open begins the scope of a function or an inlined call.
func (s *scoping) open(d *die) {
	name := d.name(atLinkageName, atMIPSLinkageName)
	if name == "" {
		name = d.name(atName)
	}
	s.scopes = append(s.scopes, variables.Scope{Function: name, Inlined: d.tag == tagInlined})
}

// visit examines an entry in the function. Blocks and calls count if their code contains the address;
// functions and classes inside are other scopes. It returns where the entry ends, or 0.
func (s *scoping) visit(d *die) (end int) {
	switch d.tag {
	case tagParameter, tagVariable:
		s.add(d)
	case tagBlock, tagTry, tagCatch:
		if s.depth < maxNesting && s.covers(d) {
			return s.block(d)
		}
	case tagInlined:
		if !s.covers(d) || s.calls+len(s.scopes) > maxChain {
			return 0
		}
		s.open(d)
		here := s.scopes[len(s.scopes)-1:]
		inner := &scoping{addr: s.addr, base: s.base, scopes: here[:1:1], calls: s.calls + 1, budget: s.budget, count: s.count}
		end = d.each(inner.visit)
		s.scopes = append(s.scopes[:len(s.scopes)-1], inner.scopes...)
		s.budget, s.count = inner.budget, inner.count
		return end
	}
	return 0
}

// block goes into a block. Its line is the first one of its variables' own.
func (s *scoping) block(d *die) (end int) {
	first := len(s.scopes[0].Variables)
	s.depth++
	end = d.each(s.visit)
	var own []*variables.Block
	line := ^uint32(0)
	list := s.scopes[0].Variables[first:]
	for i := range list {
		if b := &list[i].Block; b.Depth == s.depth {
			own = append(own, b)
			line = min(line, b.Line-1) // a line that is not known is 0, and the highest here
		}
	}
	for _, b := range own {
		b.Line = line + 1
	}
	s.depth--
	return end
}

// covers reports whether the code of a block has the address.
func (s *scoping) covers(d *die) bool {
	ranges := d.n.appendRanges(nil, d.get(atLowPC), d.get(atHighPC), d.get(atRanges), &s.budget)
	return slices.ContainsFunc(ranges, func(r span) bool { return r.start <= s.addr && s.addr < r.end })
}

// Variables made by the compiler have no name, or are marked artificial and have a reserved one. Artificial ones of other
// names are this, self, what a lambda captured (GCC), and the parts of a structured binding (Clang).
func (s *scoping) add(d *die) {
	if s.count++; s.count > maxVariables {
		return
	}
	v := d.variable(s.base)
	if _, artificial := d.inherited(atArtificial); artificial.set() && (v.Name == "" || v.Name[0] == '_' || v.Name[0] == '.') {
		return
	}
	if d.flag(atDeclaration) || v.Name == "" && !v.Argument {
		return
	}
	if s.depth > 0 {
		from, at := d.inherited(atDeclLine)
		line, _ := from.n.constant(at)
		v.Block = variables.Block{Depth: s.depth, Line: uint32(line)}
	}
	if name, escaped := strings.CutPrefix(v.Name, "&"); escaped && v.Rule != nil { // Go calls a variable on the heap &name, and describes the pointer to it
		if t := types.Strip(v.Type.Get()); t != nil && t.Kind == types.Pointer {
			v.Name, v.Type, v.Rule = name, t.Elem, escapedRule{v.Rule}
		}
	}
	s.scopes[0].Variables = append(s.scopes[0].Variables, v)
}

// An escapedRule locates a variable of Go that is on the heap.
type escapedRule struct{ variables.Rule }

// Place follows the pointer at the rule's place to the variable.
func (r escapedRule) Place(e *variables.Eval) (variables.Place, error) {
	p, err := r.Rule.Place(e)
	if err != nil {
		return p, err
	}
	addr, err := e.Read(p, e.Frame.Arch.Word)
	return variables.Place{Pieces: []variables.Piece{{Kind: variables.InMemory, Addr: addr}}}, err
}

func (d *die) variable(base frameBase) variables.Variable {
	v := variables.Variable{
		Name: d.name(atName), Argument: d.tag == tagParameter,
		From: fmt.Sprintf(".debug_info at %#x", d.n.off+uint64(d.at)),
	}
	if from, t := d.inherited(atType); t.set() {
		v.Type = from.n.typeRef(t)
	}
	if from, at := d.inherited(atLocation, atConstValue); at.set() {
		v.Rule = &rule{n: from.n, at: at, constant: !from.get(atLocation).set(), base: base}
	}
	return v
}
