package analyze

import (
	"encoding/json"
	"testing"

	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/core/stack/unwind"
)

// kinds are all reasons for which a walk ends: String knows no others.
func kinds() (all []unwind.EndKind) {
	defer func() { _ = recover() }()
	for k := unwind.Undefined; ; k++ {
		_ = k.String()
		all = append(all, k)
	}
}

// Every end of a walk becomes one of a report, with a sentence.
func TestEnds(t *testing.T) {
	tests := []struct {
		end  unwind.End
		want string
	}{
		{unwind.End{Kind: unwind.Undefined}, `{"complete":true,"kind":"undefined","reason":"the call frame information says that this function has no caller"}`},
		{unwind.End{Kind: unwind.ThreadStart, Function: "_start"},
			`{"complete":true,"kind":"thread_start","function":"_start","reason":"threads start in _start"}`},
		{unwind.End{Kind: unwind.ZeroReturn}, `{"complete":true,"kind":"zero_return","reason":"the return address is 0"}`},
		{unwind.End{Kind: unwind.ShadowEnd, Address: 0x8000},
			`{"complete":true,"kind":"shadow_end","address":"0x00008000","reason":"the shadow stack, which has every call that has not returned, ends here"}`},
		{unwind.End{Kind: unwind.GuessedStart, Function: "clone"},
			`{"complete":false,"kind":"guessed_start","function":"clone","reason":"threads start in clone, but a guess led there"}`},
		{unwind.End{Kind: unwind.GuessedUndefined},
			`{"complete":false,"kind":"guessed_undefined","reason":"the call frame information says that this function has no caller, but a guess led here"}`},
		{unwind.End{Kind: unwind.GuessedZero}, `{"complete":false,"kind":"guessed_zero","reason":"the return address is 0, but a guess led here"}`},
		{unwind.End{Kind: unwind.ChainEnd}, `{"complete":false,"kind":"chain_end","reason":"the chain of frames ends here, and no caller was found beyond it"}`},
		{unwind.End{Kind: unwind.NoReturn, Address: 0x7f10},
			`{"complete":false,"kind":"no_return","address":"0x00007f10","reason":"no plausible return address in the words above 0x7f10"}`},
		{unwind.End{Kind: unwind.MemoryEnds, Address: 0x8000},
			`{"complete":false,"kind":"memory_ends","address":"0x00008000","reason":"no plausible return address up to 0x8000, where the captured memory ends"}`},
		{unwind.End{Kind: unwind.NotCaptured, Address: 0}, `{"complete":false,"kind":"not_captured","address":"0x00000000","reason":"stack not captured at 0x0"}`},
		{unwind.End{Kind: unwind.NoStack}, `{"complete":false,"kind":"no_stack","reason":"the stack pointer is not known"}`},
		{unwind.End{Kind: unwind.NoProgress, Address: 0x7f10, To: 0x7f00},
			`{"complete":false,"kind":"no_progress","address":"0x00007f10","to":"0x00007f00","reason":"no progress: the caller's stack pointer 0x7f00 does not lie above 0x7f10"}`},
		{unwind.End{Kind: unwind.NoCode, Address: 0x20}, `{"complete":false,"kind":"no_code","address":"0x00000020","reason":"no code can be at the return address 0x20"}`},
		{unwind.End{Kind: unwind.FrameLimit, Address: 2}, `{"complete":false,"kind":"frame_limit","limit":2,"reason":"the frame limit of 2 is reached"}`},
		{unwind.End{Kind: unwind.NoPC}, `{"complete":false,"kind":"no_pc","reason":"the file does not have the program counter"}`},
		{unwind.End{Kind: unwind.NoCPU}, `{"complete":false,"kind":"no_cpu","reason":"the CPU is not known"}`},
	}
	a := &analysis{Session: &Session{width: 4}}
	for i, kind := range kinds() {
		if i >= len(tests) || tests[i].end.Kind != kind {
			t.Fatalf("%s is not tested", kind)
		}
		th := report.Thread{End: a.end(&tests[i].end)}
		render.ThreadSentences(&th)
		got, err := json.Marshal(th.End)
		if err != nil || string(got) != tests[i].want {
			t.Errorf("%s, %v\nwant %s", got, err, tests[i].want)
		}
	}
}
