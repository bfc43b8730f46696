package main

import (
	"bytes"
	"testing"

	"crashglass/wasm/internal/bridge"
)

// The warm-up must leave no dump, no symbol file and no message to the page.
func TestWarmLeavesNothing(t *testing.T) {
	files := append(allSymbols(t), exampleFile(t, "crash.dmp"))
	fresh := ask(t, newViewer(), `{"op":"open","next":1,"known":[]}`, exampleFile(t, "crash.dmp"))

	v := newViewer()
	for _, with := range [][]bridge.File{files, nil, nil} {
		told := func(json []byte) error {
			t.Errorf("the page is told %s", json)
			return nil
		}
		answer, err := v.handle(bridge.Request{JSON: []byte(`{"op":"warm"}`), Files: with, Progress: told})
		if err != nil || answer.Bytes != nil {
			t.Errorf("warm = %+v, %v", answer, err)
		}
		if n := bytes.Count(answer.JSON, []byte(`"name":"crash.dmp"`)); n != min(1, len(with)) {
			t.Errorf("%d dumps are told of: %.200s", n, answer.JSON)
		}
	}
	if len(v.dumps) != 0 {
		t.Errorf("%d dumps are open", len(v.dumps))
	}
	if warmed := ask(t, v, `{"op":"open","next":1,"known":[]}`, exampleFile(t, "crash.dmp")); !bytes.Equal(warmed.JSON, fresh.JSON) {
		t.Errorf("after it a dump is answered with\n%s\nwant\n%s", warmed.JSON, fresh.JSON)
	}
}
