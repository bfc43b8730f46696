package symbols

import (
	"cmp"
	"strings"
	"sync"

	"crashglass/core/base/bin"
	"crashglass/core/stack/funcname"
	"crashglass/core/stack/symbolize"
	"crashglass/symbols/demangle"
)

// readable is a name in a .sym file: demangled, if it is mangled.
func (n *namer) readable(name string) string {
	if plain, ok := n.demangle(name); ok {
		return plain
	}
	return name
}

// spell gives functions the names that a stack shows. dump_syms demangles names, so names of other
// files are demangled, too. Other programs show a .sym's names unchanged, so a linkage name in a
// .sym stays, with its demangled form beside it. A copy or a part of a function is named as c++filt
// names it: "f() [clone .cold]".
func (n *namer) spell(r *guarded, loc symbolize.Location) symbolize.Location {
	if r.Capabilities().FinalNames {
		loc.Readable = n.meaning(loc.Function)
		loc.Clone = funcname.CopySuffix(loc.Function)
		for i := range loc.Inlines {
			loc.Inlines[i].Readable = n.meaning(loc.Inlines[i].Function)
		}
		return loc
	}
	function, linkage := n.respell(withClone(loc.Function, loc.Linkage))
	loc.Function, loc.Linkage = function, cmp.Or(loc.Linkage, linkage)
	loc.Clone = funcname.CopySuffix(cmp.Or(loc.Linkage, function))
	for i := range loc.Inlines {
		in := &loc.Inlines[i]
		in.Function, in.Linkage = n.respell(in.Function)
	}
	return loc
}

// withClone is the linker's name of a copy or a part of a C++ function, which DWARF describes by the
// name of the function itself. A function of C has the name that DWARF and dump_syms give it.
func withClone(name, linkage string) string {
	if strings.HasPrefix(name, namePrefix) && strings.HasPrefix(linkage, name+".") {
		return linkage
	}
	return name
}

// meaning is the demangled form of a linkage name, "" if it is not mangled.
func (n *namer) meaning(name string) string {
	if m, ok := n.of(name); ok {
		return m
	}
	return ""
}

// respell demangles a linkage name, also with the suffix of a stub ("@plt").
func (n *namer) respell(name string) (function, linkage string) {
	const stub = "@plt"
	called, isStub := strings.CutSuffix(name, stub)
	m, ok := n.of(called)
	switch {
	case !ok:
		return name, ""
	case isStub:
		m += stub
	}
	return m, name
}

// Thousands of symbols may point into one long string of a linker's table. The excess length of
// names is counted, and names are shortened when it is far more than the files' size.
const (
	usualName    = 256
	leastNames   = 4 << 20
	namesPerByte = 4
)

// shortener returns a function that shortens long names once the earlier ones together had too many
// bytes for the size of the file.
func shortener(size int64) func(string) string {
	budget := bin.NewBudget(leastNames + namesPerByte*min(max(size, 0), 1<<40))
	return func(name string) string {
		if len(name) <= usualName || budget.Spend(int64(len(name)-usualName)) {
			return name
		}
		return strings.Clone(name[:usualName]) // without the rest in memory
	}
}

// Demangling takes time that grows with the square of a name's length: 24 ms for 8 KiB. So squares
// are counted, of names longer than usualName. A file that has each name once can pay for all of
// them, unless most are longer than squaresPerByte.
const (
	leastSquares   = 2 << 30
	squaresPerByte = 2 << 10

	// mostNamed bounds the size that counts for a report: 160 of the longest names.
	mostNamed = 4 << 20
)

// A namer demangles the names of one module for one report, or of one file that is written. Its
// budget ends with it, so the names of a report depend on nothing that was read before. It keeps
// the names that it made, because the functions of a recursion are named again and again.
type namer struct {
	mu    sync.Mutex
	names map[string]meant
	size  int // of names
	work  *bin.Budget
}

type meant struct {
	text string
	ok   bool
}

// maxDemangled bounds the bytes of names that are kept.
const maxDemangled = 4 << 20

func newNamer(size int64) *namer {
	return &namer{names: map[string]meant{}, work: bin.NewBudget(leastSquares + squaresPerByte*min(max(size, 0), 1<<40))}
}

// demangle is demangle.Name. After long names became too expensive the next ones stay mangled.
func (n *namer) demangle(name string) (string, bool) {
	if l := int64(len(name)); l > usualName && !n.work.Spend(l*l) {
		return name, false
	}
	return demangle.Name(name)
}

// of is demangle with a cache.
func (n *namer) of(name string) (string, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if m, ok := n.names[name]; ok {
		return m.text, m.ok
	}
	text, ok := n.demangle(name)
	if n.size += 2*len(name) + len(text); n.size > maxDemangled {
		n.names, n.size = map[string]meant{}, len(name)+len(text)
	}
	n.names[name] = meant{text, ok}
	return text, ok
}

// readableNames returns the function readable for a file of a size that is written.
func readableNames(size int64) func(string) string {
	shorten, names := shortener(size), newNamer(size)
	return func(name string) string { return names.readable(shorten(name)) }
}
