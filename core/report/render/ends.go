package render

import (
	"fmt"
	"strconv"
	"strings"

	"crashglass/core/report"
)

// endSentences say why a stack ends. Names in braces stand for fields of an End.
var endSentences = map[report.EndKind]string{
	report.Undefined:        "the call frame information says that this function has no caller", // the rule of the return address is "undefined", as in _start
	report.ThreadStart:      "threads start in {function}",                                      // start_thread, RtlUserThreadStart
	report.ZeroReturn:       "the return address is 0",                                          // the mark of the outermost frame in most ABIs
	report.ShadowEnd:        "the shadow stack, which has every call that has not returned, ends here",
	report.GuessedStart:     "threads start in {function}, but a guess led there",
	report.GuessedUndefined: "the call frame information says that this function has no caller, but a guess led here",
	report.GuessedZero:      "the return address is 0, but a guess led here",
	report.ChainEnd:         "the chain of frames ends here, and no caller was found beyond it", // the frame record or back link is zero, and a scan found nothing
	report.NoReturn:         "no plausible return address in the words above {address}",
	report.MemoryEnds:       "no plausible return address up to {address}, where the captured memory ends",
	report.NotCaptured:      "stack not captured at {address}", // the stack pointer is damaged, or the writer left the stack out
	report.NoStack:          "the stack pointer is not known",
	report.NoProgress:       "no progress: the caller's stack pointer {to} does not lie above {address}", // damaged frame records form a loop
	report.NoCode:           "no code can be at the return address {address}",                            // the caller jumped into data
	report.FrameLimit:       "the frame limit of {limit} is reached",                                     // an endless recursion, or a limit that the user set
	report.NoPC:             "the file does not have the program counter",
	report.NoCPU:            "the CPU is not known", // the dump names a CPU that has no unwinder
	report.NotWalked:        "not walked: another thread was requested",
	report.SymbolsAwaited:   "the other frames need symbols that are still being read",            // a report that is shown before all symbols are read
	report.WroteDump:        "this thread wrote the dump; its stack is that of the crash handler", // Breakpad's handler has a thread of its own
	report.NoRegisters:      "the file does not have the registers of this thread",
	report.RuntimeStart:     "the first call in the runtime's list",
	report.RuntimeCut:       "the next call in the runtime's list is damaged or not captured",
	report.FileStates:       "the file states these frames, and no further ones",
}

// endSentence says why a stack ends. For an unknown kind it returns the report's Reason.
func endSentence(e *report.End) string {
	sentence, ok := endSentences[e.Kind]
	if !ok {
		return e.Reason
	}
	values := strings.NewReplacer("{address}", short(e.Address), "{to}", short(e.To), "{function}", text(e.Function), "{limit}", strconv.Itoa(e.Limit))
	return values.Replace(sentence)
}

// unfinished says how a stack ends that is not known to be complete, in the page's words.
func unfinished(th *report.Thread) string {
	last := len(th.Frames) - 1
	if th.End.Kind == report.GuessedStart || th.End.Kind == report.GuessedUndefined || last >= 0 && isGuess(&th.Frames[last]) {
		return "Ends at a guess"
	}
	return "Cut short"
}

// short returns an address without leading zeros.
func short(a *report.Address) string {
	if a == nil {
		return "?"
	}
	return fmt.Sprintf("%#x", number(*a))
}

// Sentences fills in the English sentences of a report: the reason why each stack ends, what each
// thread waits for, the origin of the bad pointer, and the next steps. JSON calls it. A program that writes reports by other means
// must call it, too.
func Sentences(r *report.Report) {
	for i := range r.Threads {
		ThreadSentences(&r.Threads[i])
		if w := r.Threads[i].Waits; w != nil {
			w.Text = waitSentence(r, w)
		}
	}
	for i := range r.Tasks {
		r.Tasks[i].End.Reason = endSentence(&r.Tasks[i].End)
	}
	if r.CrashingThread != nil {
		ThreadSentences(&r.CrashingThread.Thread)
	}
	for i := range r.CrashInfo.Origin {
		r.CrashInfo.Origin[i].Text = originSentence(&r.CrashInfo.Origin[i])
	}
	for i := range r.NextSteps {
		r.NextSteps[i].Text = nextSentence(&r.NextSteps[i])
	}
}

// ThreadSentences is Sentences for one thread.
func ThreadSentences(th *report.Thread) { th.End.Reason = endSentence(&th.End) }
