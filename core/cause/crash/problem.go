package crash

import (
	"fmt"
	"slices"
	"strings"

	"crashglass/core/process"
)

// A Stack is another stack of a report, with its role.
type Stack struct {
	Role   process.Role
	Frames []Row
}

// problems are the words for what reports say went wrong.
var problems = map[process.ProblemKind]struct {
	kind Kind
	text string
}{
	process.OtherProblem: {Sanitizer, "Error"}, process.UseAfterFree: {Sanitizer, "Use after free"}, process.HeapOverflow: {Sanitizer, "Heap buffer overflow"},
	process.StackBuffer: {Sanitizer, "Overflow of a buffer on the stack"}, process.GlobalBuffer: {Sanitizer, "Overflow of a global buffer"},
	process.UseAfterReturn: {Sanitizer, "Use of a local variable after its function returned"},
	process.UseAfterScope:  {Sanitizer, "Use of a local variable after the end of its scope"},
	process.DoubleFree:     {Sanitizer, "Double free"}, process.BadFree: {Sanitizer, "Invalid free"},
	process.StackExhausted: {StackOverflow, "Stack overflow"}, process.Overlap: {Sanitizer, "Copy between overlapping ranges"},
	process.Uninitialized: {Sanitizer, "Use of an uninitialized value"}, process.DataRace: {Sanitizer, "Data race"},
	process.LockOrder: {Locking, "Locks taken in different orders"}, process.LockMisuse: {Locking, "Misuse of a lock"},
	process.Leak: {Sanitizer, "Memory leak"}, process.Undefined: {Sanitizer, "Undefined behavior"}, process.TagMismatch: {Tag, "Memory tag mismatch"},
	process.OutOfMemory: {OutOfMemory, "Out of memory"}, process.FailedCheck: {Asserted, "Failed check"},
	process.Panic: {Panic, "Panic"}, process.Uncaught: {Thrown, "Uncaught exception"},
	process.Deadlock: {Hang, "Deadlock"}, process.Hang: {Hang, "Hang"}, process.Killed: {Resource, "Killed by the system"},
	process.Sample: {OnRequest, "Sample of a running program"}, process.Printed: {OnRequest, "Stack that the program printed"},
}

// speaks are the problems whose own words are the headline, if they are short.
var speaks = map[process.ProblemKind]bool{process.OtherProblem: true, process.Panic: true, process.Deadlock: true, process.Killed: true}

const maxHeadline = 160

var accessWords = map[process.Access]string{process.Read: "read", process.Write: "write", process.Execute: "execution"}

func (s *facts) findProblem() []candidate {
	p := s.in.Problem
	if p == nil {
		return nil
	}
	row, known := problems[p.Kind]
	if !known {
		return nil
	}
	f := Finding{Kind: row.kind, Text: row.text, Confidence: 1}
	if word := accessWords[p.Access]; word != "" {
		f.Text += ": " + word
		if p.Size > 0 {
			f.Text += fmt.Sprintf(" of %s", plural(p.Size, "byte"))
		}
	}
	said := p.Text
	if speaks[p.Kind] && said != "" && len(said) <= maxHeadline {
		f.Text += ": " + said
	} else if said != "" {
		f.Evidence = append(f.Evidence, fmt.Sprintf("The report says: %s", sentenceOf(said)))
	}
	f.Evidence = append(f.Evidence, s.in.otherStacks()...)
	return statement(f)
}

func plural(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// roleWords are the beginnings of sentences about other stacks.
var roleWords = map[process.Role]string{
	process.Freed: "The memory was freed in ", process.Allocated: "The memory was allocated in ", process.Previous: "The other access was in ",
	process.Stored: "The value was stored in ", process.Declared: "The variable belongs to ", process.Exception: "The exception was thrown in ",
}

// otherStacks says what the other stacks of a report show, each role once.
func (in *Input) otherStacks() (out []string) {
	seen := map[process.Role]bool{}
	for _, stack := range in.Stacks {
		words := roleWords[stack.Role]
		i := in.ownOf(stack.Frames)
		if words == "" || seen[stack.Role] || i < 0 || stack.Frames[i].function() == "" {
			continue
		}
		seen[stack.Role] = true
		out = append(out, words+stack.Frames[i].place()+".")
	}
	return out
}

// ownOf returns the first frame of a stack that is the program's, or else the first that is not part of a
// sanitizer's runtime; -1 for none.
func (in *Input) ownOf(frames []Row) int {
	of := *in
	of.Frames = frames
	from := -1
	for i := range frames {
		if !inRuntime(&frames[i]) && !(i == 0 && intercepts(frames)) {
			from = i
			break
		}
	}
	if from < 0 {
		return -1
	}
	return max(from, firstOwn(&of, from))
}

// These are the beginnings of the names of sanitizers' libraries and functions, and of the functions that
// they replace in a program that they are linked into. compiler-rt/lib/sanitizer_common/sanitizer_common_interceptors.inc
var (
	sanitizerModules   = []string{"libasan", "libtsan", "libubsan", "liblsan", "libhwasan", "libclang_rt."}
	sanitizerFunctions = []string{
		"__interceptor_", "___interceptor_", "__asan_", "__tsan_", "__msan_", "__ubsan_", "__lsan_", "__hwasan_", "__sanitizer_", "fuzzer::", "operator new", "operator delete",
	}
	replaced = []string{
		"malloc", "calloc", "realloc", "free", "memcpy", "memmove", "memset", "strcpy", "strncpy", "strcat", "strdup", "strlen", "posix_memalign", "aligned_alloc",
	}
)

// inRuntime reports whether a frame is part of a sanitizer's runtime.
func inRuntime(r *Row) bool {
	name := r.function()
	begins := func(text string, list []string) bool {
		return slices.ContainsFunc(list, func(begin string) bool { return strings.HasPrefix(text, begin) })
	}
	return begins(r.module(), sanitizerModules) || begins(name, sanitizerFunctions) || slices.Contains(replaced, name)
}

// intercepts reports whether the first frame is that of a function which the runtime replaces: "pthread_mutex_lock". A runtime that is linked into the
// program has no source lines, and its caller in the same module has one.
func intercepts(frames []Row) bool {
	if len(frames) < 2 || frames[0].module() == "" || frames[0].module() != frames[1].module() || strings.ContainsAny(frames[0].function(), ":(.") {
		return false
	}
	_, first := frames[0].source()
	_, second := frames[1].source()
	return first == 0 && second > 0
}

// reported is the verdict on a report that states a problem and no event of the system.
func reported(in *Input, a *Analysis) Result {
	cause := causeOf(a)
	r := Result{Frame: -1, What: cause.Text, Crashed: in.Problem.Kind.Ends(), Badges: badges(a)}
	r.Detail = strings.Join(cause.Evidence, " ")
	if i := in.ownOf(in.Frames); i >= 0 {
		f := &in.Frames[i]
		r.Frame, r.At, r.Guess = i, f.sourceLine(), f.Guess
		if f.function() != "" || f.address() != 0 {
			r.Where = f.name()
		}
	}
	return r
}
