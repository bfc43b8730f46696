package crash

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"crashglass/core/stack/funcname"
)

// A use is what a function near the top of a stack proves.
type use uint8

// The uses.
const (
	ends   use = 1 << iota // the end of the program: its caller is the frame to name
	aborts                 // SIGABRT was raised by the program itself
	raises                 // a signal was raised by the program itself
	throws                 // an exception of Windows was raised by the program itself
	stops                  // a debugger stopped the program
)

var useWords = []string{"ends", "aborts", "raises", "throws", "stops"}

// A meaning is what functions near the top of a stack show.
type meaning struct {
	use       use
	names     []string // complete plain names, or patterns as in matches
	kind      Kind     // the finding; "" if they do not show why the program ended
	text, why string
}

// is reports whether the functions prove something. Those that show why a program ended do so by ending it.
func (m *meaning) is(u use) bool {
	return m.use&u != 0 || m.kind != "" && (u&ends != 0 || u&aborts != 0 && m.kind != Hang)
}

// functions.txt has the functions that are known by name, the most specific first: a failed assertion ends in abort, a C++ exception in
// std::terminate and then in abort. A line has what the functions prove, or the kind of the finding, its text, and the reason; the indented
// lines below it have their complete plain names, or patterns as in matches. The page loads the file, so the notes on its groups are here:
//
//   - The end itself: SIGABRT of any C library, signals that are sent to the own thread or process in C libraries of Linux, Android and
//     Apple, exceptions of Windows.
//   - "stops": functions of ntdll that run int3 only while a debugger is attached: in the thread with which DebugBreakProcess and WinDbg
//     break into a process, and when a process starts under a debugger. Source of the first: Wine, dlls/ntdll/process.c, which tests
//     PEB.BeingDebugged.
//   - "ends": functions around the end that explain nothing: C libraries and the kernel's interface, C++, Windows, Chromium and Breakpad,
//     Rust, Go and Swift, Apple, others.
//   - The checks of compilers: the stack protector (-fstack-protector, /GS) and _FORTIFY_SOURCE. Sources: glibc debug/stack_chk_fail.c
//     and debug/chk_fail.c, bionic libc/bionic/fortify.cpp, Visual C++ gs_report.c.
//   - Sanitizers. Sources: compiler-rt/lib/{asan,tsan,msan,ubsan,hwasan,gwp_asan}.
//   - Allocators that report damage. Sources: glibc malloc/malloc.c; Apple's libmalloc (malloc_printf.c); scudo
//     (compiler-rt/lib/scudo/standalone/report.cpp); ntdll's symbols; jemalloc; Chromium's partition_alloc; musl's mallocng.
//   - Virtual functions without a body. Sources: the Itanium C++ ABI, 3.2.6; Visual C++ purevirt.cpp.
//   - No memory left. Sources: Chromium base/process/memory.cc and partition_alloc/oom.cc, V8 src/api/api.cc, Mozilla memory/mozalloc,
//     Rust library/alloc, Electron and Node node_errors.cc.
//   - Rust's handler of SIGSEGV, which aborts if the address is in the guard page of a stack. Source: library/std/src/sys/pal/unix/stack_overflow.rs.
//   - Rust, without std::panicking::try, which is below main and below each thread's function. Source: library/std/src/panicking.rs
//     and library/core/src/panicking.rs.
//   - Go. Sources: src/runtime/panic.go and src/runtime/signal_unix.go.
//   - Swift. Sources: stdlib/public/runtime/Errors.cpp, stdlib/public/core/AssertCommon.swift.
//   - Virtual machines of Java and Android. Sources: HotSpot src/hotspot/share/utilities/vmError.cpp and debug.cpp, ART runtime/runtime.cc.
//   - Failed assertions: of C libraries, of GLib, Qt, Chromium, glog and Abseil.
//   - Unreal. Source: Engine/Source/Runtime/Core/Private/Misc/AssertionMacros.cpp.
//   - Mozilla. Sources: mfbt/Assertions.h and mfbt/Assertions.cpp, mozalloc_abort.cpp, xpcom/base/nsDebugImpl.cpp.
//   - Objective-C. Sources: objc4 runtime/objc-exception.mm, CoreFoundation's __exceptionPreprocess.
//   - C++ exceptions. Sources: the Itanium C++ ABI, Exception Handling; libstdc++, libc++abi, Visual C++.
//
//go:embed functions.txt
var functionsText string

// functions are the rows of functions.txt.
var functions = sync.OnceValue(func() (list []meaning) {
	for line := range strings.Lines(functionsText) {
		line = strings.TrimSuffix(line, "\n")
		names, indented := strings.CutPrefix(line, " ")
		kind, text, finds := strings.Cut(line, "|")
		switch {
		case line == "":
		case indented:
			m := &list[len(list)-1]
			m.names = append(m.names, strings.Split(names, ", ")...)
		case finds:
			m := meaning{kind: Kind(kind)}
			m.text, m.why, _ = strings.Cut(text, "|")
			list = append(list, m)
		default:
			m := meaning{}
			for word := range strings.FieldsSeq(line) {
				m.use |= 1 << slices.Index(useWords, word)
			}
			list = append(list, m)
		}
	}
	return list
})

// endings is an index of the functions that end programs: complete names, and patterns by their first letter.
var endings = sync.OnceValue(func() (out struct {
	names    map[string]bool
	patterns map[byte][]string
}) {
	out.names, out.patterns = map[string]bool{}, map[byte][]string{}
	for _, m := range functions() {
		for _, name := range m.names {
			switch {
			case !m.is(ends):
			case strings.Contains(name, "*"):
				out.patterns[name[0]] = append(out.patterns[name[0]], name)
			default:
				out.names[name] = true
			}
		}
	}
	return out
})

func isMachinery(f *Row) bool {
	name, known := funcname.Plain(f.function()), endings()
	return name != "" && (known.names[name] || slices.ContainsFunc(known.patterns[name[0]], func(pattern string) bool { return matches(pattern, name) }))
}

// endDepth is the number of frames that are searched for the end of a program: a panic takes a dozen
// frames, and as many inlined calls.
const endDepth = 40

// reporting are the kinds of functions that explain even a fault further in. glibc walks a smashed
// stack to report it, and crashes on the overwritten data. No code of the program runs below these
// functions.
var reporting = map[Kind]bool{StackSmashed: true}

// findFunctions recognizes the functions with which programs end themselves. Names that are certain
// come first, because the others may be those of other functions.
func (s *facts) findFunctions() []candidate {
	if certain := s.findEnd(true); certain != nil {
		return certain
	}
	if near := s.findEnd(false); near != nil {
		return near
	}
	return s.findScanned()
}

// noReturn are functions that never return: whatever returned into one of them is still on the stack of a program that ended itself. The C
// library of a static program by musl has no unwind tables, so that its frames are found by scanning.
var noReturn = []string{"__assert_fail", "__assert2", "__stack_chk_fail", "__cxa_pure_virtual", "std::__glibcxx_assert_fail"}

// findScanned recognizes such a function in a program that raised SIGABRT, by a word of the stack.
func (s *facts) findScanned() []candidate {
	if s.Event.Signal != sigABRT || s.Event.Kind != Raised {
		return nil
	}
	for i := range s.in.Frames[:min(len(s.in.Frames), endDepth)] {
		f := &s.in.Frames[i]
		if !f.Guess || !f.certain() || s.isSystem(f) || !slices.Contains(noReturn, s.plainName(i)) {
			continue
		}
		list := functions()
		m := &list[slices.IndexFunc(list, func(m meaning) bool {
			return m.kind != "" && slices.ContainsFunc(m.names, func(pattern string) bool { return matches(pattern, s.plainName(i)) })
		})]
		return explanation(Finding{Kind: m.kind, Text: m.text, Confidence: 0.9, Evidence: compact(s.said(m.kind), m.why,
			fmt.Sprintf("A return into `%s`, which never returns, was found by scanning the stack.", f.name()))})
	}
	return nil
}

// findEnd recognizes such functions by certain names, or by the others. If the processor refused an
// access, functions further out are no explanation: destructors run under std::terminate, too.
func (s *facts) findEnd(certain bool) []candidate {
	for i := range functions() {
		m := &functions()[i]
		if m.kind == "" || s.fault.memory && !(certain && reporting[m.kind]) {
			continue
		}
		f := s.frameOf(m, endDepth, certain)
		if f == nil {
			continue
		}
		title, why := s.endOfThrow(m)
		kind, said := m.kind, s.said(m.kind)
		if kind == Panic {
			if end := s.goEnd(); end != nil {
				kind, title, why = end.kind, end.title, end.why
			}
		}
		if m.kind == OutOfMemory {
			said = cmp.Or(said, s.rustAllocation())
		}
		if kind == Panic {
			said = join(said, s.goFault())
		}
		evidence := []string{said, why, onStack(f) + "."}
		if !certain {
			evidence[1] = "" // what the function would mean
		}
		if m.kind == PureVirtual {
			evidence[0] = join(evidence[0], s.pureClass())
		}
		evidence = compact(evidence...)
		found := s.thrown(Finding{Kind: kind, Text: title, Confidence: 1, Evidence: evidence})
		if !certain {
			found.Text, found.Confidence = "Probably: "+found.Text, nearStrength
		}
		return explanation(found)
	}
	return nil
}

// nearStrength is the confidence of a finding that rests on a name that is not certain.
const nearStrength = 0.7

func onStack(f *Row) string {
	text := fmt.Sprintf("`%s` is on the stack", f.name())
	if !f.certain() {
		text += ", and the name may be that of another function"
	}
	return text
}

// frameThat returns the innermost frame of the first function in the table that proves something,
// by certain names or by the others, or nil.
func (s *facts) frameThat(u use, depth int, certain bool) *Row {
	for i := range functions() {
		if m := &functions()[i]; m.is(u) {
			if f := s.frameOf(m, depth, certain); f != nil {
				return f
			}
		}
	}
	return nil
}

// frameOf returns the innermost frame of the first of a meaning's functions among the given number
// of frames, by certain names or by the others, or nil.
func (s *facts) frameOf(m *meaning, depth int, certain bool) *Row {
	if i := s.rowOf(m, depth, certain); i >= 0 {
		return &s.in.Frames[i]
	}
	return nil
}

// rowOf returns the index of the row of frameOf, or -1.
func (s *facts) rowOf(m *meaning, depth int, certain bool) int {
	for _, pattern := range m.names {
		for i := range s.in.Frames[:min(len(s.in.Frames), depth)] {
			f := &s.in.Frames[i]
			if f.Guess && i > 0 && f.Inline == nil {
				break // a scanned word proves nothing
			}
			if f.certain() == certain && matches(pattern, s.plainName(i)) {
				return i
			}
		}
	}
	return -1
}

// plainName caches the plain name of a frame, because it is compared with more than a hundred
// patterns. Frames are requested from the innermost on.
func (s *facts) plainName(i int) string {
	for n := len(s.plain); n <= i; n++ {
		s.plain = append(s.plain, funcname.Plain(s.in.Frames[n].function()))
	}
	return s.plain[i]
}

// matches compares a name with a pattern: a '*' matches any text, at the end or once in between.
func matches(pattern, name string) bool {
	if name == "" || pattern == "" || pattern[0] != '*' && pattern[0] != name[0] {
		return false // most pairs, and a row of a report is compared with each pattern
	}
	head, tail, star := strings.Cut(pattern, "*")
	switch {
	case !star:
		return name == pattern
	case !strings.HasPrefix(name, head):
		return false
	}
	return strings.Contains(name[len(head):], strings.TrimSuffix(tail, "*"))
}
