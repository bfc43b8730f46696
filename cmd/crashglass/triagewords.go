package main

import (
	"strings"

	"crashglass/core/process/module"
	"crashglass/core/report/triage"
)

// noBaseline is the state of a new group whose programs the baseline does not have. The page says "No
// baseline" for it. It is a word for readers: JSON and the exit status keep triage.New.
const noBaseline triage.State = "no baseline"

// fullTally is the number of values that package triage keeps. A group with so many modules may lack
// some.
const fullTally = 16

// forReaders returns a copy of the changes in which new groups of unknown programs have noBaseline.
func forReaders(changes []triage.Change, baseline *triage.Set) []triage.Change {
	if baseline == nil {
		return changes
	}
	known := programsOf(baseline)
	out := make([]triage.Change, len(changes))
	for i, c := range changes {
		if c.State == triage.New && c.Kind == triage.Crash && !known.any(c.Modules) {
			c.State = noBaseline
		}
		out[i] = c
	}
	return out
}

// knownPrograms are the names of modules, with and without versions, in lower case; nil if some may be
// missing.
type knownPrograms map[string]bool

// programsOf returns the names of the programs in a baseline, or nil if a tally of modules is full and
// may lack some.
func programsOf(baseline *triage.Set) knownPrograms {
	known := knownPrograms{}
	for _, g := range baseline.Groups() {
		if len(g.Modules) >= fullTally {
			return nil
		}
		for m := range g.Modules {
			for _, name := range namesOf(m) {
				known[name] = true
			}
		}
	}
	return known
}

// any reports whether a program of the group is known, or may be: a baseline or a group without names
// may be of any program.
func (p knownPrograms) any(modules triage.Tally) bool {
	for m := range modules {
		for _, name := range namesOf(m) {
			if p[name] {
				return true
			}
		}
	}
	return len(p) == 0 || len(modules) == 0
}

// namesOf returns "app 1.2" and "app" for "/usr/bin/App 1.2".
func namesOf(m string) []string {
	name := strings.ToLower(module.Basename(m))
	if space := strings.LastIndexByte(name, ' '); space > 0 {
		return []string{name, name[:space]}
	}
	return []string{name}
}
