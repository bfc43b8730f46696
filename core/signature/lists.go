package signature

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// The two lists are text, one pattern in a line: how a frame begins. A * in it
// stands for any characters, a ! at its end says that the frame ends there. A
// line that begins with # tells what the next ones have in common.
//
// The names are those of Socorro's siglists, which are regular expressions and
// say why each is there; the order is ours.
var (
	//go:embed irrelevant.txt
	irrelevantText string
	//go:embed prefixes.txt
	prefixText string

	irrelevant = sync.OnceValue(func() []pattern { return parseList(irrelevantText) })
	prefixes   = sync.OnceValue(func() []pattern { return parseList(prefixText) })
)

// sentinels are frames that a stack begins with, whatever is above them.
var sentinels = []string{
	"_purecall",
	"_sigtramp",
	"Java_org_mozilla_gecko_GeckoAppShell_reportJavaCrash",
	"google_breakpad::ExceptionHandler::HandleInvalidParameter",
}

func isSentinel(frame string) bool { return slices.Contains(sentinels, frame) }

// isIrrelevant says of which frames nothing can be learned. An address in no
// module is one: jumping there was the crash, and who did it is the next frame.
func isIrrelevant(frame string) bool {
	if strings.HasPrefix(frame, "@0x") {
		return frame != "@0x0"
	}
	return slices.ContainsFunc(irrelevant(), func(p pattern) bool { return p.begins(frame) })
}

// isPrefix says after which frames one more is needed.
func isPrefix(frame string) bool {
	return frame == "@0x0" || slices.ContainsFunc(prefixes(), func(p pattern) bool { return p.begins(frame) })
}

// A pattern is what a frame begins with.
type pattern struct {
	parts []string // with anything between them
	whole bool     // and nothing after the last
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
