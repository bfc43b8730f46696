package variables

import (
	"maps"
	"strings"
	"testing"
)

// knownOf are the texts of values that are known, by the names that lead to them.
func knownOf(out map[string]string, path string, v *Value) map[string]string {
	path += "." + v.Name
	if v.Said && v.State == Known {
		out[path] = v.Text
	}
	for _, c := range v.Children {
		knownOf(out, path, c)
	}
	return out
}

// withLess checks that a dump with less memory has fewer values, and no different ones.
func withLess(t *testing.T, m memory, v Variable) {
	t.Helper()
	whole := knownOf(map[string]string{}, "", Read(frameOf(m, v), Limits{})[0].Values[0])
	for base, data := range m {
		for _, n := range []int{0, len(data) / 2, len(data) - 1} {
			less := maps.Clone(m)
			less[base] = data[:max(n, 0)]
			for path, text := range knownOf(map[string]string{}, "", Read(frameOf(less, v), Limits{})[0].Values[0]) {
				if of, ok := whole[path]; ok && text != of && !beginsSo(of, text) {
					t.Errorf("%s with %d of %d bytes at %#x: %s, and %s with all", path, n, len(data), base, text, of)
				}
			}
		}
	}
}

// beginsSo reports whether a text is the beginning of another: of a string that
// ends where the dump does.
func beginsSo(whole, text string) bool {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "…"), `"`)
	return strings.HasPrefix(whole, text)
}
