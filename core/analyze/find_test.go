package analyze

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/report"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/kerneldump"
)

func withMemory(t *testing.T, runs map[uint64][]byte) *Session {
	t.Helper()
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	for base, data := range runs {
		b.Memory(base, asm.At(base).Bytes(data).Build(t))
	}
	s, err := Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCaptured(t *testing.T) {
	s := withMemory(t, map[uint64][]byte{0x9000: make([]byte, 8), 0x1000: make([]byte, 8), 0x1008: make([]byte, 8)})
	want := []CapturedRange{{"0x0000000000001000", "0x0000000000000010"}, {"0x0000000000009000", "0x0000000000000008"}}
	if got := s.Captured(); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if got := withMemory(t, nil).Captured(); got == nil || len(got) != 0 {
		t.Errorf("without memory: %#v", got)
	}
}

func TestFind(t *testing.T) {
	big := make([]byte, MaxRead+64)
	copy(big[MaxRead-2:], "edge") // across two blocks
	top := ^uint64(0) - 3         // the last bytes of the address space
	s := withMemory(t, map[uint64][]byte{0x1000: []byte("aXaaX"), 0x9000: []byte("X"), 0x100_0000: big, top: []byte("last")})
	tests := []struct {
		pattern string
		from    uint64
		want    string
	}{
		{"X", 0, "[0x1001 0x1004 0x9000]"},
		{"X", 0x1002, "[0x1004 0x9000]"},
		{"aa", 0, "[0x1002]"},
		{"XX", 0, "[]"}, // not from one run into another
		{"edge", 0, fmt.Sprintf("[%#x]", 0x100_0000+MaxRead-2)},
		{"last", 0, fmt.Sprintf("[%#x]", top)},
		{"", 0, "[]"},
		{string(make([]byte, MostPattern+1)), 0, "[]"},
	}
	for _, tt := range tests {
		found := s.Find([]byte(tt.pattern), tt.from)
		var got []uint64
		for _, a := range found.Addresses {
			var v uint64
			fmt.Sscanf(string(a), "0x%x", &v)
			got = append(got, v)
		}
		if text := fmt.Sprintf("%#x", got); text != tt.want || found.Next != nil {
			t.Errorf("%.10q from %#x: %s, next %v; want %s", tt.pattern, tt.from, text, found.Next, tt.want)
		}
	}
}

// Many matches are returned in consecutive parts.
func TestFindGoesOn(t *testing.T) {
	s := withMemory(t, map[uint64][]byte{0x1000: bytes.Repeat([]byte("x"), MostFound+3)})
	first := s.Find([]byte("x"), 0)
	if len(first.Addresses) != MostFound || first.Next == nil {
		t.Fatalf("%d places, next %v", len(first.Addresses), first.Next)
	}
	var from uint64
	fmt.Sscanf(string(*first.Next), "0x%x", &from)
	if rest := s.Find([]byte("x"), from); len(rest.Addresses) != 3 || rest.Next != nil {
		t.Errorf("then %v, next %v", rest.Addresses, rest.Next)
	}
}

// A full dump of the kernel is searched through its page tables, also across pages that are apart in the file.
func TestFindByPageTables(t *testing.T) {
	a := &cpu.AMD64
	m := kerneldump.NewMemory(kerneldump.Four)
	text := bytes.Repeat([]byte("."), 2*kerneldump.PageSize)
	copy(text[kerneldump.PageSize-3:], "needle")
	m.Write(0x7000, 0x20, []byte("needle of a program"))
	m.Write(kerneldump.High(a, 0x5000), 0x10, text)
	m.Map(kerneldump.High(a, 0x9000), 0x999, 0) // a page that the dump lacks
	m.Write(kerneldump.High(a, 0x4000_0000), 0x30, []byte("a needle"))
	d := kerneldump.Dump{Layout: &cpu.ContextAMD64, Type: 1, Code: 0xe2, Root: m.Root, Regs: kerneldump.At(a, 1, 1)}
	d.Runs, d.Body = m.Full()
	all, err := OpenAll(source(d.Build()))
	if err != nil {
		t.Fatal(err)
	}
	s := all[0]
	want := []report.Address{"0x0000000000007000", "0xffff800000005ffd", "0xffff800040000002"}
	if found := s.Find([]byte("needle"), 0); !slices.Equal(found.Addresses, want) || found.Next != nil {
		t.Errorf("%+v, want %v", found, want)
	}
	if found := s.Find([]byte("needle"), kerneldump.High(a, 0x5ffe)); !slices.Equal(found.Addresses, want[2:]) {
		t.Errorf("from an address on: %+v", found)
	}
	if got := s.Captured(); len(got) != 1 || got[0].Base != "0x0000000000000000" || got[0].Size != "0xffffffffffffffff" {
		t.Errorf("captured %+v", got)
	}
}
