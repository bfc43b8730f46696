package sanitize

import (
	"slices"
	"strings"

	"crashglass/core/minidump"
)

// Masks are what stands for a person's name and for a secret.
const (
	maskedUser   = "user"
	maskedSecret = "[removed]"
)

// homes are the folders whose subfolders are named after people.
var homes = []string{"/home/", "/Users/", "/var/home/", `\Users\`, `\Documents and Settings\`}

// shared are names in those places that are nobody's.
var shared = []string{"Public", "Shared", "Default", "All Users", "Default User", "root", "user", "runner", "builder", "Guest"}

// names are variables of the environment that hold the name of a person or of
// a machine.
var names = []string{"USER", "USERNAME", "LOGNAME", "SUDO_USER", "USERDOMAIN", "COMPUTERNAME", "HOSTNAME"}

// maxPeople is how many names are replaced outside paths: nobody's dump has
// more, and each is looked for in every text.
const maxPeople = 1000

// leastName is the length of the shortest name that is replaced outside paths:
// a shorter one is part of too many words.
const leastName = 4

// masks takes names and secrets out of text.
type masks struct {
	people []string // the longest first
}

// text is what stays of a text.
func (m *masks) text(s string) string { return maskSecrets(m.withoutPeople(withoutHomes(s))) }

// path is what stays of a path. The name of the file stays, which is not that
// of a person's folder: symbols are found by it.
func (m *masks) path(s string) string {
	s = withoutHomes(s)
	name := strings.LastIndexAny(s, `/\`) + 1
	return maskSecrets(m.withoutPeople(s[:name]) + s[name:])
}

func withoutHomes(s string) string {
	return eachHome(s, func(name string) string {
		if slices.Contains(shared, name) {
			return name
		}
		return maskedUser
	})
}

func (m *masks) withoutPeople(s string) string {
	for _, name := range m.people {
		if len(name) >= leastName {
			s = strings.ReplaceAll(s, name, maskedUser)
		}
	}
	return s
}

// eachHome replaces the names of people in the paths in a text.
func eachHome(s string, replace func(string) string) string {
	var out strings.Builder
	for len(s) > 0 {
		at, home := firstHome(s)
		if at < 0 {
			break
		}
		at += len(home)
		end := at + nameEnd(s[at:], home)
		out.WriteString(s[:at])
		if end > at {
			out.WriteString(replace(s[at:end]))
		}
		s = s[end:]
	}
	out.WriteString(s)
	return out.String()
}

// nameEnd is where the name of a person ends that a path goes on with. Only
// Windows lets it have spaces.
func nameEnd(s, home string) int {
	ends := "/\\\"'<>|:;,\n\x00"
	if home[0] == '/' {
		ends += " "
	}
	if end := strings.IndexAny(s, ends); end >= 0 {
		return end
	}
	return len(s)
}

// firstHome finds the first of the folders, in ASCII of any case: Windows does
// not care.
func firstHome(s string) (at int, home string) {
	for i := range len(s) {
		if s[i] != '/' && s[i] != '\\' {
			continue
		}
		for _, h := range homes {
			if len(s)-i >= len(h) && strings.EqualFold(s[i:i+len(h)], h) {
				return i, h
			}
		}
	}
	return -1, ""
}

// findPeople looks for names in paths and in the environment.
func (c *cleaner) findPeople() {
	add := func(name string) {
		name = strings.TrimSpace(name)
		if name != "" && len(c.text.people) < maxPeople && !slices.Contains(shared, name) && !slices.Contains(c.text.people, name) {
			c.text.people = append(c.text.people, name)
		}
	}
	paths := func(text string) {
		eachHome(text, func(name string) string { add(name); return name })
	}
	mods, _ := c.f.ModuleRecords()
	for i := range mods {
		paths(mods[i].Name)
		paths(mods[i].CodeView.File)
		paths(mods[i].DebugFile)
	}
	for _, t := range []minidump.StreamType{minidump.LinuxMapsStream, minidump.LinuxCmdLineStream, minidump.LinuxEnvironStream} {
		text, _ := c.f.Text(t)
		paths(text)
	}
	env, _ := c.f.Environment()
	for _, v := range env {
		if slices.Contains(names, v.Key) {
			add(v.Value)
		}
	}
	slices.SortFunc(c.text.people, func(a, b string) int { return len(b) - len(a) })
	c.out.People = append(c.out.People, c.text.people...)
}
