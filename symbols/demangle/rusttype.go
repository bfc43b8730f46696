package demangle

import "strings"

// rustTypes are the types with a letter of their own.
var rustTypes = map[byte]string{
	'a': "i8", 'b': "bool", 'c': "char", 'd': "f64", 'e': "str", 'f': "f32", 'h': "u8", 'i': "isize", 'j': "usize", 'l': "i32", 'm': "u32",
	'n': "i128", 'o': "u128", 'p': "_", 's': "i16", 't': "u16", 'u': "()", 'v': "...", 'x': "i64", 'y': "u64", 'z': "!",
}

func (r *rustName) typ() {
	defer r.leave()
	if !r.enter() {
		return
	}
	switch c := r.next(); c {
	case 'A':
		r.write("[")
		r.typ()
		r.write("; ")
		r.constant(true)
		r.write("]")
	case 'S':
		r.write("[")
		r.typ()
		r.write("]")
	case 'T':
		r.tuple(r.typ)
	case 'R':
		r.reference("&")
	case 'Q':
		r.reference("&mut ")
	case 'P':
		r.write("*const ")
		r.typ()
	case 'O':
		r.write("*mut ")
		r.typ()
	case 'F':
		r.binder(r.function)
	case 'D':
		r.dynamic()
	case 'W':
		r.typ()
		r.write(" is ")
		r.pattern()
	case 'B':
		r.backref(r.typ)
	default:
		if name, ok := rustTypes[c]; ok {
			r.write(name)
			return
		}
		r.at--
		r.path(true, false)
	}
}

// tuple writes what is read in parentheses, of one with a comma behind it.
func (r *rustName) tuple(read func()) {
	r.write("(")
	if r.each(", ", read) == 1 {
		r.write(",")
	}
	r.write(")")
}

// reference reads &T or &'a mut T, by its sign.
func (r *rustName) reference(sign string) {
	if r.has('L') {
		if n := r.base62(); n > 0 {
			r.write("&")
			r.lifetime(n)
			sign = " " + strings.TrimPrefix(sign, "&")
		}
	}
	r.write(sign)
	r.typ()
}

// function reads the type of a function pointer behind its binder.
func (r *rustName) function() {
	if r.has('U') {
		r.write("unsafe ")
	}
	if r.has('K') {
		abi := "C"
		if !r.has('C') {
			abi = strings.ReplaceAll(r.plainIdentifier(), "_", "-")
		}
		r.write(`extern "` + abi + `" `)
	}
	r.write("fn(")
	r.each(", ", r.typ)
	r.write(")")
	if !r.has('u') {
		r.write(" -> ")
		r.typ()
	}
}

// dynamic reads the type of a trait object: its traits, and a lifetime.
func (r *rustName) dynamic() {
	r.write("dyn ")
	r.binder(func() { r.each(" + ", r.trait) })
	if !r.has('L') {
		r.fail("a trait object has no lifetime")
		return
	}
	if n := r.base62(); n > 0 {
		r.write(" + ")
		r.lifetime(n)
	}
}

// trait reads a trait with the types that it is bound to: Iterator<Item = u8>.
func (r *rustName) trait() {
	open := r.path(true, true)
	for r.has('p') {
		if open {
			r.write(", ")
		} else {
			r.write("<")
		}
		open = true
		r.write(r.plainIdentifier() + " = ")
		if r.has('K') {
			r.constant(false)
		} else {
			r.typ()
		}
	}
	if open {
		r.write(">")
	}
}

// pattern reads which values of a type are meant: a range, several patterns, or all
// pointers but null.
func (r *rustName) pattern() {
	defer r.leave()
	if !r.enter() {
		return
	}
	switch c := r.next(); c {
	case 'R':
		r.constant(false)
		r.write("..=")
		r.constant(false)
	case 'O':
		r.each(" | ", r.pattern)
	case 'N':
		r.write("!null")
	default:
		r.fail("%q begins no pattern", c)
	}
}
