package crash

import (
	"fmt"
	"slices"
	"strings"
)

// An utterance is a text in the dump's memory with which the program or a library said why it ends.
type utterance struct {
	text    string
	from    string // where it was read, as the end of a sentence
	guessed bool   // it was found by its shape alone
}

func (u *utterance) sentence() string {
	switch {
	case u.text == "":
		return ""
	case u.guessed:
		return "The message is probably: " + sentenceOf(u.text)
	}
	return "The message is: " + sentenceOf(u.text)
}

func (u *utterance) source() string {
	if u.from == "" {
		return ""
	}
	return "The message was read " + u.from + "."
}

// bionicMagic are the first words of bionic's abort message (struct magic_abort_msg_t). Source: bionic,
// libc/bionic/android_set_abort_message.cpp.
var bionicMagic = [2]uint64{0xb18e_4088_6ac3_88f0, 0xc6df_ba75_5a1d_e0b5}

// mostMessageRegions bounds the mappings whose beginnings are examined.
const mostMessageRegions = 1 << 14

// abortMessage finds the message that the C library stores when it ends the program: glibc in memory of its own, to which
// __abort_msg points, and bionic in a mapping of its own. Without the symbol, glibc's is known by its shape: a mapping that
// begins with its size in pages and a line of text. Source: glibc, include/stdlib.h (struct abort_msg_s), assert/assert.c and
// sysdeps/posix/libc_fatal.c.
func (s *facts) abortMessage() utterance {
	if s.in.OS.IsApple() && messageOf(s.in.Assertion).kind != Aborted {
		return utterance{text: s.in.Assertion}
	}
	if !s.in.OS.IsLinux() || s.in.Memory == nil || s.in.Arch == nil {
		return utterance{}
	}
	for i := range s.in.Modules.Modules() {
		m := &s.in.Modules.Modules()[i]
		if !strings.HasPrefix(m.Name(), "libc.so") && !strings.HasPrefix(m.Name(), "libc-2.") {
			continue
		}
		if at, ok := s.exported(m, "__abort_msg"); ok {
			if block, ok := s.word(at); ok {
				return utterance{text: s.messageBlock(block, s.in.Arch.Mask()), from: fmt.Sprintf("behind `__abort_msg` of %s, at %s", m.Name(), hex(at))}
			}
		}
	}
	for i := range s.in.Regions[:min(len(s.in.Regions), mostMessageRegions)] {
		g := &s.in.Regions[i]
		if !g.Allows('w') || s.in.Modules.IndexAt(g.Start) >= 0 {
			continue
		}
		if first, _ := s.in.Memory.Word(g.Start, 8); first == bionicMagic[0] {
			if second, _ := s.in.Memory.Word(g.Start+8, 8); second == bionicMagic[1] {
				return utterance{text: s.lines(g.Start+16+uint64(s.in.Arch.Word), 4*messageMax), from: "in bionic's abort message, at " + hex(g.Start)}
			}
		}
		if text := s.messageBlock(g.Start, g.Last); text != "" {
			return utterance{text: text, from: fmt.Sprintf("at %s, in memory of the shape of glibc's abort message", hex(g.Start)), guessed: true}
		}
	}
	return utterance{}
}

// messageBlock returns the text of a glibc message at a page, or "". Its size is a number of pages, up to last.
func (s *facts) messageBlock(at, last uint64) string {
	size, ok := s.in.Memory.Word(at, 4)
	if !ok || size == 0 || size%nullPage != 0 || size > nullZone || size-1 > last-at {
		return ""
	}
	return s.lines(at+4, 4*messageMax)
}

// lines reads printable text of several lines up to a zero, and joins the lines. It returns "" for anything else.
func (s *facts) lines(addr uint64, limit int) string {
	text := s.textWithout(addr, limit, func(c uint64) bool { return c < 0x20 && c != '\n' && c != '\t' || c == 0x7f })
	return shortened(strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " "))
}

// shortened cuts a long message. That of an assertion in C++ has a long name of a function in front of the condition.
func shortened(text string) string {
	const head = 100
	if len(text) <= messageMax {
		return text
	}
	for _, mark := range assertionMarks {
		if at := strings.Index(text, mark); at > head {
			end := text[at+1:]
			return strings.ToValidUTF8(text[:head]+" …"+end[:min(len(end), messageMax-head)], "")
		}
	}
	return strings.ToValidUTF8(text[:messageMax], "")
}

func (s *facts) findMessage() []candidate {
	if s.Event.Signal != sigABRT || s.Event.Kind == Sent {
		return nil
	}
	u := s.abortMessage()
	if u.text == "" {
		return nil
	}
	m := messageOf(u.text)
	f := Finding{Kind: m.kind, Text: m.title, Confidence: 1}
	if u.guessed {
		f.Confidence = 0.9
	}
	f.Evidence = compact(u.sentence(), m.why, u.source())
	return explanation(f)
}

// compact returns the sentences that are not empty.
func compact(sentences ...string) []string {
	return slices.DeleteFunc(sentences, func(text string) bool { return text == "" })
}

// assertionMarks are in the messages of failed assertions: glibc's and libstdc++'s, and musl's.
var assertionMarks = []string{": Assertion `", ": Assertion '", "Assertion failed: "}

// Bounds of the stack that is searched for what is left of a formatted message, around the stack pointer.
const (
	staleBelow = 16 << 10
	staleAbove = 4 << 10
)

// staleAssertion finds the message of a failed assertion in a buffer that its function left on the stack.
func (s *facts) staleAssertion() utterance {
	sp, ok := s.sp()
	if !ok || s.in.Memory == nil || !s.inStack(sp) {
		return utterance{}
	}
	low, high := max(s.in.StackLow, sp-min(sp, staleBelow)), min(s.in.StackHigh, sp+staleAbove)
	data := string(s.bytes(low, int(high-low)))
	for _, mark := range assertionMarks {
		at := strings.Index(data, mark)
		if at < 0 {
			continue
		}
		unprintable := func(c rune) bool { return c < 0x20 || c == 0x7f || c == 0xfffd }
		from := strings.LastIndexFunc(data[:at], unprintable) + 1
		line, _, _ := strings.Cut(data[from:], "\n")
		if strings.ContainsFunc(line, unprintable) {
			continue
		}
		return utterance{text: shortened(line), from: fmt.Sprintf("in what is left of a buffer on the stack, at %s", hex(low+uint64(from))), guessed: true}
	}
	return utterance{}
}

// findStale makes a finding of what is left on the stack of a program that called abort in functions without names.
func (s *facts) findStale() []candidate {
	if s.Event.Signal != sigABRT || s.Event.Kind == Sent {
		return nil
	}
	f := Finding{Kind: Asserted, Text: "Assertion failed", Confidence: 0.8}
	u := s.staleAssertion()
	if u.text == "" {
		f.Kind, f.Text, u = Panic, "Rust panic", s.rustHook()
	}
	if text := s.rustPanic(); u.text == "" && strings.Contains(text, ".rs:") {
		u = utterance{text: text, from: "in what is left of a buffer on the stack", guessed: true}
	}
	if u.text == "" {
		return s.staleException()
	}
	f.Evidence = compact(u.sentence(), u.source())
	return explanation(f)
}

// staleException finds the exception of a program without names that called abort itself, by what its functions keep on the stack.
func (s *facts) staleException() []candidate {
	if s.aborting() != nil || s.raising() != nil || s.nearAbort() != nil {
		return nil
	}
	found := s.thrown(Finding{Kind: Thrown, Confidence: 0.8, Evidence: []string{"It was probably not caught: a pointer to it was found on the stack of a program that ended itself."}})
	if found.Text == "" {
		return nil
	}
	return explanation(found)
}
