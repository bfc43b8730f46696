package sanitizer

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

// A head is the headline of a report.
type head struct {
	column int    // where it begins in its line
	tool   string // "AddressSanitizer"
	pid    uint64 // 0 when unknown
	kind   process.ProblemKind
	text   string // what happened, in the report's words
	place  string // the source line of UndefinedBehaviorSanitizer, "" for other tools
	event  *process.Event
	os     process.OS
	access process.Access
	size   uint64
	pc     uint64 // of a fault, 0 when unknown
}

// A sign is a beginning of the text behind the tool's name, and the kind of problem that it stands for.
type sign struct {
	begins string
	kind   process.ProblemKind
}

// signs are those of all tools. asan/asan_errors.h and asan_errors.cpp; msan/msan_report.cpp; tsan/rtl/tsan_report.cpp;
// lsan/lsan_common.cpp; hwasan/hwasan_report.cpp.
var signs = []sign{
	{"heap-use-after-free", process.UseAfterFree}, {"use-after-free", process.UseAfterFree}, {"use-after-poison", process.UseAfterFree},
	{"heap-buffer-overflow", process.HeapOverflow}, {"container-overflow", process.HeapOverflow}, {"intra-object-overflow", process.HeapOverflow},
	{"allocation-tail-overwritten", process.HeapOverflow}, {"negative-size-param", process.HeapOverflow},
	{"stack-buffer-overflow", process.StackBuffer}, {"stack-buffer-underflow", process.StackBuffer}, {"dynamic-stack-buffer-overflow", process.StackBuffer},
	{"global-buffer-overflow", process.GlobalBuffer}, {"stack-use-after-return", process.UseAfterReturn}, {"stack-use-after-scope", process.UseAfterScope},
	{"attempting double-free", process.DoubleFree}, {"attempting free on address which was not malloc", process.BadFree},
	{"alloc-dealloc-mismatch", process.BadFree}, {"new-delete-type-mismatch", process.BadFree}, {"invalid-free", process.BadFree},
	{"stack-overflow", process.StackExhausted}, {"requested allocation size", process.OutOfMemory}, {"out of memory", process.OutOfMemory},
	{"allocator is out of memory", process.OutOfMemory}, {"calloc parameters overflow", process.OutOfMemory},
	{"use-of-uninitialized-value", process.Uninitialized}, {"data race", process.DataRace}, {"lock-order-inversion", process.LockOrder},
	{"unlock of an unlocked mutex", process.LockMisuse}, {"destroy of a locked mutex", process.LockMisuse}, {"double lock of a mutex", process.LockMisuse},
	{"read lock of a write locked mutex", process.LockMisuse}, {"unlock of a mutex by a wrong thread", process.LockMisuse},
	{"detected memory leaks", process.Leak}, {"tag-mismatch", process.TagMismatch},
	{"CHECK failed", process.FailedCheck}, {"timeout", process.Hang}, {"out-of-memory", process.OutOfMemory},
}

// overlaps is the end of the names of overlapping copies: "memcpy-param-overlap".
const overlaps = "-param-overlap"

// gwpMark is the first line of a report of GWP-ASan, gwpKinds are the beginnings of the line behind it.
const gwpMark = "*** GWP-ASan detected a memory error ***"

var gwpKinds = []sign{
	{"Use After Free", process.UseAfterFree}, {"Buffer Overflow", process.HeapOverflow}, {"Buffer Underflow", process.HeapOverflow},
	{"Double Free", process.DoubleFree}, {"Invalid (Wild) Free", process.BadFree},
}

// headOf reads a headline:
//
//	==29001==ERROR: AddressSanitizer: heap-use-after-free on address 0x502000000010 at pc 0x5564d7e17bcc bp 0x7ffe sp 0x7ffd
//	WARNING: ThreadSanitizer: data race (pid=29017)
//	shift.cc:6:12: runtime error: signed integer overflow: 1073741824 * 2 cannot be represented in type 'int'
//	*** GWP-ASan detected a memory error ***
func headOf(line string) (h head, ok bool) {
	if i := strings.Index(line, gwpMark); i >= 0 {
		return head{column: i, tool: "GWP-ASan"}, true
	}
	if before, said, found := strings.Cut(line, ": runtime error: "); found {
		h.column = strings.LastIndexByte(before, ' ') + 1
		h.tool, h.kind, h.text, h.place = "UndefinedBehaviorSanitizer", process.Undefined, said, before[h.column:]
		return h, placed(h.place)
	}
	for _, level := range []string{"ERROR: ", "WARNING: ", "=="} {
		before, after, found := strings.Cut(line, level)
		if _, rest, marked := strings.Cut(after, "=="); level == "==" && marked { // "==7==AddressSanitizer: CHECK failed: …"
			before, after = line[:len(line)-len(rest)], rest
		}
		tool, said, named := strings.Cut(after, ": ")
		if !found || !named || !strings.HasSuffix(tool, "Sanitizer") && tool != "libFuzzer" || strings.ContainsAny(tool, " (") {
			continue
		}
		h.column, h.tool, h.text = len(before), tool, strings.TrimSpace(said)
		if rest, pid, marked := cutPID(strings.TrimSuffix(before, " ")); marked {
			h.column, h.pid = len(rest), pid
		}
		h.classify()
		return h, true
	}
	return head{}, false
}

// placed reports whether a text is a place as UndefinedBehaviorSanitizer writes it: a source line, a module with an offset, or
// an unknown one. The runtime of Go writes "panic: runtime error: ", too. ubsan/ubsan_diag.cpp (RenderLocation).
func placed(s string) bool {
	_, line := text.Source(s)
	return line > 0 || strings.Contains(s, "+0x") || s == "<unknown>"
}

// cutPID takes "==29001==" off the end of a text.
func cutPID(s string) (before string, pid uint64, ok bool) {
	inner, closed := strings.CutSuffix(s, "==")
	before, digits, opened := text.CutLast(inner, "==")
	pid, rest, number := text.Decimal(digits)
	return before, pid, closed && opened && number && rest == ""
}

// classify finds the kind of problem, or the event.
func (h *head) classify() {
	for _, s := range signs {
		if strings.HasPrefix(h.text, s.begins) {
			h.kind = s.kind
			break
		}
	}
	name, rest, _ := strings.Cut(h.text, " ")
	if strings.HasSuffix(name, overlaps) || strings.HasSuffix(name, overlaps+":") {
		h.kind = process.Overlap
	}
	if _, pid, found := strings.Cut(h.text, "(pid="); found && h.pid == 0 {
		h.pid, _, _ = text.Decimal(pid)
		h.text = strings.TrimSpace(h.text[:strings.Index(h.text, "(pid=")])
	}
	// sanitizer_common/sanitizer_posix_libcdep.cpp and sanitizer_win.cpp (SignalContext::Describe): "SEGV", "access-violation".
	number, fault := text.Signals.Number("SIG" + name)
	code, windows := text.Exceptions.Number(strings.ToUpper(strings.ReplaceAll(name, "-", "_")))
	windows = windows && h.kind == process.OtherProblem && name == strings.ToLower(name)
	if fault || windows {
		_, at, _ := strings.Cut(rest, "on unknown address")
		addr, _, known := text.Hex(strings.TrimLeft(at, " "))
		_, pc, _ := strings.Cut(rest, "(pc ")
		h.pc, _, _ = text.Hex(pc)
		if h.event = (&process.Event{Code: number, Address: addr, NoAddress: !known}); windows {
			h.event.Code = code
		}
	}
	if h.os = process.Linux; windows {
		h.os = process.Windows
	}
	if _, pc, found := strings.Cut(rest, "(pc "); found && h.event != nil {
		h.pc, _, _ = text.Hex(pc)
	}
	if h.event != nil && !h.event.NoAddress && h.event.Address == h.pc && (name == "SEGV" || name == "BUS") {
		h.access = process.Execute // a jump: the line about the signal says READ
	}
	if at := strings.Index(h.text, " at pc 0x"); at >= 0 {
		h.text = h.text[:at]
	}
}

// cause reads what HWAddressSanitizer concludes from tags and blocks: "Cause: use-after-free". hwasan/hwasan_report.cpp (PrintAddressDescription).
func (h *head) cause(line string) bool {
	name, ok := strings.CutPrefix(line, "Cause: ")
	for _, s := range signs {
		if ok && strings.HasPrefix(name, s.begins) {
			h.kind, h.text = s.kind, name+strings.TrimPrefix(h.text, "tag-mismatch")
			return true
		}
	}
	return false
}

// gwp reads the line behind the mark of GWP-ASan: "Use After Free at 0x7fecc (0 bytes into a 41-byte
// allocation at 0x7fecc) by thread 31027 here:".
func (h *head) gwp(line string) bool {
	for _, s := range gwpKinds {
		if len(line) > len(s.begins) && strings.EqualFold(line[:len(s.begins)], s.begins) {
			h.kind, h.text = s.kind, strings.TrimSuffix(line, " here:")
			return true
		}
	}
	return false
}

// accesses are the beginnings of lines about the refused access.
var accesses = []struct {
	begins string
	access process.Access
}{
	{"READ of size ", process.Read}, {"WRITE of size ", process.Write}, {"Read of size ", process.Read}, {"Write of size ", process.Write},
	{"Atomic read of size ", process.Read}, {"Atomic write of size ", process.Write},
	{"The signal is caused by a READ memory access", process.Read}, {"The signal is caused by a WRITE memory access", process.Write},
}

func (h *head) reads(line string) bool {
	if _, rest, marked := strings.Cut(line, "=="); marked { // "==29005==The signal is caused by …"
		if _, after, ok := strings.Cut(rest, "=="); ok {
			line = after
		}
	}
	for _, a := range accesses {
		if rest, ok := strings.CutPrefix(line, a.begins); ok && h.access == process.UnknownAccess {
			h.access = a.access
			h.size, _, _ = text.Decimal(rest)
			return true
		}
	}
	return false
}
