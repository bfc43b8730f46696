package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// A panic of a program without names is known by what std gave to the panic hook.
func TestRustHook(t *testing.T) {
	const info, location, file, text, heap, vtable, payload = stackLow + 0x1200, appBase + 0x9000, appBase + 0x9100, appBase + 0x9200, heapBase + 0x100, appBase + 0x9300, stackLow + 0x1400
	const place, none = "src/work.rs:17:5: ", "called `Option::unwrap()` on a `None` value"
	base := func() *scene {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "", "", "")
		s.Regions[0].Last = appBase + 0x8fff
		s.Regions = append(s.Regions[:1:1], append([]process.Region{{Start: appBase + 0x9000, Last: appBase + 0xffff, Access: "r--"}}, s.Regions[1:]...)...)
		s.text(file, "src/work.rs").put(location, file).put(location+8, 11).half(location+16, 17, 5).text(text, none).text(heap, "bad index 7")
		s.put(vtable, codeAddr).put(vtable+8, 16).put(vtable+16, 8).put(payload, text).put(payload+8, 43)
		return s.put(info, payload).put(info+8, vtable).put(info+16, location).put(info+24, 0xffff_ffff_ffff_0001)
	}
	for _, tt := range []struct {
		name, want string
		s          *scene
	}{
		{"a &str", place + none, base()},
		{"a String", place + "bad index 7", base().put(vtable+8, 24).put(payload, 16).put(payload+8, heap).put(payload+16, 11)},
		{"before Rust 1.81", place + none, base().put(info+16, payload).put(info+24, location).put(info+32, 1)},
		{"a payload of another type", "", base().put(vtable+8, 32)},
		{"another alignment", "", base().put(vtable+16, 4)},
		{"a vtable that can be written", "", base().put(info+8, heapBase+0x400)},
		{"a place that can be written", "", base().text(heapBase+0x200, "src/work.rs").put(info+16, heapBase+0x300).put(heapBase+0x300, file).put(heapBase+0x308, 11).half(heapBase+0x310, 17, 5)},
		{"a file of C", "", base().text(file, "src/work.cpp")},
		{"no bools", "", base().put(info+24, 0x0002)},
		{"below the stack pointer", "", base().reg(cpu.RSP, info+8)},
		{"no memory", "", base().with(func(in *Input) { in.Memory = nil })},
	} {
		f := Analyze(tt.s.Input).Findings[0]
		got, ok := strings.CutPrefix(f.Evidence[0], "The message is probably: ")
		if !ok {
			got = ""
		}
		if strings.TrimSuffix(got, ".") != tt.want || ok != (f.Text == "Rust panic") {
			t.Errorf("%s: %s %q, want %q", tt.name, f.Text, f.Evidence, tt.want)
		}
	}
}
