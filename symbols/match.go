package symbols

import (
	"cmp"
	"fmt"
	"slices"

	"crashglass/core/module"
)

// A fit is how well a symbol file fits a module.
type fit int

// From the best to the worst. The last three are not good enough.
const (
	fitID      fit = iota // same debug id
	fitCodeID             // same code id, where a debug id is missing
	fitSwapped            // same build id, of which the debug id was made another way
	fitAge                // same GUID, other age
	fitName               // same name
	fitNot
)

func (f *file) fit(m *module.Module) fit {
	want, code := idOf(m.DebugID), codeIDOf(m.CodeID)
	switch {
	case want != "" && f.id == want:
		return fitID
	case (want == "" || f.id == "") && code != "" && f.codeID == code:
		return fitCodeID
	case want != "" && f.id == want.swapped():
		return fitSwapped
	case want != "" && f.id.guid() == want.guid():
		return fitAge
	case f.named(m):
		return fitName
	}
	return fitNot
}

// good reports whether a file of that fit is one of the module's build.
func (f fit) good() bool { return f <= fitSwapped }

// A candidate is a file and how well it fits.
type candidate struct {
	*file
	fit   fit
	named bool
}

// candidates returns the files that come near, the best first. Of those that
// fit equally the larger goes first, because it has more to say; names decide
// the rest, so that the order in which files came never does.
func candidates(files []*file, m *module.Module) (out []candidate) {
	for _, f := range files {
		if fit := f.fit(m); fit != fitNot {
			out = append(out, candidate{f, fit, f.named(m)})
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.fit, b.fit), compareBool(b.named, a.named), cmp.Compare(b.size, a.size),
			cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id))
	})
	return out
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// why says how a file that is used was matched, where that is not plain, or
// why a file that is not used is not the one.
func (c candidate) why(m *module.Module) string {
	switch {
	case c.fit == fitID && !c.named && c.module.Name != "":
		return fmt.Sprintf("it is named %s, but its id is the one that the dump wants", c.module.Name)
	case c.fit == fitID:
		return ""
	case c.fit == fitCodeID:
		return fmt.Sprintf("matched by the code id %s, because there is no debug id to compare", c.codeID)
	case c.fit == fitSwapped:
		return fmt.Sprintf("matched by the other spelling of the build id, %s", c.module.ID)
	case m.DebugID == "" || idOf(m.DebugID) == "":
		return fmt.Sprintf("%s has the name, but the dump does not say which build it wants", c.name)
	case c.id == "":
		return fmt.Sprintf("%s has the name, but does not say which build it is of; the dump wants %s", c.name, m.DebugID)
	case c.fit == fitAge:
		return fmt.Sprintf("%s is of the same build at another age: its id is %s, the dump wants %s", c.name, c.module.ID, m.DebugID)
	}
	return fmt.Sprintf("%s is of another build: its id is %s, the dump wants %s", c.name, c.module.ID, m.DebugID)
}
