// Package triage counts crashes by kind. A dump becomes a [Group] of one (the map), and groups are
// added up (the merge), in any order and grouping, with the same result. So any engine can spread
// dumps over processes and machines, and merge their groups afterwards.
//
// It is a function of reports and reads no dump. A dump without a report becomes a group, too, so
// that counts are complete. Sizes are bounded: a group keeps a few values of each fact. Read this
// file first, then facts.go, which reads a report, tally.go, which counts values, compare.go for a
// baseline, and lines.go, the form between processes.
package triage

import (
	"cmp"
	"maps"

	"crashglass/core/base/sorting"
	"crashglass/core/report"
)

// A Kind is the kind of a dump.
type Kind string

// The kinds.
const (
	Crash      Kind = "crash"
	NoCrash    Kind = "no_crash"   // written on request
	Unreadable Kind = "unreadable" // no report: the signature is the reason
)

// Rules are those by which signatures are made.
type Rules string

// The rules.
const (
	Own     Rules = "crashglass" // the function to blame: Report.Signature
	Socorro Rules = "socorro"    // of Mozilla's crash-stats: Report.SocorroSignature; also those of groups without rules, which older versions wrote
)

// A Group counts the dumps of one kind and signature. The zero Group is empty.
type Group struct {
	Kind      Kind   `json:"kind"`
	Signature string `json:"signature"`
	Rules     Rules  `json:"rules,omitempty"` // of a crash's signature
	Count     uint64 `json:"count"`

	What     Tally `json:"what"`    // "Null pointer read"
	Reason   Tally `json:"reason"`  // "SIGSEGV / SEGV_MAPERR"
	Own      Tally `json:"own"`     // the first own frame, and the first own call of an interpreter
	Modules  Tally `json:"modules"` // the program and the module of that frame, with versions
	Systems  Tally `json:"systems"`
	Examples Tally `json:"dumps"`

	First uint32 `json:"first"` // the time of the oldest dump, seconds since 1970; 0 is unknown
	Last  uint32 `json:"last"`
}

// Of returns the group of one dump, with the signature by the given rules.
func Of(name string, r *report.Report, rules Rules) Group {
	g := Group{Kind: NoCrash, Count: 1, Examples: one(name)}
	if r.Verdict.Crashed {
		g.Kind, g.Rules = Crash, rules
	}
	g.Signature = report.Text(r.Signature)
	if rules == Socorro {
		g.Signature = report.Text(r.SocorroSignature)
	}
	g.What = one(r.Verdict.What)
	g.Reason = one(report.Text(r.CrashInfo.Type))
	g.Systems = one(system(&r.SystemInfo))
	g.Modules = one(version(r, r.MainModule))
	for _, f := range firstOwn(r) {
		g.Own = g.Own.plus(one(f.name()))
		if f.call.Interpreted() {
			continue
		}
		if f.ModuleIndex != nil && *f.ModuleIndex != r.MainModule {
			g.Modules = g.Modules.plus(one(version(r, *f.ModuleIndex)))
		}
	}
	if v := &r.Verdict; v.Goroutine != nil && v.Where != nil { // the crashing thread has the runtime's functions
		g.Own = one(*v.Where)
	}
	if r.Dump.Time != nil {
		g.First, g.Last = *r.Dump.Time, *r.Dump.Time
	}
	return g
}

// Failed returns the group of a dump without a report.
func Failed(name, why string) Group {
	return Group{Kind: Unreadable, Signature: why, Count: 1, Examples: one(name)}
}

func (g Group) plus(o Group) Group {
	g.Kind, g.Signature, g.Rules = o.Kind, o.Signature, o.Rules
	g.Count = sum(g.Count, o.Count)
	g.What, g.Reason, g.Own = g.What.plus(o.What), g.Reason.plus(o.Reason), g.Own.plus(o.Own)
	g.Modules, g.Systems, g.Examples = g.Modules.plus(o.Modules), g.Systems.plus(o.Systems), g.Examples.plus(o.Examples)
	g.First, g.Last = oldest(g.First, o.First), max(g.Last, o.Last)
	return g
}

// oldest returns the earlier of two times; 0 is unknown.
func oldest(a, b uint32) uint32 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// A Set has groups by their key. It must not be used by two goroutines at once.
type Set struct{ groups map[key]Group }

type key struct {
	kind      Kind
	signature string
}

// Add adds a group.
func (s *Set) Add(g Group) {
	if s.groups == nil {
		s.groups = map[key]Group{}
	}
	k := key{g.Kind, g.Signature}
	s.groups[k] = s.groups[k].plus(g)
}

// Rules returns the rules of the crashes' signatures: "" without a crash. It reports false if they
// are several.
func (s *Set) Rules() (rules Rules, ok bool) {
	for _, g := range s.groups {
		if g.Kind != Crash {
			continue
		}
		of := cmp.Or(g.Rules, Socorro)
		if rules != "" && of != rules {
			return "", false
		}
		rules = of
	}
	return rules, true
}

// Groups returns all groups: crashes first, then by frequency.
func (s *Set) Groups() []Group {
	return sorting.Sorted(maps.Values(s.groups), func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Signature, b.Signature))
	})
}
