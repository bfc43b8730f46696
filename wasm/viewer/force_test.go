package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/report"
	"crashglass/wasm/internal/bridge"
)

// TestForce names a module by mismatched symbols, in both dumps that have it, and turns this off
// again. The frames are the same in every case.
func TestForce(t *testing.T) {
	v := newViewer()
	other := file("desk.sym", []byte("MODULE Linux x86_64 00000000000000000000000000000000A desk\nFUNC 0 ffffff 0 likely_wrong\nSTACK CFI INIT 0 ffffff .cfa: $rsp 8 + .ra: .cfa 8 - ^\n"))
	refused := add(t, v, OpenRequest{Next: 1}, exampleFile(t, "crash.dmp"), other, exampleFile(t, "crash.dmp")).Opened
	module := slices.IndexFunc(refused[0].Report.Modules, func(m report.Module) bool { return m.CodeFile == "desk" })
	if s := refused[0].Report.Modules[module].Symbols; s == nil || s.State != "wrong_build" || !s.Forcible {
		t.Fatalf("desk has %+v", s)
	}
	for _, use := range []bool{true, false} {
		request := fmt.Sprintf(`{"op":"force","dump":1,"module":%d,"use":%t}`, module, use)
		if got := string(ask(t, v, request).JSON); got != `{"again":[1,2]}` {
			t.Errorf("answer %s", got)
		}
		for _, dump := range []int{1, 2} {
			r, err := v.report(dump, &ReportRequest{})
			if err != nil {
				t.Fatal(err)
			}
			now, before := r.Opened[0].Report.CrashingThread.Frames, refused[0].Report.CrashingThread.Frames
			if len(now) != len(before) {
				t.Fatalf("%d frames, before it %d", len(now), len(before))
			}
			for i := range now {
				inDesk := now[i].Module != nil && *now[i].Module == "desk"
				named := now[i].Function != nil && *now[i].Function == "likely_wrong"
				if now[i].Offset != before[i].Offset || now[i].Trust != before[i].Trust || named != (inDesk && use) || now[i].UsedAnyway != named {
					t.Errorf("use %v: frame %d is %s by %s, named %v, marked %v", use, i, now[i].Offset, now[i].Trust, named, now[i].UsedAnyway)
				}
			}
		}
	}
	for request, want := range map[string]string{
		`{"op":"force","dump":3}`:             "viewer: dump 3 is not open",
		`{"op":"force","dump":1,"module":-1}`: "viewer: module -1: the dump has ",
		`{"op":"force","dump":1,"module":99}`: "viewer: module 99: the dump has ",
	} {
		if _, err := v.handle(bridge.Request{JSON: []byte(request)}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", request, err, want)
		}
	}
}
