package ruby

import (
	"strconv"
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

// An exception behind another one is its cause if that was raised in a method that rescues it: Ruby 3.1 and 3.4 write that frame in two ways.
func TestTwoPrograms(t *testing.T) {
	const (
		rescued = "a.rb:5:in `rescue in moor': no ships (RuntimeError)\n\tfrom a.rb:2:in `moor'\n\tfrom a.rb:8:in `dock'\n\tfrom a.rb:12:in `<main>'\n"
		cause   = "a.rb:1:in `slot': slot 3 is full (IndexError)\n\tfrom a.rb:3:in `moor'\n\tfrom a.rb:8:in `dock'\n\tfrom a.rb:12:in `<main>'\n"
		other   = "a.rb:1:in `slot': slot 4 is full (IndexError)\n\tfrom a.rb:13:in `<main>'\n"
		alone   = "a.rb:1:in `<main>': plain (RuntimeError)\n"
	)
	now := strings.NewReplacer("rescue in ", "", "`", "'")
	for log, want := range map[string]string{
		rescued + cause: "2", now.Replace(rescued + cause): "2", rescued + other: "1 1", now.Replace(rescued + other): "1 1",
		cause + other: "1 1", alone + cause + alone: "1 1 1", rescued + cause + other: "2 1", cause + rescued: "1 1",
	} {
		var got []string
		for _, p := range textreport.Open(Family, log) {
			got = append(got, strconv.Itoa(len(p.Threads)))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v stacks, want %s", log, got, want)
		}
	}
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, example) }
