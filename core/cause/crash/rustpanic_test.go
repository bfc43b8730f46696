package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

// standing gives each frame of a scene its place on the stack, of 0x100 bytes.
func (s *scene) standing() *scene {
	for i := range s.Frames {
		f := report.FrameOf(&process.Frame{Instruction: codeAddr, Module: &module.Module{Base: appBase}})
		f.Walked().Regs.Set(cpu.RSP, stackLow+0x1000+0x100*uint64(i))
		f.Module, f.ModuleIndex, f.Function, f.System = s.Frames[i].Module, s.Frames[i].ModuleIndex, s.Frames[i].Function, s.Frames[i].System
		s.Frames[i] = Row{Frame: &f}
	}
	return s
}

// The message of a panic is the text that the frames of std hold most often, or a String; its place is a Location.
func TestPanicsInFrames(t *testing.T) {
	const frame, location, file, text, heap = stackLow + 0x1100, appBase + 0x9000, appBase + 0x9100, appBase + 0x9200, heapBase + 0x100
	base := func(function string) *scene {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!abort", "std::panicking::begin_panic_handler::{{closure}}", function, "app::work").standing()
		s.Regions[0].Last = appBase + 0x8fff
		s.Regions = append(s.Regions, process.Region{})
		copy(s.Regions[2:], s.Regions[1:])
		s.Regions[1] = process.Region{Start: appBase + 0x9000, Last: appBase + 0xffff, Access: "r--"}
		s.text(file, "src/work.rs").put(location, file).put(location+8, 11).half(location+16, 17, 5)
		return s.text(text, "called `Option::unwrap()` on a `None` value").text(heap, "bad index 7")
	}
	panicked := func() *scene { return base("core::panicking::panic_fmt") }
	const place, none = "src/work.rs:17:5: ", "called `Option::unwrap()` on a `None` value"
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"a &str", place + none, panicked().put(frame, location).put(frame+0x10, text).put(frame+0x18, 43)},
		{"the Arguments of one text", place + none, panicked().put(frame, location).put(frame+0x10, text).put(frame+0x18, 87)},
		{"without a place", none, panicked().put(frame+0x10, text).put(frame+0x18, 43)},
		{"a String", place + "bad index 7", panicked().put(frame, location).put(frame+0x10, 16).put(frame+0x18, heap).put(frame+0x20, 11)},
		{"a String counts more than a text", "bad index 7", panicked().put(frame+0x10, 16).put(frame+0x18, heap).put(frame+0x20, 11).put(frame+0x40, text).put(frame+0x48, 43)},
		{"what is more frequent", none, panicked().put(frame, text+7).put(frame+8, 8).put(frame+0x40, text).put(frame+0x48, 43).put(frame+0x140, text).put(frame+0x148, 43)},
		{"a String longer than its capacity", "", panicked().put(frame+0x10, 8).put(frame+0x18, heap).put(frame+0x20, 11)},
		{"a text that is not constant", "", panicked().put(frame+0x18, heap).put(frame+0x20, 11)},
		{"in the frame of the program", "", panicked().put(frame+0x210, text).put(frame+0x218, 43)},
		{"a text that is not captured", "", panicked().put(frame, text+0x80).put(frame+8, 8)},
		{"bounds by their numbers", place + "index out of bounds: the len is 3 but the index is 7", base("core::panicking::panic_bounds_check").put(frame, location).
			put(frame+0x110, 3).put(frame+0x118, 7).put(frame+0x120, frame+0x110).put(frame+0x128, codeAddr).put(frame+0x130, frame+0x118).put(frame+0x138, codeAddr)},
		{"numbers that are not captured", "", base("core::panicking::panic_bounds_check").
			put(frame+0x120, frame+0x110).put(frame+0x128, codeAddr).put(frame+0x130, frame+0x118).put(frame+0x138, codeAddr)},
		{"numbers of another function", "", panicked().
			put(frame+0x110, 3).put(frame+0x118, 7).put(frame+0x120, frame+0x110).put(frame+0x128, codeAddr).put(frame+0x130, frame+0x118).put(frame+0x138, codeAddr)},
		{"no memory", "", panicked().with(func(in *Input) { in.Memory = nil })},
	}
	for _, tt := range tests {
		f := Analyze(tt.s.Input).Findings[0]
		got, ok := strings.CutPrefix(f.Evidence[0], "The message is: ")
		if !ok {
			got = ""
		}
		if strings.TrimSuffix(got, ".") != tt.want || f.Text != "Rust panic" {
			t.Errorf("%s: %s %q, want %q", tt.name, f.Text, f.Evidence, tt.want)
		}
	}
}

// Rust's handler of SIGSEGV aborts after a stack overflow.
func TestRustStackOverflow(t *testing.T) {
	s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!abort", "std::sys::pal::unix::stack_overflow::imp::signal_handler", "app::recurse")
	if v := Verdict(s.Input, Analyze(s.Input)); v.What != "Stack overflow" || v.Where != "app::recurse" {
		t.Errorf("%s in %s", v.What, v.Where)
	}
}

// The size of an allocation that failed is in the frame of std's function that reports it, behind its alignment.
func TestRustAllocation(t *testing.T) {
	const frame = stackLow + 0x1100
	failed := func(function string, align, size uint64) *scene {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!abort", function, "app::work").standing()
		return s.put(frame, align).put(frame+8, size)
	}
	for _, tt := range []struct {
		s    *scene
		want string
	}{
		{failed("std::alloc::rust_oom", 8, 1<<55), "The message is: memory allocation of 36028797018963968 bytes failed."},
		{failed("std::alloc::rust_oom", 7, 1<<55), ""},
		{failed("std::alloc::rust_oom", 8, 1<<63), ""},
		{failed("std::alloc::rust_oom", 1, frame+0x40), ""}, // a number, and the address of a local
		{failed("std::alloc::rust_oom::{closure#0}", 8, 1<<55), ""},
	} {
		e := Analyze(tt.s.Input).Findings[0].Evidence
		if got := e[0]; (got == tt.want) != (tt.want != "") || tt.want == "" && strings.HasPrefix(got, "The message is") {
			t.Errorf("%q, want %q", e, tt.want)
		}
	}
}

// The path of a file of Rust's library has no commit in messages.
func TestWithoutCommit(t *testing.T) {
	for path, want := range map[string]string{
		"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/panicking.rs": "library/core/src/panicking.rs",
		"src/rustc/main.rs": "src/rustc/main.rs",
		"/rustc/main.rs":    "/rustc/main.rs",
	} {
		if got := withoutCommit(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}
