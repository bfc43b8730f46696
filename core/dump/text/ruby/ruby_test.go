package ruby

import (
	"strings"
	"testing"

	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

const example = "dock.rb:5:in `rescue in <main>': no\nmore ships (Dock::Full)\n\tfrom dock.rb:1:in `<main>'\ndock.rb:1:in `slot': slot 3 is full (IndexError)\n\tfrom dock.rb:2:in `moor'\n\t ... 9 levels...\n\tfrom dock.rb:3:in `<main>'\n"

func TestExceptions(t *testing.T) {
	for _, log := range []string{example, strings.ReplaceAll(example, "`", "'"), "Nov 23 05:09:58 server dock[12]: " + strings.ReplaceAll(strings.TrimSpace(example), "\n", "\nNov 23 05:09:58 server dock[12]: ") + "\n"} {
		all := textreport.Open(Family, log)
		if len(all) != 1 || len(all[0].Threads) != 2 || all[0].Subject != 0 || all[0].Problem.Kind != process.Uncaught || all[0].Problem.Text != "no more ships (Dock::Full)" {
			t.Errorf("%s: %+v", log, all)
			continue
		}
		th := all[0].Threads
		if f := th[1].Frames; len(th[0].Frames) != 2 || len(f) != 3 || f[0].Stated.Function != "slot" || f[0].Stated.File != "dock.rb" || f[2].Stated.Line != 3 ||
			th[1].Name != "slot 3 is full (IndexError)" || th[1].Role != process.Exception {
			t.Errorf("%s: %+v", log, th)
		}
	}
	turned := "Traceback (most recent call last):\n\t2: from dock.rb:3:in `<main>'\n\t1: from dock.rb:2:in `moor'\ndock.rb:1:in `slot': full (IndexError)\n"
	if all := textreport.Open(Family, turned); len(all) != 1 || len(all[0].Threads[0].Frames) != 3 || all[0].Threads[0].Frames[2].Stated.Function != "<main>" {
		t.Errorf("%+v", all)
	}
	for _, log := range []string{"a.rb:1:in `f'\n", "a.rb:1:in `f': warning (of x)\n", "x:in `f': no (Full)\n", "a.rb:1:in `f: no (Full)\n"} {
		if all := textreport.Open(Family, log); len(all) > 0 {
			t.Errorf("%q: %+v", log, all[0])
		}
	}
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, example) }
