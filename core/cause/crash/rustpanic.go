package crash

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/stack/funcname"
)

// mostLocals bounds the bytes of a frame that are searched.
const mostLocals = 1 << 12

// locals returns the words of a physical frame: from its stack pointer to that of its caller.
func (s *facts) locals(i int) (low, high uint64) {
	sp := func(f *Row) (uint64, bool) {
		if s.in.Arch == nil || s.in.Arch.SP == cpu.None {
			return 0, false
		}
		return f.Walked().Regs.Get(s.in.Arch.SP)
	}
	low, ok := sp(&s.in.Frames[i])
	for n := i + 1; ok && n < len(s.in.Frames); n++ {
		if s.in.Frames[n].Inline != nil {
			continue
		}
		if high, ok = sp(&s.in.Frames[n]); ok && high > low {
			return low, min(high, low+mostLocals)
		}
		break
	}
	return 0, 0
}

// A rustMachinery is a frame of the functions that report a panic.
type rustMachinery struct {
	name      string
	low, high uint64
}

// rustFrames returns the frames between the innermost function of std's panic code and the function that panicked.
func (s *facts) rustFrames() (out []rustMachinery) {
	for i := range s.in.Frames[:min(len(s.in.Frames), endDepth)] {
		f := &s.in.Frames[i]
		name := s.plainName(i)
		switch own := s.isOwn(f); {
		case own && len(out) > 0:
			return out
		case own || f.Inline != nil || !strings.Contains(name, "panic") && !strings.Contains(name, "rust_") && len(out) == 0:
			continue
		}
		if low, high := s.locals(i); high > 0 {
			out = append(out, rustMachinery{name, low, high})
		}
	}
	return out
}

// rustPayload returns the message of a panic and its place from the variables of the functions that report it: a String, a &str or
// the fmt::Arguments of a text, and a pointer to a core::panic::Location. Frames also have what is left of earlier calls, so the text
// that occurs most often counts, and a String the most. Sources: library/std/src/panicking.rs (FormatStringPayload, StaticStrPayload),
// library/core/src/fmt/mod.rs (Arguments) and library/core/src/panic/location.rs.
func (s *facts) rustPayload() string {
	if s.in.Memory == nil || s.in.Arch == nil {
		return ""
	}
	var places, texts poll
	numbers := ""
	for _, f := range s.rustFrames() {
		before, step := uint64(0), uint64(s.in.Arch.Word)
		for at := f.low; at < f.high; at += step {
			word, _ := s.word(at)
			length, _ := s.word(at + step)
			places.vote(s.rustLocation(word), 1)
			switch {
			case s.constant(word):
				texts.vote(s.textOf(word, length), 1)
				texts.vote(s.textOf(word, length>>1*(length&1)), 1) // Arguments of one text: twice its length, and 1
			case before >= length && before < 1<<32 && !s.inStack(word) && s.in.Modules.IndexAt(word) < 0:
				texts.vote(s.textOf(word, length), 4)
			}
			before = word
		}
		numbers = cmp.Or(numbers, s.rustNumbers(f))
	}
	text := cmp.Or(texts.winner, numbers)
	if places.winner == "" || text == "" {
		return text
	}
	return places.winner + ": " + text
}

// A poll finds the text with the most votes, of several the first.
type poll struct {
	votes  map[string]int
	winner string
}

func (p *poll) vote(text string, n int) {
	if text == "" {
		return
	}
	if p.votes == nil {
		p.votes = map[string]int{}
	}
	if p.votes[text] += n; p.winner == "" || p.votes[text] > p.votes[p.winner] {
		p.winner = text
	}
}

// constant reports whether an address is in the constant data of a module.
func (s *facts) constant(addr uint64) bool {
	g := s.regionAt(addr)
	return g != nil && g.Allows('r') && !g.Allows('w') && !g.Allows('x') && s.in.Modules.IndexAt(addr) >= 0
}

func (s *facts) inStack(addr uint64) bool { return s.in.StackLow <= addr && addr < s.in.StackHigh }

// rustLocation returns the place that a core::panic::Location has: the name of a file, a line and a column.
func (s *facts) rustLocation(at uint64) string {
	word := uint64(s.in.Arch.Word)
	name, ok := s.word(at)
	length, more := s.word(at + word)
	line, lines := s.in.Memory.Word(at+2*word, 4)
	column, columns := s.in.Memory.Word(at+2*word+4, 4)
	if at < nullZone || !ok || !more || !lines || !columns || length > messageMax || line == 0 || line > 1<<24 || column == 0 || column > 1<<20 {
		return ""
	}
	file := strings.TrimSuffix(s.textOf(name, length), "\x00")
	if !strings.HasSuffix(file, ".rs") {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", withoutCommit(file), line, column)
}

// withoutCommit shortens the path of a file of Rust's library, which begins with /rustc and the commit of the release.
func withoutCommit(path string) string {
	if rest, ok := strings.CutPrefix(path, "/rustc/"); ok {
		if _, inside, found := strings.Cut(rest, "/"); found {
			return inside
		}
	}
	return path
}

// textOf returns the text of a pointer and a length: valid, printable and not only of blanks, with its lines joined and its end cut.
func (s *facts) textOf(at, length uint64) string {
	if at < nullZone || length < 2 || length > 1<<20 {
		return ""
	}
	data := make([]byte, min(length, messageMax))
	for i := range data {
		c, ok := s.in.Memory.Word(at+uint64(i), 1)
		if !ok || c < 0x20 && c != '\n' && c != '\t' && !(c == 0 && uint64(i) == length-1) || c == 0x7f {
			return ""
		}
		data[i] = byte(c)
	}
	text := string(data)
	for cut := 0; length > messageMax && cut < 3 && strings.ToValidUTF8(text, "") != text; cut++ {
		text = text[:len(text)-1] // a letter that the limit splits
	}
	if strings.ToValidUTF8(text, "") != text {
		return ""
	}
	return strings.Join(strings.Fields(text), " ")
}

// rustNumbered are functions that report two numbers, in the order of the formatter's arguments. Sources: library/core/src/panicking.rs
// and library/core/src/slice/index.rs.
var rustNumbered = []struct{ function, format string }{
	{"core::panicking::panic_bounds_check", "index out of bounds: the len is %d but the index is %d"},
	{"core::slice::index::slice_start_index_len_fail*", "range start index %d out of range for slice of length %d"},
	{"core::slice::index::slice_end_index_len_fail*", "range end index %d out of range for slice of length %d"},
	{"core::slice::index::slice_index_order_fail*", "slice index starts at %d but ends at %d"},
}

// rustAllocation says how large the allocation was that Rust's std::alloc::rust_oom reports, or "": that function keeps the Layout on its stack, an
// alignment and a size, which is no address. Source: library/std/src/alloc.rs and library/core/src/alloc/layout.rs.
func (s *facts) rustAllocation() string {
	const most = 1 << 29 // alignment
	i := slices.IndexFunc(s.in.Frames, func(r Row) bool {
		return r.Inline == nil && r.certain() && funcname.Plain(r.function()) == "std::alloc::rust_oom"
	})
	if i < 0 || s.in.Memory == nil {
		return ""
	}
	low, high := s.locals(i)
	for step, at := uint64(s.in.Arch.Word), low; at+step < high; at += step {
		align, _ := s.word(at)
		size, ok := s.word(at + step)
		if ok && align&(align-1) == 0 && align > 0 && align <= most && size > 0 && size <= s.in.Arch.Mask()>>1 && !s.inStack(size) && !s.mapped(size) && !s.captured(size) {
			return fmt.Sprintf("The message is: memory allocation of %d bytes failed.", size)
		}
	}
	return ""
}

// rustNumbers makes the message of a function that only formats numbers: its frame has pairs of a pointer to a number in the same frame
// and a pointer to the code that formats it (core::fmt::rt::Argument).
func (s *facts) rustNumbers(f rustMachinery) string {
	for _, row := range rustNumbered {
		if !matches(row.function, f.name) {
			continue
		}
		var numbers []any
		word := uint64(s.in.Arch.Word)
		for at := f.low; at+word < f.high && len(numbers) < 2; at += word {
			value, _ := s.word(at)
			format, _ := s.word(at + word)
			if value < f.low || value >= f.high || s.in.Modules.IndexAt(format) < 0 {
				numbers = nil
				continue
			}
			n, ok := s.word(value)
			if !ok {
				break
			}
			numbers = append(numbers, n)
			at += word
		}
		if len(numbers) == 2 {
			return fmt.Sprintf(row.format, numbers...)
		}
	}
	return ""
}
