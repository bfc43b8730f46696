package render

import (
	"fmt"

	"crashglass/core/report"
)

// endSentences say why a stack ends. Each is given the address, the other
// stack pointer, the function and the number that its kind has.
var endSentences = map[report.EndKind]string{
	"guessed_undefined": "the call frame information here has no caller, but a guess led here",
	"undefined":         "the call frame information here has no caller",
	"thread_start":      "%[3]s is where a thread begins",
	"zero_return":       "the return address is 0",
	"guessed_start":     "%[3]s is where a thread begins, but a guess led there",
	"chain_end":         "the chain of frames ends here, and nothing was found behind it",
	"no_return":         "no plausible return address in the words above %[1]s",
	"memory_ends":       "no plausible return address up to %[1]s, where the captured memory ends",
	"not_captured":      "stack not captured at %[1]s",
	"no_stack":          "the stack pointer is not known",
	"no_progress":       "no progress: the caller's stack pointer %[2]s does not lie above %[1]s",
	"no_code":           "no code can be at the return address %[1]s",
	"frame_limit":       "the limit of %[4]d frames is reached",
	"no_pc":             "the program counter was not saved",
	"no_cpu":            "the CPU is not known",

	report.NotWalked:      "not walked: another thread was asked for",
	report.SymbolsAwaited: "the rest waits for symbols that are being read",
	report.WroteDump:      "this thread wrote the dump; its stack is that of the crash handler",
	report.NoRegisters:    "no registers were saved for this thread",
}

// endSentence says why a stack ends, or what the report has as its Reason
// where the kind is not known.
func endSentence(e *report.End) string {
	format, ok := endSentences[e.Kind]
	if !ok {
		return e.Reason
	}
	return fmt.Sprintf(format+"%.0[1]s%.0[2]s%.0[3]s%.0[4]d", short(e.Address), short(e.To), text(e.Function), e.Limit)
}

// short is an address without the zeros in front.
func short(a *report.Address) string {
	if a == nil {
		return "?"
	}
	return fmt.Sprintf("%#x", number(*a))
}

// Sentences writes what a report says in English: the reason why each stack ends.
// JSON calls it; a program that writes reports by other means has to.
func Sentences(r *report.Report) {
	for i := range r.Threads {
		ThreadSentences(&r.Threads[i])
	}
	if r.CrashingThread != nil {
		ThreadSentences(&r.CrashingThread.Thread)
	}
}

// ThreadSentences is Sentences for one thread.
func ThreadSentences(th *report.Thread) { th.End.Reason = endSentence(&th.End) }
