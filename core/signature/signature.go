// Package signature gives a crash the name under which crashes like it are
// counted: the frames of the crashing stack that tell it from others, joined
// by " | ", with what makes two crashes of one kind look different left out.
//
//	Null deref in a vector's copy -> "memcpy | desk::copy<T>"
//
// The rules are those of Mozilla's Socorro (github.com/mozilla-services/socorro,
// socorro/signature, as of 2024), so that a signature from here can be looked
// up there: which frames say nothing and are skipped (irrelevant.txt), which
// say little and have the next one added (prefixes.txt), at which one a stack
// may begin (sentinels), how a frame is written, and what goes in front of the
// whole. What needs more than a dump and its annotations has no place here:
// Java stacks, and hangs that a submitter reports beside the dump.
//
// It is a function of the report alone, takes time linear in its first frames,
// and has an answer for whatever a report holds. It is not an identity: two
// bugs can have one signature, and better symbols change it.
//
// Read this file first, then frames.go, names.go and rules.go; lists.go reads
// the lists of functions.
package signature

import (
	"slices"
	"strings"

	"crashglass/core/report"
)

// Both bounds are Socorro's.
const (
	mostFrames = 40
	longest    = 255 // characters
)

// Of is the signature of a report's crash. It is "" when nothing crashed.
func Of(r *report.Report) string {
	if !r.Verdict.Crashed {
		return ""
	}
	s := ofThread(r, r.CrashInfo.CrashingThread)
	for _, rule := range rules {
		s = rule(r, s)
	}
	return shorten(strings.Join(strings.Fields(s), " "))
}

// shorten cuts a signature that is longer than Socorro's database takes.
func shorten(s string) string {
	chars := []rune(s)
	if len(chars) <= longest {
		return s
	}
	return string(chars[:longest-3]) + "..."
}

// ofThread is the signature before the crash's own circumstances are added.
func ofThread(r *report.Report, index *int) string {
	if index == nil {
		return "EMPTY: no crashing thread identified"
	}
	if *index < 0 || *index >= len(r.Threads) {
		return "EMPTY: no frame data available"
	}
	windows := r.SystemInfo.OS != nil && *r.SystemInfo.OS == "Windows NT"
	return fromFrames(frames(&r.Threads[*index], windows))
}

// fromFrames picks the frames that tell this crash from others.
func fromFrames(list []string) string {
	if len(list) == 0 {
		return "EMPTY: no frame data available"
	}
	if i := slices.IndexFunc(list, isSentinel); i >= 0 {
		list = list[i:]
	}
	var picked []string
	for _, frame := range list {
		if isIrrelevant(frame) {
			continue
		}
		if isDLL(frame) {
			frame, _, _ = strings.Cut(frame, "@")
			if len(picked) > 0 && picked[len(picked)-1] == frame {
				continue
			}
		}
		picked = append(picked, frame)
		if !isPrefix(frame) {
			break
		}
	}
	if len(picked) == 0 {
		return list[0]
	}
	return strings.Join(picked, " | ")
}

// isDLL says of which frames the offset is left out: a library of the system
// is another build on every machine.
func isDLL(frame string) bool {
	return !strings.HasPrefix(frame, "(unloaded") && strings.Contains(strings.ToLower(frame), ".dll")
}
