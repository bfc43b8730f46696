package slice

import (
	"bytes"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/report"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// Symbols of the process below. A call in shout leads to whisper of libvoice.
const (
	appText = "MODULE Linux x86_64 0403020106050807090A0B0C0D0E0F100 app\nFILE 0 /home/jane/app.c\n" +
		"FUNC 100 40 0 shout\n100 40 7 0\nFUNC 200 40 0 main\n200 20 21 0\n220 20 22 0\nFUNC 300 40 0 scanned\n300 40 31 0\nFUNC 400 40 0 unused\n400 40 41 0\n" +
		"STACK CFI INIT 100 40 .cfa: $rsp 8 + .ra: .cfa -8 + ^\nSTACK CFI INIT 200 40 .cfa: $rsp 16 + .ra: .cfa -8 + ^\nSTACK CFI INIT 400 40 .cfa: $rsp 8 + .ra: .cfa -8 + ^\n"
	libcText = "MODULE Linux x86_64 0403020106050807090A0B0C0D0E0F200 libc.so.6\n" +
		"FUNC 500 40 0 whisper\nFUNC 600 40 0 hidden\nSTACK CFI INIT 500 40 .cfa: $rsp 8 + .ra: .cfa -8 + ^\n"
)

// process is a dump of a thread in whisper, which shout called, which main called. A word of its
// stack that is no return address lies in scanned.
func processOf(t testing.TB) *analyze.Session {
	id := func(last byte) []byte { return dump.BuildID(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, last) }
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	stack := asm.At(0x7000).U64(0x40_0110, 0x40_0224, 0x40_0308, 0).Zeros(64)
	b.Module(dump.Module{Base: 0x40_0000, Size: 0x1000, Name: "/opt/app", CodeView: id(16)})
	b.Module(dump.Module{Base: 0x50_0000, Size: 0x1000, Name: "/lib/x86_64-linux-gnu/libc.so.6", CodeView: id(32)})
	b.Thread(dump.Thread{ID: 1, StackBase: 0x7000, Stack: stack.Build(t), Context: b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x50_0510, "rsp": 0x7000})})
	data := b.Build(t)
	s, err := analyze.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func symbolsOf(t *testing.T, app, libc string) store {
	return store{t, map[string]string{"/opt/app": app, "/lib/x86_64-linux-gnu/libc.so.6": libc}, nil, map[string]int{}}
}

// A slice has the functions on the stack and those that words of it lead to; a walk with the
// slices finds the same stack.
func TestAddDump(t *testing.T) {
	s := New()
	r, err := s.Add(processOf(t), symbolsOf(t, appText, libcText))
	if err != nil {
		t.Fatal(err)
	}
	whole := Stacks(r, true, nil)
	want := "0x0000000000500510 context\nwhisper :0\n0x000000000040010f cfi\nshout /home/jane/app.c:7\n" +
		"0x0000000000400223 cfi\nmain /home/jane/app.c:22\n"
	if !strings.HasPrefix(whole[0], want) {
		t.Errorf("got  %q\nwant %q", whole[0], want)
	}
	for _, tt := range []struct {
		names     Names
		app, libc string // names of functions
	}{
		{AllNames, "shout main scanned", "whisper"},
		{OwnNames, "shout main scanned", withheld},
		{NoNames, withheld + " " + withheld + " " + withheld, withheld},
	} {
		var texts []string
		for i, m := range s.Modules() {
			var b strings.Builder
			if err := s.Write(&b, &m, tt.names); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, b.String())
			if want := []string{"MODULE Linux x86_64 0403020106050807090A0B0C0D0E0F200 libc.so.6\n",
				"MODULE Linux x86_64 0403020106050807090A0B0C0D0E0F100 app\n"}[i]; !strings.HasPrefix(b.String(), want) {
				t.Errorf("%q, want %q", b.String(), want)
			}
		}
		for i, want := range []string{tt.libc, tt.app} {
			var names []string
			for _, line := range strings.Split(texts[i], "\n") {
				if fields := strings.SplitN(line, " ", 5); fields[0] == "FUNC" {
					names = append(names, fields[4])
				}
			}
			if got := strings.Join(names, " "); got != want {
				t.Errorf("names %d of module %d: %q, want %q", tt.names, i, got, want)
			}
		}
		r, err := New().Add(processOf(t), symbolsOf(t, texts[1], texts[0]))
		if err != nil {
			t.Fatal(err)
		}
		if got := Stacks(r, tt.names == AllNames, nil); got[0] != Stacks(mustReport(t), tt.names == AllNames, nil)[0] {
			t.Errorf("names %d: the stack became %q", tt.names, got[0])
		}
	}
}

func mustReport(t *testing.T) *report.Report {
	r, err := New().Add(processOf(t), symbolsOf(t, appText, libcText))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A slice has nothing of a module whose symbols do not match, or are not there.
func TestAddDumpWithout(t *testing.T) {
	s := New()
	if _, err := s.Add(processOf(t), symbolsOf(t, appText, libcText)); err != nil || len(s.Modules()) != 2 {
		t.Errorf("%d modules, %v", len(s.Modules()), err)
	}
	none := New()
	if _, err := none.Add(processOf(t), store{t, nil, nil, map[string]int{}}); err != nil || len(none.Modules()) != 0 {
		t.Errorf("%d modules, %v", len(none.Modules()), err)
	}
	var b strings.Builder
	for _, m := range s.Modules() {
		if err := none.Write(&b, &m, AllNames); err != nil || b.Len() > 0 {
			t.Errorf("%q, %v", b.String(), err)
		}
	}
}
