package dwarf

import "strings"

// maxScopes bounds what a name begins with.
const maxScopes = 64

// fullName is the name of a type with the namespaces and classes around it. Names in Go are already
// complete.
func (d *die) fullName() string {
	name := d.name(atName)
	at := *d
	for range maxHops { // what continues a declaration is where that is
		from, ok := at.n.follow(at.get(atSpecification))
		if !ok {
			break
		}
		at = from
	}
	if name == "" {
		return ""
	}
	parts := []string{name}
	for i := at.n.around(at.at); i >= 0 && len(parts) < maxScopes; i = at.n.scopes[i].parent {
		s := at.n.scopes[i]
		if s.tag == tagSubprogram { // the name of a local type does not say of what function
			break
		}
		parts = append(parts, at.n.scopeName(s))
	}
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, "::")
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
