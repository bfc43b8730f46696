package variables

import (
	"slices"
	"strings"

	"crashglass/core/process"
)

// Statics is a Source that knows the static variables of its module: those outside of functions.
type Statics interface {
	// Statics returns the variables whose full names match, at most limit.
	Statics(match func(name string) bool, limit int) []Variable

	// StaticsAt returns those of the compilation unit with the code at an address, at most limit. Where the
	// symbols do not say of which unit a variable is, there are none.
	StaticsAt(rel uint64, limit int) []Variable
}

// MaxStatics bounds the variables that one query finds.
const MaxStatics = 64

// readStatics reads the static variables with matching names in a frame's module. It uses only the
// module and the memory of the frame.
func readStatics(f *Context, match func(name string) bool, limits Limits) []*Value {
	source := f.Symbols.Statics
	if source == nil || f.Arch == nil {
		return nil
	}
	return readOutside(f, source.Statics(match, MaxStatics), limits)
}

func readOutside(f *Context, list []Variable, limits Limits) (out []*Value) {
	r := outside(f, limits)
	for i := range list {
		if r.values <= 0 {
			break
		}
		out = append(out, r.variable(&list[i]))
	}
	return out
}

// OfUnit reads the static variables of the compilation unit with the code at an address of the module.
func OfUnit(rel uint64, limits Limits) func(*Context) []*Value {
	return func(f *Context) []*Value {
		if f.Symbols.Statics == nil || f.Arch == nil {
			return nil
		}
		return readOutside(f, f.Symbols.Statics.StaticsAt(rel, MaxStatics), limits)
	}
}

// outside returns a reader of the variables outside of functions in a frame's module. They have no place in
// registers: a rule that needs one is damaged.
func outside(f *Context, limits Limits) *reader {
	module := *f
	module.Frame, module.CFA, module.Caller, module.Callee = &process.Frame{Module: f.Module}, nil, nil, nil
	return newReader(&module, limits)
}

// Named reads the static variables with one of several names: the full name ("ns::name"), its last
// parts ("name"), or a pattern with "*" for any text.
func Named(names []string, limits Limits) func(*Context) []*Value {
	match := func(name string) bool {
		return slices.ContainsFunc(names, func(want string) bool { return isNamed(name, want) })
	}
	return func(f *Context) []*Value { return readStatics(f, match, limits) }
}

// isNamed reports whether a full name matches one of the requested names.
func isNamed(name, want string) bool {
	parts := strings.Split(want, "*")
	if len(parts) > 1 {
		return matches(name, parts)
	}
	return isEnd(name, want)
}

// isEnd reports whether a full name ends with another name.
func isEnd(name, want string) bool {
	rest, ok := strings.CutSuffix(strings.ReplaceAll(name, "(anonymous namespace)::", ""), want)
	// "count" matches "ns::count" and Go's "main.count", but not "discount".
	return ok && want != "" && (rest == "" || strings.HasSuffix(rest, "::") || strings.HasSuffix(rest, "."))
}

// matches reports whether a name contains the parts of a pattern in order.
func matches(name string, parts []string) bool {
	rest, ok := strings.CutPrefix(name, parts[0])
	last := len(parts) - 1
	for _, p := range parts[1:last] {
		var before bool
		if _, rest, before = strings.Cut(rest, p); !before {
			return false
		}
	}
	return ok && strings.HasSuffix(rest, parts[last])
}
