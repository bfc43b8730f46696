package symbols

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"crashglass/core/base/sorting"
	"crashglass/core/process/module"
)

// A fit is how well a symbol file fits a module.
type fit int

// From the best to the worst. Those up to fitSwapped are of the module's build.
const (
	fitID      fit = iota // same debug id
	fitCodeID             // same code id, where a debug id is missing
	fitByName             // same name, where the dump has no id of any module to compare
	fitSwapped            // same build id, of which the debug id was made another way
	fitAge                // same GUID, other age
	fitCode               // same code id, but another debug id
	fitName               // same name
	fitArch               // same name, but for another CPU
	fitNot
)

// A target is a module prepared for comparison. There may be thousands of files, so everything that can be computed
// before is.
type target struct {
	*module.Module
	id, swapped, codeID id
	stems               [2]string
}

func targetOf(m *module.Module) *target {
	return &target{m, idOf(m.DebugID), idOf(m.DebugID).swapped(), codeIDOf(m.CodeID), [2]string{stem(m.DebugFile), stem(m.CodeFile)}}
}

// fit compares the identities of a file and a module. The cases begin with the strongest evidence:
// the same debug ID decides, and a name alone comes last.
func (f *file) fit(t *target) fit {
	if f.build.Split {
		return fitNot
	}
	sameCode := f.codeID != "" && f.codeID == t.codeID
	switch {
	case t.id != "" && f.id == t.id:
		return fitID
	case f.arch != "" && t.Arch != "" && f.arch != t.Arch && (sameCode || f.named(t)):
		return fitArch
	case (t.id == "" || f.id == "") && sameCode:
		return fitCodeID
	case t.ByName && f.named(t):
		return fitByName
	case t.id != "" && f.id == t.swapped:
		return fitSwapped
	case t.id != "" && f.id.guid() == t.id.guid():
		return fitAge
	case sameCode:
		return fitCode
	case f.named(t):
		return fitName
	}
	return fitNot
}

// named reports whether the file is for something of the module's name.
func (f *file) named(t *target) bool {
	for _, have := range f.stems {
		if have != "" && have != "." && (have == t.stems[0] || have == t.stems[1]) {
			return true
		}
	}
	return false
}

// good reports whether a file with this fit belongs to the module's build.
func (f fit) good() bool { return f <= fitSwapped }

func (f fit) forcible() bool { return f < fitArch }

// A candidate is a file and how well it fits.
type candidate struct {
	*file
	fit   fit
	named bool
}

// candidates returns the files that may match, the best first. Of equal fits, usable files come first, then larger
// ones, because they have more symbols. Names decide the rest, so the order in which files were added never matters.
func candidates(files []*file, m *module.Module) (out []candidate) {
	t := targetOf(m)
	for _, f := range files {
		if fit := f.fit(t); fit != fitNot {
			out = append(out, candidate{f, fit, f.named(t)})
		}
	}
	sorting.Stable(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.fit, b.fit), compareBool(a.useless, b.useless), compareBool(b.named, a.named), cmp.Compare(b.size, a.size),
			cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id))
	})
	return out
}

// compareBool sorts false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// why says how a used file was matched, if that is not obvious, or why an unused file does not match.
func (c candidate) why(m *module.Module) string {
	switch {
	case c.fit == fitID && idOf(m.DebugID) == "":
		return "the dump does not say which build it wants, but the library, which has its code id, does"
	case c.fit == fitID && !c.named && c.build.Name != "":
		return fmt.Sprintf("it is named %s, but its id is the one that the dump wants", c.build.Name)
	case c.fit == fitID:
		return ""
	case c.fit == fitCodeID:
		return fmt.Sprintf("matched by the code id %s, because there is no debug id to compare", c.codeID)
	case c.fit == fitByName:
		return "matched by its name alone, because the dump does not say which build it is of: of another build, names and stacks are wrong"
	case c.fit == fitSwapped:
		return fmt.Sprintf("matched by the other spelling of the build id, %s", c.build.ID)
	case c.fit == fitArch:
		return fmt.Sprintf("%s is for another CPU: it is for %s, the dump is of %s", c.name, c.build.Arch, m.Arch)
	case idOf(m.DebugID) == "":
		return fmt.Sprintf("%s has the name, but the dump does not say which build it wants", c.name)
	case c.id == "":
		return fmt.Sprintf("%s has the name, but does not say which build it is of; the dump wants %s", c.name, m.DebugID)
	case c.fit == fitAge:
		return fmt.Sprintf("%s is of the same build at another age: its id is %s, the dump wants %s", c.name, c.build.ID, m.DebugID)
	case c.fit == fitCode:
		return fmt.Sprintf("%s has the code id that the dump wants, but not the debug id: that is %s, the dump wants %s", c.name, c.build.ID, m.DebugID)
	}
	return fmt.Sprintf("%s is of another build: its id is %s, the dump wants %s", c.name, c.build.ID, m.DebugID)
}

// brief names a candidate that was not the closest, and its ID.
func (c candidate) brief() string {
	switch {
	case c.useless:
		return c.name + ", which " + c.flaw
	case c.fit == fitArch:
		return fmt.Sprintf("%s (for %s)", c.name, c.build.Arch)
	case c.id == "":
		return c.name + " (without an id)"
	}
	return fmt.Sprintf("%s (%s)", c.name, c.build.ID)
}

// maxNamed is how many candidates that did not come closest are named.
const maxNamed = 4

// alsoFits names the candidates that came near, but not closest.
func alsoFits(others []candidate) string {
	if len(others) == 0 {
		return ""
	}
	var names []string
	for _, c := range others[:min(len(others), maxNamed)] {
		names = append(names, c.brief())
	}
	if n := len(others) - maxNamed; n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	return "; nor is it " + strings.Join(names, ", ")
}

// identified adds, to a module's candidates, the files that its image names. A dump may have no
// CodeView record of a module, as those that Wine writes: then only the image matches, by the code
// id, and its own record says which PDB belongs to it.
func (s *Store) identified(near []candidate, m *module.Module) []candidate {
	if idOf(m.DebugID) != "" {
		return near
	}
	i := slices.IndexFunc(near, func(c candidate) bool { return c.traits.NamesDebug && c.fit == fitCodeID && c.id != "" })
	if i < 0 {
		return near
	}
	known := *m
	known.DebugID, known.DebugFile = near[i].build.ID, near[i].build.Name
	first := slices.IndexFunc(near, func(c candidate) bool { return !c.fit.good() })
	if first < 0 {
		first = len(near)
	}
	var more []candidate
	for _, c := range candidates(s.nearby(&known), &known) {
		if c.fit == fitID && !slices.ContainsFunc(near[:first], func(n candidate) bool { return n.file == c.file }) {
			more = append(more, c)
		}
	}
	return slices.Insert(near, first, more...)
}

// Fits names the files of a module's build, needed or not. It reads only their identities.
func (s *Store) Fits(m *module.Module) (names []string) {
	for _, c := range s.fitting(m) {
		names = append(names, c.name)
	}
	return names
}

// Arch returns the CPU of a module's build, as package cpu names it; "" if no file says so.
func (s *Store) Arch(m *module.Module) (arch string) {
	for _, c := range s.fitting(m) {
		arch = cmp.Or(arch, c.arch)
	}
	return arch
}

// fitting returns the usable files of a module's build.
func (s *Store) fitting(m *module.Module) []candidate {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(s.identified(candidates(s.nearby(m), m), m), func(c candidate) bool { return !c.fit.good() || c.useless })
}
