package symbols

import (
	"strings"
	"sync"

	"crashglass/core/bin"
	"crashglass/symbols/demangle"
)

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
// are counted, of names longer than usualName.
const (
	leastSquares   = 1 << 30
	squaresPerByte = 2048
)

// readableNames returns the function readable for a file of a size. After long names became too
// expensive the next ones stay mangled.
func readableNames(size int64) func(string) string {
	shorten := shortener(size)
	budget := bin.NewBudget(leastSquares + squaresPerByte*min(max(size, 0), 1<<40))
	return func(name string) string {
		name = shorten(name)
		if n := int64(len(name)); n > usualName && !budget.Spend(n*n) {
			return name
		}
		return readable(name)
	}
}

// A demangled caches demangled names: the functions of a recursion are named again and again.
type demangled struct {
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

var meanings = demangled{names: map[string]meant{}, work: bin.NewBudget(2 * leastSquares)}

// of is demangle.Name.
func (d *demangled) of(name string) (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if m, ok := d.names[name]; ok {
		return m.text, m.ok
	}
	if n := int64(len(name)); n > 4*usualName && !d.work.Spend(n*n) {
		return name, false
	}
	text, ok := demangle.Name(name)
	if d.size += 2*len(name) + len(text); d.size > maxDemangled {
		d.names, d.size = map[string]meant{}, len(name)+len(text)
	}
	d.names[name] = meant{text, ok}
	return text, ok
}
