package sanitize

import (
	"fmt"

	"crashglass/core/analyze"
	"crashglass/core/snapshot"
)

// A Checklist is what a dump, or a report of it, would tell whoever gets it.
type Checklist struct {
	People  []string `json:"people"`  // names of users, in paths and in the environment
	Secrets []Secret `json:"secrets"` // what looks like a key, a token or a password; where it is said, not what it is
	Items   []Item   `json:"items"`
}

// An Item is one thing that a dump tells.
type Item struct {
	What     string `json:"what"`      // "the environment"
	Count    int    `json:"count"`     // of variables, arguments, annotations, bytes
	Unit     string `json:"unit"`      // what is counted: "variables"
	InReport bool   `json:"in_report"` // a report has it, too, unless it is masked
}

// Inspect looks through a whole dump for what its owner may not want to tell.
func Inspect(s *analyze.Session) *Checklist {
	c := cleaner{f: s.File(), out: &Result{}}
	if !c.f.Origin.Lacks.Has(snapshot.Copy) {
		c.inspect()
	}
	list := &Checklist{People: append([]string{}, c.out.People...), Secrets: append([]Secret{}, c.out.Secrets...), Items: []Item{}}
	list.items(c.f)
	return list
}

// People are the names of users in paths and in the environment of a dump, the
// longest first: those that Mask takes.
func People(s *analyze.Session) []string {
	c := cleaner{f: s.File(), out: &Result{}}
	if !c.f.Origin.Lacks.Has(snapshot.Copy) {
		c.findPeople()
	}
	return c.out.People
}

func (l *Checklist) items(f *snapshot.Snapshot) {
	add := func(what string, count int, unit string, inReport bool) {
		if count > 0 {
			l.Items = append(l.Items, Item{what, count, unit, inReport})
		}
	}
	env, _ := f.Environment() // what cannot be read tells nothing
	add("the environment", len(env), "variables", true)
	args, _ := f.CommandLine()
	add("the command line", len(args), "arguments", true)
	handles, _ := f.Handles()
	add("handles with the names of files, keys and pipes", len(handles), "handles", true)
	comments, _ := f.Comments()
	add("comments", len(comments), "comments", true)
	if crashpad, _ := f.Crashpad(); crashpad != nil {
		add("annotations of the program", len(crashpad.Annotations), "annotations", true)
	}
	mem, _ := f.Memory()
	add("memory of the process", int(min(mem.Total(), 1<<31-1)), "bytes", false)
}

// String is an item in words.
func (i Item) String() string { return fmt.Sprintf("%s: %d %s", i.What, i.Count, i.Unit) }
