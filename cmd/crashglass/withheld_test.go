package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/report"
)

// What minidump-stackwalk 0.27.0 (rust-minidump) finds without symbols in the corpus's dumps of Windows, counted as here.
const (
	rightOfStackwalk = 2122
	falseOfStackwalk = 161
)

// In the stacks of Windows' dumps without symbols as many frames are right as minidump-stackwalk's, and at most half as many are false. Symbols say what is
// right.
func TestStacksOfWindowsWithoutSymbols(t *testing.T) {
	field, _ := filepath.Glob(filepath.Join(corpus, "field", "dumps", "windows-*"))
	if len(field) == 0 {
		t.Skip("the corpus is not at " + corpus)
	}
	var all []sample
	for _, dump := range field {
		all = append(all, sample{dump: dump, symbols: []string{filepath.Join(corpus, "field", "symbols")}})
	}
	public := filepath.Join(corpus, "public")
	for _, s := range samples(t) {
		if strings.HasPrefix(s.dump, public) {
			s.symbols = []string{filepath.Join(public, "symbols"), filepath.Join(public, "native")}
			all = append(all, s)
		}
	}
	right, others := 0, 0
	for _, s := range all {
		bare := sample{dump: s.dump}
		have := bare.stacks(t)
		if !strings.HasPrefix(report.Text(have.SystemInfo.OS), "Windows") {
			continue
		}
		want := s.stacks(t)
		for i := range have.Threads {
			r, o := rightFrames(&have.Threads[i], &want.Threads[i])
			right, others = right+r, others+o
		}
	}
	t.Logf("%d right frames and %d false ones", right, others)
	if right < rightOfStackwalk || 2*others > falseOfStackwalk {
		t.Errorf("%d right frames and %d false ones; minidump-stackwalk finds %d and %d", right, others, rightOfStackwalk, falseOfStackwalk)
	}
}

// stacks are those of a report.
type stacks struct {
	SystemInfo report.SystemInfo `json:"system_info"`
	Threads    []stack
}

type stack struct {
	Frames []struct {
		Offset report.Address
		Guess  bool
	}
	End report.End
}

// stacks are the sample's, with its symbols only.
func (s *sample) stacks(t *testing.T) (r stacks) {
	t.Helper()
	if err := json.Unmarshal(s.walk(t, "json"), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// rightFrames counts the frames that a thread has with symbols, too, up to the first guess there, and others. If that stack is incomplete, what is further
// out may be either, and is not counted.
func rightFrames(have, want *stack) (right, others int) {
	known := want.Frames
	for i := range known {
		if known[i].Guess {
			known = known[:i]
			break
		}
	}
	n, last := 0, 0 // last is behind the outermost right frame
	for i := range have.Frames {
		for k := n; k < len(known); k++ {
			if apart(have.Frames[i].Offset.Number(), known[k].Offset.Number()) <= nearby {
				right, n, last = right+1, k+1, i+1
				break
			}
		}
	}
	counted := len(have.Frames)
	if whole := len(known) == len(want.Frames) && want.End.Complete; !whole {
		counted = max(last, min(counted, len(known)))
	}
	return right, counted - right
}

// nearby is how far apart two addresses of one call may be: that of the call, and the one it returns to.
const nearby = 8

func apart(x, y uint64) uint64 { return max(x, y) - min(x, y) }
