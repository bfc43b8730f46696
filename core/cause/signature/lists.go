package signature

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// The two lists are text, with one pattern a line: the beginning of a frame. A * stands for any
// characters, and a ! at the end for the end of the frame. A line that begins with # is a comment
// on the next ones.
//
// The names come from Socorro's siglists, which are regular expressions and give the reason for
// each; they are sorted anew here.
var (
	//go:embed irrelevant.txt
	irrelevantText string
	//go:embed prefixes.txt
	prefixText string

	irrelevant = sync.OnceValue(func() []pattern { return parseList(irrelevantText) })
	prefixes   = sync.OnceValue(func() []pattern { return parseList(prefixText) })
)

// sentinels are frames at which the relevant stack begins; frames above them are dropped.
var sentinels = []string{
	"_purecall",
	"_sigtramp",
	"Java_org_mozilla_gecko_GeckoAppShell_reportJavaCrash",
	"google_breakpad::ExceptionHandler::HandleInvalidParameter",
}

func isSentinel(frame string) bool { return slices.Contains(sentinels, frame) }

// isIrrelevant matches frames without information. An address in no module is one: the jump there
// was the crash, and the next frame made it.
func isIrrelevant(frame string) bool {
	if strings.HasPrefix(frame, "@0x") {
		return frame != "@0x0"
	}
	return slices.ContainsFunc(irrelevant(), func(p pattern) bool { return p.begins(frame) })
}

// isPrefix matches frames that need the next one added.
func isPrefix(frame string) bool {
	return frame == "@0x0" || slices.ContainsFunc(prefixes(), func(p pattern) bool { return p.begins(frame) })
}

// A pattern is the beginning of a frame.
type pattern struct {
	parts []string // with any text between them
	whole bool     // and the frame ends after the last
}

func parseList(text string) []pattern {
	var list []pattern
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		rest, whole := strings.CutSuffix(line, "!")
		list = append(list, pattern{strings.Split(rest, "*"), whole})
	}
	return list
}

func (p pattern) begins(s string) bool {
	if p.whole {
		return s == p.parts[0]
	}
	s, ok := strings.CutPrefix(s, p.parts[0])
	for _, part := range p.parts[1:] {
		if !ok {
			return false
		}
		_, s, ok = strings.Cut(s, part)
	}
	return ok
}
