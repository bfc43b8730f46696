package crash

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// A message is the beginning of a runtime's last message, and what it means.
type message struct {
	prefix     string
	kind       Kind
	title, why string
}

// messages are those of allocators and checks in C libraries, and of the runtimes of C++ about the thrown object, as their sources spell
// them, the longer beginning first: glibc malloc/malloc.c, debug/fortify_fail.c and assert/assert.c; libmalloc; scudo; libstdc++ vterminate.cc,
// libc++abi cxa_default_handlers.cpp.
var messages = sync.OnceValue(func() (out []message) {
	for _, row := range codes()["messages"] {
		c := strings.Split(row.text, "|")
		out = append(out, message{c[0], Kind(c[1]), c[2], c[3]})
	}
	return out
})

// assertions are what the message of a failed assertion has in it: glibc assert/assert.c, musl src/exit/assert.c, bionic libc/bionic/assert.cpp.
var assertions = []string{": Assertion `", ": Unexpected error: ", "Assertion failed: ", ": assertion \""}

func messageOf(text string) message {
	for _, m := range messages() {
		if strings.HasPrefix(text, m.prefix) {
			return m
		}
	}
	if slices.ContainsFunc(assertions, func(part string) bool { return strings.Contains(text, part) }) {
		return message{kind: Asserted, title: "Assertion failed"}
	}
	return message{kind: Aborted, title: "The C library ended the program"}
}

// Bounds of the search for last messages.
const (
	messageWords = 256 // of the stack, from the stack pointer
	messageMax   = 300 // bytes of a message
)

// said returns the program's message about its end: one that its libraries or crash reporter
// stored, or one that is still in memory.
func (s *facts) said(kind Kind) string {
	switch {
	case s.in.Assertion != "":
		return s.in.Assertion
	case kind == Panic:
		text, _ := s.goMessage()
		if text = cmp.Or(text, s.rustPayload(), s.rustPanic()); text != "" {
			return "The message is: " + sentenceOf(text)
		}
	case kind == Asserted:
		if text := s.passedAssertion(); text != "" {
			return text
		}
		u := s.staleAssertion()
		return u.sentence()
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

// lastWords searches for a message behind a register or a word on top of the stack, because it was an
// argument of the reporting function.
func (s *facts) lastWords(kind Kind) string {
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
func (s *facts) messageAt(addr uint64, kind Kind) string {
	if addr < nullZone {
		return ""
	}
	text := s.cstring(addr, messageMax)
	for _, m := range messages() {
		if m.kind == kind && strings.HasPrefix(text, m.prefix) && !(strings.HasSuffix(text, "'") && strings.Count(text, "'")%2 != 0) { // the constant in front of a name
			return text
		}
	}
	return ""
}

// bytes reads the captured part of a range, with zeros in gaps.
func (s *facts) bytes(addr uint64, size int) []byte {
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

// rustMessage is the beginning of a panic message of the default hook. The hook first writes it
// into a buffer of 512 bytes on the stack, which is not cleared (default_hook of
// library/std/src/panicking.rs).
const rustMessage = "panicked at "

// rustBuffer is the range above the stack pointer that is searched for that buffer.
const rustBuffer = 16 << 10

// rustPanic returns the message of a panic, if it is still on the stack: "src/main.rs:4:5: index out of
// bounds".
func (s *facts) rustPanic() string {
	sp, ok := s.sp()
	if !ok || s.in.Memory == nil {
		return ""
	}
	low := max(s.in.StackLow, sp-min(sp, nullPage))
	high := min(s.in.StackHigh, sp+rustBuffer)
	if low >= high {
		return ""
	}
	return withoutCommit(behindText(s.bytes(low, int(high-low)), rustMessage))
}
