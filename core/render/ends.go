package render

import (
	"fmt"
	"strconv"
	"strings"

	"crashglass/core/report"
)

// endSentences say why a stack ends. Names in braces stand for what an End has.
var endSentences = map[report.EndKind]string{
	"undefined":         "the call frame information here has no caller",
	"thread_start":      "{function} is where a thread begins",
	"zero_return":       "the return address is 0",
	"guessed_start":     "{function} is where a thread begins, but a guess led there",
	"guessed_undefined": "the call frame information here has no caller, but a guess led here",
	"chain_end":         "the chain of frames ends here, and nothing was found behind it",
	"no_return":         "no plausible return address in the words above {address}",
	"memory_ends":       "no plausible return address up to {address}, where the captured memory ends",
	"not_captured":      "stack not captured at {address}",
	"no_stack":          "the stack pointer is not known",
	"no_progress":       "no progress: the caller's stack pointer {to} does not lie above {address}",
	"no_code":           "no code can be at the return address {address}",
	"frame_limit":       "the limit of {limit} frames is reached",
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
	sentence, ok := endSentences[e.Kind]
	if !ok {
		return e.Reason
	}
	values := strings.NewReplacer("{address}", short(e.Address), "{to}", short(e.To), "{function}", text(e.Function), "{limit}", strconv.Itoa(e.Limit))
	return values.Replace(sentence)
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
