package slice

import (
	"slices"

	"crashglass/core/stack/symbolize"
)

// masked is a function without names of people. They occur in paths of source files, and in function
// names that contain such a path, as clang's names of lambdas do.
func (c *content) masked(f *symbolize.Function) *symbolize.Function {
	if c.mask == nil {
		return f
	}
	f.Name = c.symbol(f.Name)
	f.Lines, f.Inlines = slices.Clone(f.Lines), slices.Clone(f.Inlines)
	for i := range f.Lines {
		f.Lines[i].File = c.mask.Path(f.Lines[i].File)
	}
	for i := range f.Inlines {
		in := &f.Inlines[i]
		in.Function, in.CallFile = c.symbol(in.Function), c.mask.Path(in.CallFile)
	}
	return f
}

func (c *content) symbol(name string) string {
	if c.mask == nil {
		return name
	}
	return c.mask.Symbol(name)
}
