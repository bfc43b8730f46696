package crash

import (
	"strings"
	"testing"
)

// a_crash of musl is a deliberate end, and not a privileged instruction or a null pointer by mistake: in its allocator it is damage of the heap.
func TestMusl(t *testing.T) {
	const hlt = "f4"
	at := func(code string, frames ...string) *scene {
		s := crashAt(t, code).gpf().stack(frames...)
		for i := range s.Frames {
			if s.Frames[i].System {
				s.Frames[i].Module = new("ld-musl-x86_64.so.1")
			}
		}
		return s
	}
	probable := at(hlt, "!", "work")
	probable.Frames[0].Module = new("libgcc_s.so.1")
	for _, tt := range []struct {
		name, want, says string
		s                *scene
	}{
		{"a block that was freed twice", "Heap corruption in work", "found by musl", at(hlt, "!free", "work")},
		{"compiled in", "Heap corruption in work", "found by musl", crashAt(t, hlt).gpf().stack("get_meta", "free", "work")},
		{"realloc", "Heap corruption in work", "found by musl", at(hlt, "!realloc", "work")},
		{"the guard value of a stack", "Stack buffer overrun in work", "guard value", at(hlt, "!__stack_chk_fail", "work")},
		{"a function without a name", "Deliberate crash in musl in work", "a_crash", at(hlt, "!", "work")},
		{"another library", "Privileged instruction in work", "kernel", probable},
		{"the program's own", "Privileged instruction in work", "kernel", crashAt(t, hlt).gpf().stack("work")},
		{"another instruction", "Privileged instruction in work", "kernel", at("fa", "!free", "work")},
	} {
		a := Analyze(tt.s.Input)
		r := Verdict(tt.s.Input, a)
		if got := r.What + " in " + r.Where; got != tt.want || !strings.Contains(r.Detail, tt.says) {
			t.Errorf("%s: %s: %s", tt.name, got, r.Detail)
		}
	}
}
