package analyze

import (
	"bytes"
	"strings"
	"testing"

	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/core/report/triage"
	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// nearAbort is a process with SIGABRT behind the symbol of abort, and a thread behind that of poll. The symbols state no sizes.
func nearAbort(t *testing.T, work symbolize.Location) *report.Report {
	const app, libc, stack, other = 0x40_0000, 0x7f00_0000, 0x7fff_0000, 0x7ffe_0000
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	crashed := b.Context(t, dump.AMD64, map[string]uint64{"rip": libc + 0x118, "rsp": stack, "rbp": stack + 0x10})
	waits := b.Context(t, dump.AMD64, map[string]uint64{"rip": libc + 0x410, "rsp": other, "rbp": other})
	words := asm.At(stack).U64(0, 0).Mark("work").Ref("main").U64(app+0x118).Mark("main").U64(0, app+0x220, 0, 0)
	b.Thread(dump.Thread{ID: 12, Name: "main", StackBase: stack, Stack: words.Build(t), Context: crashed})
	b.Thread(dump.Thread{ID: 11, Name: "waits", StackBase: other, Stack: asm.At(other).U64(0, 0).Build(t), Context: waits})
	b.Module(dump.Module{Base: app, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)})
	b.Module(dump.Module{Base: libc, Size: 0x1000, Name: "/lib/libc.so.6", CodeView: dump.BuildID(2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)})
	b.Exception(dump.Exception{Thread: 12, Code: 6, Flags: 0xffff_fffa, Context: crashed})
	r, err := Dump(source(b.Build(t)), fakeSymbols{
		"app": {work, {Function: "main", Start: 0x200, Size: 0x100, File: "main.c", Line: 9}},
		"libc.so.6": {
			{Function: "abort", Start: 0x100, Size: 0x100, Public: true},
			{Function: "poll", Start: 0x400, Size: 0x100, Public: true},
		},
	}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A name that may be another function's is marked by every output, or left out, and proves nothing.
func TestUncertainNameInEveryOutput(t *testing.T) {
	r := nearAbort(t, symbolize.Location{Function: "work", Start: 0x100, Size: 0x100, Public: true})
	if r.Verdict.What != "Abort signal (SIGABRT)" || r.Verdict.Finding != "abort" || r.Verdict.Confidence == nil || *r.Verdict.Confidence >= 0.8 {
		t.Errorf("the verdict is %+v", r.Verdict)
	}
	if deref(r.Verdict.Where) != "~ work" || !strings.Contains(r.Verdict.Detail, "`~ abort`") || strings.Contains(r.Verdict.Detail, "`abort`") {
		t.Errorf("the verdict is in %s: %s", deref(r.Verdict.Where), r.Verdict.Detail)
	}
	if got := deref(r.CrashInfo.NoAddress); got != "SIGABRT" {
		t.Errorf("there is no address because of %s", got)
	}
	for _, b := range r.Verdict.Badges {
		if text := b.Text + strings.Join(b.Evidence, ""); strings.Contains(text, "`abort`") || strings.Contains(text, "`work`") || strings.HasSuffix(b.Text, ": work") {
			t.Errorf("a finding states a name: %+v", b)
		}
	}
	if got := deref(r.SocorroSignature); got != "~ abort | ~ work" {
		t.Errorf("Mozilla's signature is %q", got)
	}
	if got := deref(r.Signature); !strings.HasPrefix(got, "app@0x") {
		t.Errorf("the signature is %q", got)
	}
	for _, s := range r.NextSteps {
		if s.Function != "" && s.Function != "~ work" {
			t.Errorf("a next step states a name: %+v", s)
		}
	}
	if group := triage.Of("dump", r, triage.Own); group.Own.Values()[0] != "app!~ work" {
		t.Errorf("triage names %v", group.Own)
	}
	if th := r.Threads[1]; th.State != nil || th.Waits != nil {
		t.Errorf("a thread behind poll: %v, %+v", deref(th.State), th.Waits)
	}
	forms := map[string]func(*bytes.Buffer) error{
		"text":     func(w *bytes.Buffer) error { return render.Text(w, r, render.Options{}) },
		"Markdown": func(w *bytes.Buffer) error { return render.Markdown(w, r, render.Options{}) },
		"HTML":     func(w *bytes.Buffer) error { return render.HTML(w, r, render.Options{}) },
	}
	for name, form := range forms {
		var w bytes.Buffer
		if err := form(&w); err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer("<code>", "`", "</code>", "`").Replace(w.String())
		if !strings.Contains(text, "~ work") || !strings.Contains(text, "~ abort") ||
			strings.Contains(text, "`work`") || strings.Contains(text, "`abort`") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// The name of the program's own code is certain here, and is not marked.
func TestCertainNameBehindAnUncertainOne(t *testing.T) {
	r := nearAbort(t, symbolize.Location{Function: "work", Start: 0x100, Size: 0x100, File: "work.c", Line: 7})
	if deref(r.Verdict.Where) != "work" || deref(r.Signature) != "app!work" || triage.Of("dump", r, triage.Own).Own.Values()[0] != "app!work" {
		t.Errorf("%s, %s, %v", deref(r.Verdict.Where), deref(r.Signature), triage.Of("dump", r, triage.Own).Own)
	}
}
