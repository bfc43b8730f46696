// Package triage counts crashes of one kind. A dump becomes a [Group] of one
// (the map); groups are added up (the merge), in any order and in any grouping,
// with the same result. So dumps may be spread over processes and machines by
// whatever engine is there, and their groups be merged afterwards.
//
// Read this file first, then facts.go, which reads a report, tally.go, which
// counts values, compare.go for a baseline, and lines.go, the form between
// processes.
package triage

import (
	"cmp"
	"maps"
	"slices"

	"crashglass/core/report"
)

// A Kind is what a dump was.
type Kind string

// The kinds.
const (
	Crash      Kind = "crash"
	NoCrash    Kind = "no_crash"   // written on request
	Unreadable Kind = "unreadable" // no report: the signature is why
)

// A Group is the dumps of one kind and signature. The zero Group is empty.
type Group struct {
	Kind      Kind   `json:"kind"`
	Signature string `json:"signature"`
	Count     uint64 `json:"count"`

	What     Tally `json:"what"`    // "Null pointer read"
	Reason   Tally `json:"reason"`  // "SIGSEGV / SEGV_MAPERR"
	Own      Tally `json:"own"`     // the first frame outside the system's libraries
	Modules  Tally `json:"modules"` // the program and the module of that frame, with versions
	Systems  Tally `json:"systems"`
	Examples Tally `json:"dumps"`

	First uint32 `json:"first"` // when the oldest dump was written, seconds since 1970; 0 is unknown
	Last  uint32 `json:"last"`
}

// Of is the group of one dump.
func Of(name string, r *report.Report) Group {
	g := Group{Kind: NoCrash, Count: 1, Examples: one(name)}
	if r.Verdict.Crashed {
		g.Kind = Crash
	}
	if r.Signature != nil {
		g.Signature = *r.Signature
	}
	g.What = one(r.Verdict.What)
	g.Reason = one(deref(r.CrashInfo.Type))
	g.Systems = one(system(&r.SystemInfo))
	g.Modules = one(version(r, r.MainModule))
	if f := firstOwn(r); f != nil {
		g.Own = one(frameName(f))
		if f.ModuleIndex != nil && *f.ModuleIndex != r.MainModule {
			g.Modules = g.Modules.plus(one(version(r, *f.ModuleIndex)))
		}
	}
	if r.Dump.Time != nil {
		g.First, g.Last = *r.Dump.Time, *r.Dump.Time
	}
	return g
}

// Failed is the group of a dump that gave no report.
func Failed(name, why string) Group {
	return Group{Kind: Unreadable, Signature: why, Count: 1, Examples: one(name)}
}

// plus adds up two groups of one key.
func (g Group) plus(o Group) Group {
	g.Kind, g.Signature = o.Kind, o.Signature
	g.Count += o.Count
	g.What, g.Reason, g.Own = g.What.plus(o.What), g.Reason.plus(o.Reason), g.Own.plus(o.Own)
	g.Modules, g.Systems, g.Examples = g.Modules.plus(o.Modules), g.Systems.plus(o.Systems), g.Examples.plus(o.Examples)
	g.First, g.Last = oldest(g.First, o.First), max(g.Last, o.Last)
	return g
}

// oldest is the earlier of two times, of which 0 is unknown.
func oldest(a, b uint32) uint32 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// A Set is groups by their key. It is not for several goroutines at once.
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

// Groups are all groups: crashes first, the most frequent first.
func (s *Set) Groups() []Group {
	return slices.SortedFunc(maps.Values(s.groups), func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Signature, b.Signature))
	})
}
