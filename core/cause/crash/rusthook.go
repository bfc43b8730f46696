package crash

import "fmt"

// hookDepth bounds the bytes of the stack that are searched for what std gave to the panic hook: its frame is a dozen small frames behind abort.
const hookDepth = 8 << 10

// rustHook returns the message and the place of a panic from the PanicHookInfo that std's rust_panic_with_hook keeps on the stack: a fat
// pointer to the payload, which is a &str or a String by its vtable, a pointer to the Location, and two bools; before Rust 1.81 also a
// pointer to the Arguments. A program without names has it, too. Sources: library/std/src/panic.rs (PanicHookInfo),
// library/core/src/panic/panic_info.rs.
func (s *facts) rustHook() utterance {
	sp, ok := s.sp()
	if !ok || s.in.Memory == nil || !s.inStack(sp) {
		return utterance{}
	}
	word := uint64(s.in.Arch.Word)
	for at := sp; at < min(s.in.StackHigh, sp+hookDepth); at += word {
		for _, location := range []uint64{at + 2*word, at + 3*word} {
			pointer, _ := s.word(location)
			flags, flagged := s.in.Memory.Word(location+word, 2)
			if !flagged || flags&^0x101 != 0 || !s.constant(pointer) {
				continue
			}
			place, text := s.rustLocation(pointer), s.rustText(at)
			if place != "" && text != "" {
				return utterance{text: place + ": " + text, from: fmt.Sprintf("behind what has the shape of std's PanicHookInfo, at %s on the stack", hex(at)), guessed: true}
			}
		}
	}
	return utterance{}
}

// rustText returns the &str or String behind a fat pointer to `dyn Any`, by the size and the alignment in its vtable, or "".
func (s *facts) rustText(at uint64) string {
	word := uint64(s.in.Arch.Word)
	data, _ := s.word(at)
	vtable, _ := s.word(at + word)
	if !s.constant(vtable) {
		return ""
	}
	size, _ := s.word(vtable + word)
	align, _ := s.word(vtable + 2*word)
	if align != word || size != 2*word && size != 3*word {
		return ""
	}
	text := data + size - 2*word // a String begins with its capacity
	pointer, _ := s.word(text)
	length, _ := s.word(text + word)
	return s.textOf(pointer, length)
}
