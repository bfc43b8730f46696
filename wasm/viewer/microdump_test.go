package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"crashglass/wasm/internal/bridge"
)

// Each microdump of a log is a dump of its own, and keeps its number when the worker is replaced.
func TestMicrodumps(t *testing.T) {
	one := "F/google-breakpad( 7): -----BEGIN BREAKPAD MICRODUMP-----\n" +
		"F/google-breakpad( 7): V App:1\nF/google-breakpad( 7): O A arm 04 armv8l build\n" +
		"F/google-breakpad( 7): -----END BREAKPAD MICRODUMP-----\n"
	noise := strings.Repeat("I/other( 8): something else\n", 10_000)
	log := []byte(noise + one + noise + strings.Replace(one, "App:1", "App:2", 1))

	result := add(t, newViewer(), OpenRequest{}, file("log.txt", log))
	if len(result.Opened) != 2 || len(result.Files) != 1 || result.Files[0].Kind != "dump" || result.Files[0].Message != nil {
		t.Fatalf("%d dumps, files %+v", len(result.Opened), result.Files)
	}
	for i, name := range []string{"log.txt (1 of 2)", "log.txt (2 of 2)"} {
		o := result.Opened[i]
		version := o.Report.Annotations[1].Value
		if o.Name != name || o.Dump != i || o.Report.Dump.Kind != "microdump" || version != string(rune('1'+i)) {
			t.Errorf("%d: %s is number %d, a %s, version %s", i, o.Name, o.Dump, o.Report.Dump.Kind, version)
		}
	}

	known := newViewer().openFiles(&OpenRequest{}, []bridge.File{file("log.txt", log)}).Opened
	known[0].Dump, known[1].Dump = 5, 4
	v := newViewer()
	given := file("log.txt", log)
	result = add(t, v, OpenRequest{Next: 6, Known: known, Restores: true}, given)
	if len(result.Opened) != 2 || result.Opened[0].Dump != 5 || result.Opened[1].Dump != 4 {
		t.Errorf("after the worker: %+v", result.Opened)
	}

	for _, number := range []int{5, 4} { // the file is open as long as one of its dumps
		if _, err := given.ReadAt(make([]byte, 1), 0); err != nil {
			t.Errorf("before dump %d is closed: %v", number, err)
		}
		ask(t, v, fmt.Sprintf(`{"op":"close","dumps":[%d]}`, number))
	}
	if _, err := given.ReadAt(make([]byte, 1), 0); !errors.Is(err, bridge.ErrClosed) {
		t.Errorf("both are closed: %v", err)
	}
}
