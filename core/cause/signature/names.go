package signature

import (
	"strings"

	"crashglass/core/stack/funcname"
)

// Longer names are truncated first. No signature shows as much, and the cost of a name stays
// bounded.
const longestName = 4096

// cppFunction returns a C or C++ function as a signature has it: template arguments are <T>, and
// arguments, return type, qualifiers, the numbers of lambdas and the compiler's suffixes of copies
// and parts are left out. Socorro leaves out " [clone .cold]" only; which other suffixes a function
// gets differs between compilers.
func cppFunction(name string) string {
	name = funcname.WithoutClone(cut(name))
	for _, qualifier := range []string{"const", "const&", "&&", "&"} {
		name = strings.TrimSpace(strings.TrimSuffix(name, qualifier))
	}
	// The spaces in "operator bool const &" follow no return type.
	if !strings.Contains(name, "::operator") {
		name = withoutReturnType(name)
	}
	name = strings.ReplaceAll(name, "`anonymous namespace'", "(anonymous namespace)")
	return spaced(withoutArguments(withoutTypes(withoutLambdaNumbers(name))))
}

// rustFunction returns a Rust function as a signature has it: as in C++, and without the hash,
// which differs between builds.
func rustFunction(name string) string {
	return withoutHash(spaced(withoutArguments(withoutTypes(withoutReturnType(funcname.WithoutClone(cut(name)))))))
}

func cut(name string) string { return name[:min(len(name), longestName)] }

// withoutTypes replaces the text between angle brackets by <T>, unless it names the function
// itself: a trait's type, "<unknown in x.dll>".
func withoutTypes(name string) string {
	return enclosed(name, '<', '>', func(before, inside string) string {
		switch {
		case inside == "<name omitted>", strings.Contains(inside, " as "), strings.Contains(inside, " in "):
			return inside
		case strings.HasSuffix(before, "IPC::ParamTraits") && strings.HasSuffix(inside, ">"):
			return "<" + withoutTypes(inside[1:len(inside)-1]) + ">"
		}
		return "<T>"
	})
}

func withoutArguments(name string) string {
	return enclosed(name, '(', ')', func(before, inside string) string {
		if inside == "(anonymous namespace)" || strings.HasSuffix(before, "operator") {
			return inside
		}
		return ""
	})
}

// enclosed replaces the outermost parts between two brackets, including the brackets. A part that
// is not closed extends to the end.
func enclosed(s string, open, shut byte, replace func(before, inside string) string) string {
	var b strings.Builder
	end, start, depth := 0, 0, 0
	put := func(next int) {
		before := s[end:start]
		b.WriteString(before)
		b.WriteString(replace(before, s[start:next]))
		end = next
	}
	for i := range len(s) {
		switch {
		case s[i] == open:
			if depth == 0 {
				start = i
			}
			depth++
		case s[i] == shut && depth > 0:
			if depth--; depth == 0 {
				put(i + 1)
			}
		}
	}
	if depth > 0 {
		put(len(s))
	}
	return b.String() + s[end:]
}

// brackets are the pairs within which a name may contain a space.
var brackets = map[byte]byte{'(': ')', '{': '}', '[': ']', '<': '>', '`': '\''}

// withoutReturnType returns the text after the last space outside of brackets. It keeps the space
// before arguments: "f (int)".
func withoutReturnType(name string) string {
	var open []byte
	from := 0
	for i := range len(name) {
		c := name[i]
		switch {
		case brackets[c] != 0:
			open = append(open, c)
		case len(open) > 0:
			if brackets[open[len(open)-1]] == c {
				open = open[:len(open)-1]
			}
		case c == ' ' && !strings.HasPrefix(name[i+1:], "("):
			from = i + 1
		}
	}
	if from == len(name) {
		return name
	}
	return name[from:]
}

// withoutLambdaNumbers reduces ::$_52:: to ::$::, because the number differs between builds.
func withoutLambdaNumbers(name string) string {
	parts := strings.Split(name, "::")
	for i := 1; i < len(parts)-1; i++ {
		if number, ok := strings.CutPrefix(parts[i], "$_"); ok && number != "" && strings.Trim(number, "0123456789") == "" {
			parts[i] = "$"
		}
	}
	return strings.Join(parts, "::")
}

// withoutHash drops the last part of a Rust name if it is ::h and hex digits.
func withoutHash(name string) string {
	i := strings.LastIndex(name, "::h")
	if i < 0 || len(name) == i+3 || strings.Trim(name[i+3:], "0123456789abcdefABCDEF") != "" {
		return name
	}
	return name[:i]
}

// spaced normalizes spaces, because compilers differ: none before a star, an ampersand or a comma,
// and one after each comma.
func spaced(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		next := byte(0)
		if i+1 < len(name) {
			next = name[i+1]
		}
		if c == ' ' && (next == '*' || next == '&' || next == ',') {
			continue
		}
		b.WriteByte(c)
		if c == ',' && next != ' ' {
			b.WriteByte(' ')
		}
	}
	return b.String()
}
