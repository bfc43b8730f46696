package sanitize

import (
	"slices"
	"strings"

	"crashglass/core/base/sorting"
	"crashglass/core/dump/minidump"
)

// The masks replace a person's name and a secret.
const (
	maskedUser   = "user"
	maskedSecret = "[removed]"
)

// variables are environment variables with the name of a person or of a machine. names has those whose name
// is a common word, too.
var variables = []string{
	"USER", "USERNAME", "LOGNAME", "SUDO_USER", "USERDOMAIN", "USERDOMAIN_ROAMINGPROFILE", "USERDNSDOMAIN", "COMPUTERNAME", "HOSTNAME", "CLIENTNAME", "LOGONSERVER",
	"GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "EMAIL", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL", "DEBFULLNAME", "DEBEMAIL", "REALNAME",
}

var names = append([]string{"NAME"}, variables...)

// maxPeople bounds the names that are replaced outside paths. Real dumps have fewer, and each name
// is searched in every text.
const maxPeople = 1000

// leastName is the length of the shortest name that is replaced outside paths:
// a shorter one is part of too many words.
const leastName = 4

// A masks removes names and secrets from text.
type masks struct {
	names  bool     // names of people stay
	people []string // the longest first
	code   code     // paths of modules, whose names stay
}

func (m *masks) text(s string) string {
	if m.names {
		return maskSecrets(s)
	}
	return maskSecrets(m.withoutPeople(withoutHomes(s)))
}

// symbol masks the name of a function. It keeps names of people, which are parts of words there,
// and "password:", which is the label of a parameter.
func (m *masks) symbol(s string) string { return finding().forms.mask(withoutHomes(s)) }

// path masks a path. The name of the file stays, because it identifies symbols.
func (m *masks) path(s string) string {
	if m.names {
		return maskSecrets(s)
	}
	s = withoutHomes(s)
	name := strings.LastIndexAny(s, `/\`) + 1
	return maskSecrets(m.withoutPeople(s[:name]) + s[name:])
}

// withoutHomes removes the names of home folders and the values of variables that are names.
func withoutHomes(s string) string {
	return withoutVariables(eachName(s, func(r *root, depth int, name string) string {
		if isNobodys(name) {
			return name
		}
		return r.masks[depth]
	}))
}

// withoutVariables masks the values of variables in a text: "USER=jane".
func withoutVariables(s string) string {
	var out strings.Builder
	done := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '=' {
			continue
		}
		start := i
		for start > done && (isUpper(s[start-1]) || s[start-1] == '_') {
			start--
		}
		if !slices.Contains(variables, s[start:i]) {
			continue
		}
		from := i + 1 + quote([]byte(s[i+1:min(len(s), i+8)]), 0)
		to := from + nameEnd(s[from:], false)
		if to > from && !isNobodys(s[from:to]) {
			out.WriteString(s[done:from] + maskedUser)
			done, i = to, to-1
		}
	}
	return out.String() + s[done:]
}

func (m *masks) withoutPeople(s string) string {
	for _, name := range m.people {
		if len(name) >= leastName {
			s = strings.ReplaceAll(s, name, maskedUser)
		}
	}
	return s
}

// findPeople searches paths and the environment for names.
func (c *cleaner) findPeople() {
	add := func(name string) {
		name = strings.Trim(name, ` \/`)
		if name != "" && len(c.text.people) < maxPeople && !isNobodys(name) && !slices.Contains(c.text.people, name) {
			c.text.people = append(c.text.people, name)
		}
	}
	for _, text := range c.texts() {
		eachName(text, func(r *root, depth int, name string) string {
			if r.person && (depth == 0 || r.many) {
				add(name)
			}
			return name
		})
	}
	env, _ := c.f.Environment()
	for _, v := range env {
		if slices.Contains(names, v.Key) {
			add(v.Value)
		}
	}
	sorting.Stable(c.text.people, byLength)
	c.out.People = append(c.out.People, c.text.people...)
}

// byLength sorts the longest name first, because a name may begin with another one.
func byLength(a, b string) int { return len(b) - len(a) }

func (c *cleaner) texts() (out []string) {
	mods, _ := c.f.ModuleRecords()
	for i := range mods {
		out = append(out, mods[i].Name, mods[i].CodeView.File, mods[i].DebugFile)
	}
	gone, _ := c.f.UnloadedRecords()
	for i := range gone {
		out = append(out, gone[i].Name)
	}
	handles, _ := c.f.Handles()
	for i := range handles {
		out = append(out, handles[i].Name)
	}
	for _, t := range []minidump.StreamType{minidump.LinuxMapsStream, minidump.LinuxCmdLineStream, minidump.LinuxEnvironStream, minidump.LinuxProcFDStream} {
		text, _ := c.f.Text(t)
		out = append(out, text)
	}
	comments, _ := c.f.Comments()
	return append(out, comments...)
}

// A Masker masks texts that are shared together with a sanitized dump: paths of source files and
// names of functions in its symbols, and names of files. Its rules are those for reports.
type Masker struct{ masks masks }

// NewMasker returns a Masker for home folders and for the given names of people, which come from
// [People] or a [Result], also of several dumps.
func NewMasker(people []string) *Masker {
	sorted := slices.Compact(slices.Sorted(slices.Values(people)))
	sorting.Stable(sorted, byLength)
	return &Masker{masks{people: sorted}}
}

// Path masks a path. The name of the file stays.
func (m *Masker) Path(s string) string { return m.masks.path(s) }

// Symbol masks the name of a function.
func (m *Masker) Symbol(s string) string { return m.masks.symbol(s) }

// Text masks any other text.
func (m *Masker) Text(s string) string { return m.masks.text(s) }
