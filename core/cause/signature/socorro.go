package signature

import (
	"slices"
	"strings"

	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
)

// Both bounds are Socorro's.
const (
	mostFrames = 40
	longest    = 255 // characters
)

// Socorro returns the signature that Mozilla's Socorro would give to a report's crash
// (github.com/mozilla-services/socorro, socorro/signature, as of 2024), so that it can be looked up
// there: the distinctive frames, joined by " | ". The rules define which frames are skipped
// (irrelevant.txt), which need the next one added (prefixes.txt), at which one a stack may begin
// (sentinels), how a frame is written, and which prefix the signature gets. Rules that need more
// than a dump and its annotations are left out: Java stacks, and hangs that a submitter reports
// separately. It is "" when nothing crashed.
func Socorro(r *report.Report) string {
	if !r.Verdict.Crashed {
		return ""
	}
	s := ofThread(r, r.CrashInfo.CrashingThread)
	for _, rule := range rules {
		s = rule(r, s)
	}
	return shorten(strings.Join(strings.Fields(s), " "))
}

// shorten truncates a signature to the length of Socorro's database.
func shorten(s string) string {
	chars := []rune(s)
	if len(chars) <= longest {
		return s
	}
	return string(chars[:longest-3]) + "..."
}

// ofThread returns the signature without the crash's circumstances.
func ofThread(r *report.Report, index *int) string {
	if index == nil {
		return "EMPTY: no crashing thread identified"
	}
	if *index < 0 || *index >= len(r.Threads) {
		return "EMPTY: no frame data available"
	}
	return fromFrames(frames(&r.Threads[*index], r.SystemInfo.System().IsWindows()))
}

func fromFrames(list []string) string {
	if len(list) == 0 {
		return "EMPTY: no frame data available"
	}
	if i := slices.IndexFunc(list, isSentinel); i >= 0 {
		list = list[i:]
	}
	var picked []string
	for _, frame := range list {
		name := strings.TrimPrefix(frame, symbolize.Mark)
		if isIrrelevant(name) {
			continue
		}
		if isDLL(frame) {
			frame, _, _ = strings.Cut(frame, "@")
			if len(picked) > 0 && picked[len(picked)-1] == frame {
				continue
			}
		}
		picked = append(picked, frame)
		if !isPrefix(name) {
			break
		}
	}
	if len(picked) == 0 {
		return list[0]
	}
	return strings.Join(picked, " | ")
}

// isDLL matches frames whose offset is left out, because the builds of a system's library differ
// between machines.
func isDLL(frame string) bool {
	return !strings.HasPrefix(frame, "(unloaded") && strings.Contains(strings.ToLower(frame), ".dll")
}
