package crash

import "strings"

// A message is the beginning of a runtime's last message.
type message struct {
	prefix string
	kind   Kind
}

var messages = append(append([]message{}, heapMessages...), throwMessages...)

// Bounds of the search for last messages.
const (
	messageWords = 256 // of the stack, from the stack pointer
	messageMax   = 300 // bytes of a message
)

// said returns the program's message about its end: one that its libraries or crash reporter
// stored, or one that is still in memory.
func (s *state) said(kind Kind) string {
	switch {
	case s.in.Assertion != "":
		return s.in.Assertion
	case kind == Panic:
		if text := s.rustPanic(); text != "" {
			return "The message is: " + sentenceOf(text)
		}
	case kind == HeapCorrupt || kind == StackSmashed || kind == Thrown || kind == PureVirtual:
		if text := s.lastWords(kind); text != "" {
			return "The message is: " + sentenceOf(text)
		}
	}
	return ""
}

// sentenceOf adds a full stop to a text of the program, if it has none.
func sentenceOf(text string) string {
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?") {
		return text
	}
	return text + "."
}

// lastWords looks for a message behind a register or a word on top of the stack, because it was an
// argument of the reporting function.
func (s *state) lastWords(kind Kind) string {
	if s.in.Memory == nil || s.in.Arch == nil {
		return ""
	}
	for _, v := range s.regs.All() {
		if text := s.messageAt(v, kind); text != "" {
			return text
		}
	}
	sp, ok := s.sp()
	for i := range uint64(messageWords) {
		v, more := s.word(sp + i*uint64(s.in.Arch.Word))
		if !ok || !more {
			return ""
		}
		if text := s.messageAt(v, kind); text != "" {
			return text
		}
	}
	return ""
}

// messageAt returns the text at an address, if it is a message of that kind.
func (s *state) messageAt(addr uint64, kind Kind) string {
	if addr < nullZone {
		return ""
	}
	text := s.cstring(addr, messageMax)
	for _, m := range messages {
		if m.kind == kind && strings.HasPrefix(text, m.prefix) {
			return text
		}
	}
	return ""
}

// bytes reads the captured part of a range, with zeros in gaps.
func (s *state) bytes(addr uint64, size int) []byte {
	out := make([]byte, min(max(size, 0), rustBuffer+nullPage))
	for i := range out {
		if b, ok := s.in.Memory.Word(addr+uint64(i), 1); ok {
			out[i] = byte(b)
		}
	}
	return out
}

// behindText returns the printable text behind a mark, with its lines joined.
func behindText(data []byte, mark string) string {
	_, rest, ok := strings.Cut(string(data), mark)
	if !ok {
		return ""
	}
	end := strings.IndexFunc(rest, func(c rune) bool { return c < 0x20 && c != '\n' || c == 0x7f || c == 0xfffd })
	if end >= 0 {
		rest = rest[:end]
	}
	rest = strings.Join(strings.Fields(rest), " ")
	return rest[:min(len(rest), messageMax)]
}
