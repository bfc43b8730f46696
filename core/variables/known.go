package variables

import "crashglass/core/types"

// wellKnown reads a structure as what a library means by it.
func (r *reader) wellKnown(out *Value, v view, t *types.Type, depth int) bool { return false }
