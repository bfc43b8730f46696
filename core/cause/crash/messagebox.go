package crash

import (
	"fmt"
	"slices"
	"strings"
)

// boxTitles begin the texts of the message boxes of Visual C++'s C library, which makes them on the stack. Sources: Universal CRT, assert.cpp
// (common_assert_to_message_box_build_string) and dbgrptt.cpp; earlier libraries, assert.c, crt0msg.c and dbgrpt.c.
var boxTitles = []string{"Debug Assertion Failed!", "Assertion failed!", "Debug Error!", "Runtime Error!"}

// boxProgram follows a title.
const boxProgram = "\n\nProgram: "

// boxReach is how much of the stack is searched for a message box, from the stack pointer.
const boxReach = 4 * rustBuffer

// findMessageBox finds what Visual C++'s C library showed, or would have shown, in a message box: a failed assertion, or a runtime error by its number.
func (s *facts) findMessageBox() []candidate {
	sp, ok := s.sp()
	if !ok || !s.in.OS.IsWindows() || s.in.Memory == nil || !s.inStack(sp) || !s.ended() {
		return nil
	}
	var text string
	for low := sp; low < min(s.in.StackHigh, sp+boxReach) && text == ""; low += rustBuffer / 2 {
		text = boxText(s.bytes(low, int(min(rustBuffer, s.in.StackHigh-low))))
	}
	if text == "" {
		return nil
	}
	field := func(label string) string {
		_, value, _ := strings.Cut(text, "\n"+label)
		value, _, _ = strings.Cut(value, "\n")
		return value
	}
	const where = "The text of the message box was found on the stack."
	if expression, file := field("Expression: "), field("File: "); expression != "" {
		return explanation(Finding{Kind: Asserted, Text: "Assertion failed", Confidence: 0.9, Evidence: []string{
			fmt.Sprintf("The assertion is `%s`, at %s:%s.", shortened(expression), file, field("Line: ")), where}})
	}
	parts := strings.Split(text, "\n\n")
	said := strings.Join(strings.Fields(parts[min(2, len(parts)-1)]), " ")
	m := messageOf(said)
	if m.kind == Aborted || len(parts) < 3 {
		return nil // the function that ended the program says as much
	}
	return explanation(Finding{Kind: m.kind, Text: m.title, Confidence: 0.9, Evidence: compact("The message is: "+sentenceOf(shortened(said)), m.why, where)})
}

// ended reports whether the stack has a function that ends programs, or shows a message box, or one of the C library without a name. Behind a fault of
// the processor, the text may be of an earlier box that the user ignored.
func (s *facts) ended() bool {
	if s.e != nil && processorCodes[s.e.Code] && s.e.Code != breakpoint && s.e.Code != breakpoint32 {
		return false
	}
	return slices.ContainsFunc(s.in.Frames[:min(len(s.in.Frames), endDepth)], func(f Row) bool {
		return isMachinery(&f) || isRuntimeModule(f.module()) || strings.HasPrefix(f.function(), "MessageBox")
	})
}

// boxText returns the text of a message box in bytes of a stack, of one or of two bytes a letter.
func boxText(data []byte) string {
	for _, width := range []int{2, 1} {
		letters := make([]byte, len(data)/width)
		for i := range letters {
			if letters[i] = data[i*width]; width == 2 && data[i*2+1] != 0 {
				letters[i] = '?'
			}
		}
		for _, title := range boxTitles {
			_, text, found := strings.Cut(string(letters), title+boxProgram)
			text, _, ended := strings.Cut(text, "\x00")
			if found && ended {
				return title + boxProgram + text
			}
		}
	}
	return ""
}
