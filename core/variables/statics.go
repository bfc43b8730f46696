package variables

import "crashglass/core/cpu"

// Statics is a Source that knows the variables of its module that exist once:
// those outside of functions.
type Statics interface {
	// Statics returns the variables whose full names match, at most limit.
	Statics(match func(name string) bool, limit int) []Variable
}

// maxStatics bounds the variables that one question finds.
const maxStatics = 64

// ReadStatics reads the static variables of a frame's module whose names match.
// Of the frame only the module and the memory count.
func ReadStatics(f *Frame, match func(name string) bool, limits Limits) []*Value {
	source, ok := f.Source.(Statics)
	if !ok || f.Arch == nil {
		return nil
	}
	module := *f
	module.Regs, module.CFA, module.Caller, module.Callee = &cpu.Regs{}, nil, nil, nil
	r := newReader(&module, limits)
	var out []*Value
	for _, v := range source.Statics(match, maxStatics) {
		if r.values <= 0 {
			break
		}
		out = append(out, r.variable(&v))
	}
	return out
}
