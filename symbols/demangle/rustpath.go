package demangle

import "strconv"

// path reads a path. Of a type it is written without colons before the
// arguments. With open the arguments are left open for more, which it reports.
func (r *rustName) path(ofType, open bool) (opened bool) {
	defer r.leave()
	if !r.enter() {
		return false
	}
	switch c := r.next(); c {
	case 'C':
		name, _ := r.identifier()
		r.write(name)
	case 'M':
		r.implPath()
		r.self(false)
	case 'X':
		r.implPath()
		r.self(true)
	case 'Y':
		r.self(true)
	case 'N':
		r.nested(ofType)
	case 'I':
		return r.withArguments(ofType, open)
	case 'B':
		r.backref(func() { opened = r.path(ofType, open) })
	default:
		r.fail("%q begins no path", c)
	}
	return opened
}

// implPath reads where an implementation stands, which is not shown.
func (r *rustName) implPath() {
	if r.has('s') {
		r.base62()
	}
	r.quietly(func() { r.path(false, false) })
}

// self writes a type, maybe as one that has a trait.
func (r *rustName) self(trait bool) {
	r.write("<")
	r.typ()
	if trait {
		r.write(" as ")
		r.path(true, false)
	}
	r.write(">")
}

// namespaces are those that compilers make up names in.
var namespaces = map[byte]string{'C': "closure", 'S': "shim"}

// nested reads a path with one more part. Parts in namespaces with a capital
// letter have a number; others may have no name, as the constructor of a type.
func (r *rustName) nested(ofType bool) {
	namespace := r.next()
	r.path(ofType, false)
	name, number := r.identifier()
	switch {
	case namespace >= 'A' && namespace <= 'Z':
		kind, ok := namespaces[namespace]
		if !ok {
			kind = string(namespace)
		}
		if name != "" {
			kind += ":" + name
		}
		r.write("::{" + kind + "#" + strconv.FormatUint(number, 10) + "}")
	case namespace < 'a' || namespace > 'z':
		r.fail("%q is no namespace", namespace)
	case name != "":
		r.write("::" + name)
	}
}

// withArguments reads a path with generic arguments: a::f::<u8>, of a type a::T<u8>. It
// reports whether they are left open.
func (r *rustName) withArguments(ofType, open bool) bool {
	r.path(ofType, false)
	if !ofType {
		r.write("::")
	}
	r.write("<")
	r.each(", ", r.argument)
	if !open {
		r.write(">")
	}
	return open
}

// argument reads a generic argument: a lifetime, a value or a type.
func (r *rustName) argument() {
	switch {
	case r.has('L'):
		r.lifetime(r.base62())
	case r.has('K'):
		r.constant(false)
	default:
		r.typ()
	}
}

// lifetime writes a lifetime: 0 is one that was erased, others count from the
// innermost binder outwards. Behind 'z they are '_26 and so on.
func (r *rustName) lifetime(n uint64) {
	switch depth := uint64(r.bound) - n; {
	case n == 0:
		r.write("'_")
	case n > uint64(r.bound):
		r.fail("lifetime %d of %d", n, r.bound)
	case depth < 26:
		r.write("'" + string(rune('a'+depth)))
	default:
		r.write("'_" + strconv.FormatUint(depth, 10))
	}
}

// binder reads the lifetimes of a for<'a, 'b>, and what they are for.
func (r *rustName) binder(read func()) {
	before := r.bound
	if r.has('G') {
		n := r.base62() + 1
		if n > uint64(len(r.in)) { // each is referred to, or of no use
			r.fail("%d lifetimes", n)
			return
		}
		r.write("for<")
		for i := range n {
			if i > 0 {
				r.write(", ")
			}
			r.bound++
			r.lifetime(1)
		}
		r.write("> ")
	}
	read()
	r.bound = before
}
