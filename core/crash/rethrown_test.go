package crash

import (
	"strings"
	"testing"
)

// An exception of std::rethrow_exception has no object of its own: it points to the object that was
// thrown first. Sources: libstdc++'s unwind-cxx.h and libc++abi's cxa_exception.h, struct
// __cxa_dependent_exception.
func TestRethrownException(t *testing.T) {
	const (
		sp, header, object       = stackLow + 0x1000, heapBase + 0x100, heapBase + 0x300
		info, name, text, method = heapBase + 0x500, heapBase + 0x600, heapBase + 0x700, heapBase + 0x800
	)
	thrown := func(class uint64) *scene {
		s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "!std::terminate()", "!std::rethrow_exception", "work")
		s.put(sp, header).put(header, class)
		s.put(object-objectBehind-typeBefore, info).put(info+8, name).text(name, "St13runtime_error") // of the first exception
		return s.put(object, method).put(object+8, text).text(text, "disk is full")
	}
	const first = "C++ exception: std::runtime_error"
	for _, tt := range []struct {
		what string
		s    *scene
		want string
	}{
		{"libstdc++: in the place of the type", thrown(classGNU|1).put(header-typeBefore, object), first},
		{"libc++abi: before the type", thrown(classLLVM|1).put(header-typeBefore-8, object).put(header-typeBefore, info), first},
		{"not captured", thrown(classGNU | 1), "std::terminate was called"},
	} {
		v := Verdict(tt.s.Input, Analyze(tt.s.Input))
		if v.What != tt.want || tt.want == first && !strings.Contains(v.Detail, "The thrown object is a std::runtime_error, probably with the message: disk is full") {
			t.Errorf("%s: %s, want %s. %s", tt.what, v.What, tt.want, v.Detail)
		}
	}
}
