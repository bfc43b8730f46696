package funcname

import (
	"slices"
	"strings"
)

// A clone is a suffix that compilers append to the name of a function that they copied, split or
// renamed: GCC's passes, and LLVM's ThinLTO. Most have a number, so that a Go function of these
// names ("main.part") is none.
type clone struct {
	word   string
	number bool // it always has one
	copied bool // it is a part or a copy, not only another name
}

var clones = []clone{
	{word: "cold", copied: true},
	{word: "constprop", number: true, copied: true},
	{word: "isra", number: true, copied: true},
	{word: "llvm", number: true},
	{word: "localalias"},
	{word: "lto_priv", number: true},
	{word: "part", number: true, copied: true},
}

// WithoutClone removes what compilers appended to a function's name, as a linker has it
// ("_Z1fv.part.0.cold") and as demanglers write it ("f() [clone .part.0] [clone .cold]"). DWARF has
// neither.
func WithoutClone(name string) string {
	name = withoutBrackets(name)
	for {
		rest, _, ok := cutClone(name)
		if !ok {
			return name
		}
		name = rest
	}
}

// withoutBrackets removes what demanglers write of suffixes, whichever they are.
func withoutBrackets(name string) string {
	const open = " [clone ."
	for strings.HasSuffix(name, "]") {
		at := strings.LastIndex(name, open)
		if at <= 0 || strings.IndexByte(name[at:], ']') != len(name)-at-1 {
			break
		}
		name = name[:at]
	}
	return name
}

// CopySuffix is what a compiler appended to the name of a part or a copy of a function as a linker
// has it (".isra.0"), or "".
func CopySuffix(name string) string {
	rest, copied := name, false
	for {
		shorter, kind, ok := cutClone(rest)
		if !ok {
			break
		}
		rest, copied = shorter, copied || kind.copied
	}
	if !copied {
		return ""
	}
	return name[len(rest):]
}

// cutClone cuts the last suffix off a name.
func cutClone(name string) (rest string, kind clone, ok bool) {
	rest, last := cutLast(name)
	numbered := last != "" && strings.Trim(last, "0123456789") == ""
	if numbered {
		rest, last = cutLast(rest)
	}
	i := slices.IndexFunc(clones, func(c clone) bool { return c.word == last && (numbered || !c.number) })
	if i < 0 {
		return name, clone{}, false
	}
	return rest, clones[i], true
}

// cutLast cuts a name at its last dot. A name that begins with it has no suffix.
func cutLast(name string) (rest, last string) {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 {
		return name, ""
	}
	return name[:i], name[i+1:]
}
