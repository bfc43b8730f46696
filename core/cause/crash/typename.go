package crash

import (
	"slices"
	"strconv"
	"strings"
)

// A typeReader reads the mangled name of a type. Source: the Itanium C++ ABI, 5.1.5.
type typeReader struct {
	rest  string
	known []string // what substitutions refer to
	depth int
	bad   bool
}

// mostTypeDepth bounds the nesting of a type, and mostTypeText the length of its name, which substitutions can double again and again.
const (
	mostTypeDepth = 32
	mostTypeText  = 1 << 12
)

var builtinTypes = map[byte]string{
	'v': "void", 'w': "wchar_t", 'b': "bool", 'c': "char", 'a': "signed char", 'h': "unsigned char", 's': "short", 't': "unsigned short", 'i': "int",
	'j': "unsigned int", 'l': "long", 'm': "unsigned long", 'x': "long long", 'y': "unsigned long long", 'n': "__int128", 'o': "unsigned __int128",
	'f': "float", 'd': "double", 'e': "long double", 'g': "__float128", 'z': "...",
}

var longBuiltins = map[string]string{"Dn": "std::nullptr_t", "Di": "char32_t", "Ds": "char16_t", "Du": "char8_t"}

// stdTypes are the codes behind S of the standard library's types.
var stdTypes = map[byte]string{'t': "std", 'a': "std::allocator", 'b': "std::basic_string", 's': "std::string", 'i': "std::istream", 'o': "std::ostream", 'd': "std::iostream"}

// longTypes are spellings that have a short one.
var longTypes = strings.NewReplacer("::__cxx11::", "::", "std::__1::", "std::", "std::__fs::", "std::",
	"std::basic_string<char, std::char_traits<char>, std::allocator<char>>", "std::string")

// typeText returns the name of a type whose mangled name a std::type_info has: "PKc" is char const*, "N3app5ErrorE" is app::Error.
// It returns other names unchanged.
func typeText(mangled string) string {
	r := typeReader{rest: mangled}
	text := r.typ()
	if r.bad || r.rest != "" || text == "" {
		return mangled
	}
	return longTypes.Replace(longTypes.Replace(text))
}

// fail makes the whole name unreadable.
func (r *typeReader) fail() string {
	r.bad, r.rest = true, ""
	return ""
}

// next takes one of the given letters, or none.
func (r *typeReader) next(letters string) byte {
	if r.rest == "" || strings.IndexByte(letters, r.rest[0]) < 0 {
		return 0
	}
	c := r.rest[0]
	r.rest = r.rest[1:]
	return c
}

// remember adds a part to which later substitutions may refer.
func (r *typeReader) remember(text string) string {
	if len(text) > mostTypeText {
		return r.fail()
	}
	r.known = append(r.known, text)
	return text
}

func (r *typeReader) typ() string {
	if r.depth++; r.depth > mostTypeDepth || r.rest == "" {
		return r.fail()
	}
	defer func() { r.depth-- }()
	if name := builtinTypes[r.rest[0]]; name != "" {
		r.rest = r.rest[1:]
		return name
	}
	if name := longBuiltins[r.rest[:min(2, len(r.rest))]]; name != "" {
		r.rest = r.rest[2:]
		return name
	}
	switch c := r.next("PROKVN"); c {
	case 'P', 'R', 'O', 'K', 'V':
		return r.remember(r.typ() + map[byte]string{'P': "*", 'R': "&", 'O': "&&", 'K': " const", 'V': " volatile"}[c])
	case 'N':
		return r.nested()
	}
	return r.simple()
}

// nested reads a name with scopes, up to its E.
func (r *typeReader) nested() string {
	text := ""
	for r.next("E") == 0 {
		switch {
		case r.bad || r.rest == "":
			return r.fail()
		case r.next("I") != 0:
			text = r.remember(text + r.arguments())
		case r.rest[0] == 'S':
			text = r.substitution()
		default:
			if text += scope(text) + r.name(); r.bad {
				return ""
			}
			r.remember(text)
		}
	}
	return text
}

// scope separates a name from its scope.
func scope(of string) string {
	if of == "" {
		return ""
	}
	return "::"
}

// simple reads a name without scopes, or one in std, with its arguments.
func (r *typeReader) simple() string {
	text, known := "", false
	if r.rest[0] == 'S' {
		if text = r.substitution(); text == "std" {
			text += "::" + r.name()
		} else {
			known = true
		}
	} else {
		text = r.name()
	}
	if !known && !r.bad {
		r.remember(text)
	}
	if r.next("I") != 0 {
		text = r.remember(text + r.arguments())
	}
	return text
}

// name reads a length and a name.
func (r *typeReader) name() string {
	digits := len(r.rest) - len(strings.TrimLeft(r.rest, "0123456789"))
	n, err := strconv.Atoi(r.rest[:digits])
	if err != nil || n <= 0 || n > len(r.rest)-digits {
		return r.fail()
	}
	text := r.rest[digits : digits+n]
	if r.rest = r.rest[digits+n:]; strings.HasPrefix(text, "_GLOBAL__N_") {
		return "(anonymous namespace)"
	}
	return text
}

// substitution reads a reference to an earlier part, or an abbreviation.
func (r *typeReader) substitution() string {
	r.rest = r.rest[1:]
	if r.rest == "" {
		return r.fail()
	}
	if name := stdTypes[r.rest[0]]; name != "" {
		r.rest = r.rest[1:]
		return name
	}
	digits, rest, ok := strings.Cut(r.rest, "_")
	n := int64(0)
	if digits != "" {
		v, err := strconv.ParseInt(digits, 36, 16)
		if n = v + 1; err != nil {
			return r.fail()
		}
	}
	if !ok || n < 0 || n >= int64(len(r.known)) {
		return r.fail()
	}
	r.rest = rest
	return r.known[n]
}

// arguments reads template arguments, up to their E.
func (r *typeReader) arguments() string {
	var list []string
	for r.next("E") == 0 {
		switch {
		case r.bad || r.rest == "" || len(list) > mostTypeDepth:
			return r.fail()
		case r.next("J") != 0: // an argument pack
			if pack := r.arguments(); len(pack) > 2 {
				list = append(list, pack[1:len(pack)-1])
			}
		case r.next("L") != 0:
			typ := r.typ()
			value, rest, ok := strings.Cut(r.rest, "E")
			if !ok {
				return r.fail()
			}
			if r.rest = rest; typ == "bool" && slices.Contains([]string{"0", "1"}, value) {
				value = map[string]string{"0": "false", "1": "true"}[value]
			}
			list = append(list, strings.Replace(value, "n", "-", 1))
		default:
			list = append(list, r.typ())
		}
	}
	if text := "<" + strings.Join(list, ", ") + ">"; len(text) <= mostTypeText {
		return text
	}
	return r.fail()
}
