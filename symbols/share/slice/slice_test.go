package slice

import (
	"crashglass/core/testkit/symbolsource"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/symbols/formats/breakpad"
)

const whole = `MODULE Linux x86_64 0123456789ABCDEF0123456789ABCDEF0 app
FILE 0 main.cc
FILE 1 inline.h
INLINE_ORIGIN 0 outer
INLINE_ORIGIN 1 inner
FUNC 1000 100 8 first(int)
INLINE 0 7 0 0 1010 20
INLINE 1 9 1 1 1014 8
1000 10 5 0
1010 4 8 1
1014 8 3 1
101c 14 8 1
1030 d0 6 0
FUNC 2000 40 0 second
2000 40 20 0
PUBLIC 3000 0 third
FUNC 3100 10 0 fourth
PUBLIC 4000 4 fifth
STACK WIN 4 1000 100 4 0 8 0 20 0 1 $eip 4 + ^ =
STACK CFI INIT 1000 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^
STACK CFI 1001 .cfa: $rsp 16 +
STACK CFI 1008 $rbx: .cfa -16 + ^
`

// sliced is the slice of text for some addresses, without its first line.
func sliced(t *testing.T, text string, names Names, system bool, queried ...uint64) string {
	t.Helper()
	f, err := breakpad.Open(bin.NewSource(strings.NewReader(text), int64(len(text))), breakpad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := &moduleNeeds{module: module.Module{DebugFile: "/lib/app", DebugID: "AB0", Arch: "amd64"}, os: "Linux", system: system, source: symbolsource.Bare{Source: f}}
	var b strings.Builder
	if err := newContent(p, queried, names).write(&b); err != nil {
		t.Fatal(err)
	}
	rest, ok := strings.CutPrefix(b.String(), "MODULE Linux x86_64 AB0 app\n")
	if !ok {
		t.Errorf("the first line is another one:\n%s", b.String())
	}
	return rest
}

func TestSlice(t *testing.T) {
	tests := []struct {
		name    string
		queried []uint64
		want    string
	}{
		{"a line, and the rules there", []uint64{0x1004}, `FILE 0 main.cc
FUNC 1000 100 8 first(int)
1000 5 5 0
STACK CFI INIT 1004 1 .cfa: $rsp 16 + .ra: .cfa -8 + ^
STACK WIN 4 1000 100 4 0 8 0 20 0 1 $eip 4 + ^ =
`},
		{"inlined calls", []uint64{0x1016}, `FILE 0 inline.h
FILE 1 main.cc
INLINE_ORIGIN 0 outer
INLINE_ORIGIN 1 inner
FUNC 1000 100 8 first(int)
INLINE 0 7 1 0 1016 1
INLINE 1 9 0 1 1016 1
1014 3 3 0
STACK CFI INIT 1016 1 .cfa: $rsp 16 + .ra: .cfa -8 + ^ $rbx: .cfa -16 + ^
STACK WIN 4 1000 100 4 0 8 0 20 0 1 $eip 4 + ^ =
`},
		{"neighbours with the same rules", []uint64{0x2000, 0x2001}, "FILE 0 main.cc\nFUNC 2000 40 0 second\n2000 2 20 0\n"},
		{"a public symbol", []uint64{0x3004}, "PUBLIC 3000 0 third\n"},
		{"a public symbol does not reach what it did not reach before", []uint64{0x3004, 0x3180}, "FUNC 3100 10 0 fourth\nPUBLIC 3000 0 third\n"},
		{"nothing has a name there", []uint64{0x500}, "FUNC 0 1 0 " + nothing + "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := sliced(t, whole, AllNames, false, tt.queried...); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	const kept, left = "FILE 0 main.cc\nFUNC 2000 40 0 second\n2000 2 20 0\n", "FUNC 2000 40 0 <name withheld>\n"
	tests := []struct {
		names  Names
		system bool
		want   string
	}{
		{names: AllNames, system: true, want: kept}, {names: OwnNames, want: kept}, {names: OwnNames, system: true, want: left}, {names: NoNames, want: left},
	}
	for _, tt := range tests {
		if got := sliced(t, whole, tt.names, tt.system, 0x2000, 0x2001); got != tt.want {
			t.Errorf("names %d, of the system %v: got\n%s", tt.names, tt.system, got)
		}
	}
}

// Lines that overlap in the whole file do not in the slice: each address has
// the line that it had.
func TestOverlappingLines(t *testing.T) {
	text := "MODULE Linux x86_64 AB0 app\nFILE 0 a.c\nFUNC 1000 100 0 f\n1000 40 1 0\n1010 10 2 0\n"
	want := "FILE 0 a.c\nFUNC 1000 100 0 f\n1000 5 1 0\n1010 3 2 0\n1013 1e 1 0\n"
	if got := sliced(t, text, AllNames, false, 0x1004, 0x1012, 0x1030); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
