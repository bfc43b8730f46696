package pdb

import "crashglass/core/values/types"

// leafSize is the number of bytes from an offset on that belong to the member there that has no
// members of its own. Where members share bytes the smallest counts.
func leafSize(t *types.Type, off uint64, left int) uint64 {
	t = types.Strip(t)
	if t == nil || left == 0 {
		return 0
	}
	size, _ := types.Size(t)
	switch t.Kind {
	case types.Array:
		elem := t.Elem.Get()
		if n, ok := types.Size(elem); ok && n > 0 {
			return leafSize(elem, off%n, left-1)
		}
		return 0
	case types.Struct, types.Class, types.Union:
		return memberSize(t, off, left)
	}
	return size - min(off, size)
}

// memberSize is leafSize of a structure. Bits are certain up to the byte's end.
func memberSize(t *types.Type, off uint64, left int) uint64 {
	found := false
	least := uint64(maxObject)
	for i := range t.Members {
		m := &t.Members[i]
		if m.Static || m.Virtual {
			continue
		}
		at, n := m.Offset, uint64(0)
		if m.Bits > 0 {
			at, n = m.BitOffset/8, 1
		} else if size, ok := types.Size(m.Type.Get()); ok && at <= off && off-at < size {
			n = leafSize(m.Type.Get(), off-at, left-1)
		}
		if n > 0 && at <= off && (m.Bits == 0 || off-at < (m.Bits+7)/8) {
			found, least = true, min(least, n)
		}
	}
	if !found {
		return 0
	}
	return least
}
