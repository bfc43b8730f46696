package dwarf

import (
	"slices"
	"sort"
	"strings"
	"sync"

	"crashglass/core/base/recent"
)

// A node is a unit whose entries are read one by one, with all attributes: for
// variables and types, which refer to each other from everywhere.
type node struct {
	*unit
	data   []byte
	table  *abbrevTable
	scopes []naming // in the order of the unit
}

// A naming is an entry that the names of those in it begin with.
type naming struct {
	at, end int
	parent  int // the naming that it is in, -1 for none
	tag     uint16
}

// entries reads the entries of units.
type entries struct {
	mu    sync.Mutex
	nodes recent.Cache[nodeKey, *node]
	named declared
}

// A nodeKey identifies a node. Joined units are made anew, so the address of one does not.
type nodeKey struct {
	group    *group
	off      uint64
	skeleton *unit
	inTypes  bool
}

// maxNodes bounds what the units take up that are kept, apart from the last one.
const maxNodes = 48 << 20

// weight is about how many bytes a node takes up. Tables of abbreviations are shared, and count elsewhere.
func (n *node) weight() int { return len(n.data) + 32*len(n.scopes) }

// node returns a unit for its entries, nil where it cannot be read.
func (f *File) node(u *unit) *node {
	c := &f.entries
	c.mu.Lock()
	defer c.mu.Unlock()
	key := nodeKey{u.group, u.off, u.skeleton, u.inTypes}
	if n, ok := c.nodes.Get(key); ok {
		return n
	}
	n := f.readNode(u)
	if n != nil {
		c.nodes.Put(key, n, n.weight())
	}
	return n
}

// A unit that can be read in part is kept as far as it goes. entries is locked.
func (f *File) readNode(u *unit) *node {
	if !f.limits.entries.Spend(int64(u.end - u.off)) {
		f.note("dwarf: variables and types refer to so many units that what is left is not read")
		return nil
	}
	key := u.table()
	table, err := u.group.whole.get(u.group, key)
	if table == nil {
		f.note("%v", err)
		return nil
	}
	data, err := u.readInto(make([]byte, u.end-u.off)) // the section has as many
	f.noteError(err)
	n := &node{unit: u, data: data, table: table}
	n.readScopes()
	return n
}

func (g *group) info(u *unit) *section {
	if u.inTypes {
		return g.section("types")
	}
	return g.section("info")
}

// readScopes finds what gives names to others.
func (n *node) readScopes() {
	r := buffer{b: n.data, at: int(n.dies - n.off), big: n.group.big}
	stack := []int{}
	here := -1
	for r.len() > 0 && len(stack) < maxNesting {
		at := r.at
		code := r.uleb()
		if code == 0 {
			if len(stack) == 0 {
				break
			}
			if last := stack[len(stack)-1]; here != last {
				n.scopes[here].end = at
				here = last
			}
			stack = stack[:len(stack)-1]
			continue
		}
		a := n.table.find(code)
		if a == nil {
			break
		}
		a.skip(&r, n.sizes)
		if !a.children || r.bad {
			continue
		}
		stack = append(stack, here)
		if givesName(a.tag) {
			n.scopes = append(n.scopes, naming{at, len(n.data), here, a.tag})
			here = len(n.scopes) - 1
		}
	}
}

// givesName reports whether names of entries inside of such an entry begin with its own. That of a function
// ends such a name: see fullName.
func givesName(tag uint16) bool {
	switch tag {
	case tagNamespace, tagStruct, tagClass, tagUnion, tagInterface, tagModule, tagSubprogram:
		return true
	}
	return false
}

// around returns what an entry lies in, or -1.
func (n *node) around(at int) int {
	i := sort.Search(len(n.scopes), func(i int) bool { return n.scopes[i].at >= at }) - 1
	for i >= 0 && n.scopes[i].end <= at {
		i = n.scopes[i].parent
	}
	return i
}

// maxScopes bounds what a name begins with.
const maxScopes = 64

// deepest bounds the functions around a function, as in lambdas of lambdas.
const deepest = 4

// within is scoped with the names of the functions around the entry: "open::<lambda()>::operator()".
func (d *die) within(depth int) string {
	full, local := d.scoped()
	if !local || full == "" || depth == 0 {
		return full
	}
	if full == "(anonymous)::operator()" {
		full = "{lambda}::operator()" // as demanglers do it, which know its number
	}
	at := d.declared()
	for i := at.n.around(at.at); i >= 0; i = at.n.scopes[i].parent {
		if s := at.n.scopes[i]; s.tag == tagSubprogram {
			if f, ok := at.n.die(s.at); ok {
				if name := f.within(depth - 1); name != "" {
					return name + "::" + full
				}
			}
			break
		}
	}
	return full
}

// declared returns the entry that an entry continues, which has the name and lies where that is declared.
func (d *die) declared() die {
	at := *d
	for range maxHops {
		from, ok := at.n.follow(at.first(atAbstractOrigin, atSpecification))
		if !ok {
			break
		}
		at = from
	}
	return at
}

// fullName is the name of a type with the namespaces and classes around it. Names in Go are already
// complete.
func (d *die) fullName() string {
	name, _ := d.scoped()
	return name
}

// scoped is fullName, and reports whether the entry is in a function, which the name does not say.
func (d *die) scoped() (full string, local bool) {
	name, at := d.name(atName), d.declared()
	if name == "" {
		return "", false
	}
	parts := []string{name}
	for i := at.n.around(at.at); i >= 0 && len(parts) < maxScopes; i = at.n.scopes[i].parent {
		s := at.n.scopes[i]
		if local = s.tag == tagSubprogram; local { // the name of a local type does not say of what function
			break
		}
		parts = append(parts, at.n.scopeName(s))
	}
	slices.Reverse(parts)
	return strings.Join(parts, "::"), local
}

// scopeName is the name of a namespace or class as part of a longer name. Those without one are
// written as demanglers write them.
func (n *node) scopeName(s naming) string {
	d, ok := n.die(s.at)
	if !ok {
		return "?"
	}
	if name := d.name(atName); name != "" {
		return name
	}
	if s.tag == tagNamespace {
		return "(anonymous namespace)"
	}
	return "(anonymous)"
}
