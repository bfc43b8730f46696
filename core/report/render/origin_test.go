package render

import (
	"io"
	"strings"
	"testing"

	"crashglass/core/report"
)

// Each link of a trail is a sentence, with a mark where it is not certain.
func TestOriginSentences(t *testing.T) {
	at := func(v uint64) *report.Address { a := report.Addr(v, 8); return &a }
	for _, tt := range []struct {
		link report.OriginLink
		want string
	}{
		{report.OriginLink{Kind: report.OriginLoad, Register: "rdi", Value: at(0), Variable: "p", Source: "ring->items[2]", Instruction: "mov rdi, [rax + 16]"},
			"`p` in rdi = 0x0: loaded from `ring->items[2]`, by `mov rdi, [rax + 16]`"},
		{report.OriginLink{Kind: report.OriginLoad, Register: "rdi", Memory: at(0x7f10), Guess: true, Frame: 2}, "~ rdi: loaded at 0x7f10, in frame 2"},
		{report.OriginLink{Kind: report.OriginResult, Register: "rax", Value: at(0), Function: "find", Instruction: "call find"}, "rax = 0x0: returned by `find`"},
		{report.OriginLink{Kind: report.OriginResult, Register: "rax"}, "rax: the result of a call"},
		{report.OriginLink{Kind: report.OriginArgument, Variable: "this", Register: "rdi"}, "`this` in rdi: passed by the caller"},
		{report.OriginLink{Kind: report.OriginCopy, Register: "rdi", Instruction: "mov rdi, rbx"}, "rdi: a copy of another register, by `mov rdi, rbx`"},
		{report.OriginLink{Kind: report.OriginSum, Register: "rdi"}, "rdi: the sum of another register and a number"},
		{report.OriginLink{Kind: report.OriginConstant, Value: at(4)}, "the value = 0x4: a constant of the code"},
		{report.OriginLink{Kind: report.OriginUnknown, Register: "rcx"}, "rcx: not proved by the dump"},
	} {
		if got := originSentence(&tt.link); got != tt.want {
			t.Errorf("%+v:\n%s\nwant %s", tt.link, got, tt.want)
		}
	}
}

// A trail stands in each form of a report, and text from a dump is text there.
func TestOriginInEachForm(t *testing.T) {
	r := crashOf()
	r.CrashInfo.Origin = report.Trail{{Kind: report.OriginArgument, Register: "rdi", Variable: "<b>\x1b[31m"}}
	for name, write := range map[string]func(io.Writer, *report.Report, Options) error{"text": Text, "Markdown": Markdown, "HTML": HTML} {
		got := formed(t, write, r, Options{})
		if !strings.Contains(got, "Where it comes from") || !strings.Contains(got, "passed by the caller") {
			t.Errorf("%s has no trail:\n%s", name, got)
		}
		if strings.Contains(got, "\x1b") || name == "HTML" && strings.Contains(got, "<b>\\") {
			t.Errorf("%s: %q", name, got)
		}
	}
}
