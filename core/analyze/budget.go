package analyze

import (
	"strings"

	"crashglass/core/stack/unwind"
)

// maxEvidence bounds the evidence of all stacks together, in bytes. The bound is approximate: the
// stack that exceeds it is the last one with evidence.
const maxEvidence = 8 << 20

// maxFrames bounds the frames of all stacks together.
const maxFrames = 1 << 17

// framesWithoutStack is the number of frames that need no word of the stack: the innermost one, and
// the caller of a leaf function, whose address is in a register.
const framesWithoutStack = 2

// A budget bounds the cost of all stacks of a report together. Each thread of a real process has
// its own stack, with a return address for each frame but the innermost. In a damaged or hostile
// dump thousands of threads may share one stack, and each would find its tens of thousands of
// frames.
type budget struct {
	frames    int
	words     int // words that walks may still read, of memory and code
	evidence  int
	text      int  // approximate bytes of frames in a report
	values    int  // of variables
	valueText int  // approximate bytes of variables in a report
	cut       bool // frames lack something because the budget ran out
}

// maxText bounds the text of all frames, in approximate bytes: 60,000 frames, or fewer with many
// inlined calls, long names and registers. Beyond it a frame has its function and place, but
// neither registers nor inlined calls.
const (
	maxText      = 24 << 20
	longName     = 256
	registerText = 48  // bytes of a register in a report
	inlineText   = 160 // bytes of an inlined call, without its names
)

// room takes bytes of text from the budget, and reports whether it had as many.
func (b *budget) room(n int) bool {
	if b.text -= n; b.text < 0 {
		b.cut = b.cut || n > 0
		return false
	}
	return true
}

// name returns a name, or its beginning when there is no room for long ones.
func (b *budget) name(name string) string {
	if b.room(len(name)) || len(name) <= longName {
		return name
	}
	return strings.ToValidUTF8(name[:longName], "") + "…"
}

// budget returns the limits of one report. Frames and words are limited by the captured memory: a
// hostile dump may list thousands of threads that share one stack.
func (s *Session) budget() budget {
	word := uint64(4)
	if s.p.Arch != nil {
		word = uint64(s.p.Arch.Word)
	}
	words := int(min(s.p.Memory.Total()/word, 1<<30))
	return budget{frames: min(words, maxFrames), words: leastWords + wordsPerWord*words, evidence: maxEvidence, text: maxText, values: maxValues, valueText: maxValueText}
}

// Walks of real stacks read a word a few times, and some code. Threads that
// share one stack without return addresses would each search it.
const (
	leastWords   = 1 << 20
	wordsPerWord = 16
)

// noValues reports whether there is no room for more values of variables.
func (b *budget) noValues() bool { return b.values <= 0 || b.valueText <= 0 }

// limit returns the maximum number of frames of the next stack.
func (b *budget) limit(frames int) int {
	switch {
	case b.words < 0:
		return 1
	case frames <= 0 || frames > unwind.MaxFrames:
		frames = unwind.MaxFrames
	}
	return min(frames, max(b.frames, 0)+framesWithoutStack)
}

// spend subtracts the frames and the evidence of a walked stack. The first frames of each stack are
// free, so that no thread is without its innermost function.
func (b *budget) spend(s *unwind.Stack) {
	b.frames -= max(len(s.Frames)-framesWithoutStack, 0)
	for i := range s.Frames {
		b.evidence -= evidenceSize(s.Frames[i].Evidence)
	}
	b.evidence -= evidenceSize(s.End.Evidence)
}

// evidenceSize estimates the bytes of evidence in a report: its texts, and 16 bytes for each step
// and each read.
func evidenceSize(steps []unwind.Step) int {
	n := 0
	for i := range steps {
		n += 16 + 16*len(steps[i].Reads)
		for _, line := range steps[i].Text {
			n += len(line)
		}
	}
	return n
}
