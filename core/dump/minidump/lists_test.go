package minidump

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

// thread appends one MINIDUMP_THREAD with recognisable fields.
func thread(s *asm.Section, id uint32) *asm.Section {
	return s.U32(id, 1, 2, 3).U64(0x7ff0_0000).
		U64(0x8000_0000).U32(64, 0x400). // stack
		U32(716, 0x500)                  // context
}

func TestThreads(t *testing.T) {
	tests := []struct {
		name string
		in   *asm.Section
		want []uint32
		err  string
	}{
		{name: "empty", in: asm.At(0).U32(0)},
		{name: "two threads", in: thread(thread(asm.At(0).U32(2), 7), 9), want: []uint32{7, 9}},
		{name: "padded as on 64-bit ABIs", in: thread(asm.At(0).U32(1, 0), 7), want: []uint32{7}},
		{name: "bytes left over", in: thread(asm.At(0).U32(1), 7).U64(1), want: []uint32{7}},
		{name: "no count", in: asm.At(0).U16(1), err: "minidump: thread list at 0x2c: need 4 bytes, have 2"},
		{
			name: "count is a lie", in: asm.At(0).U32(0xffff_ffff).U32(make([]uint32, 300)...),
			want: make([]uint32, 25),
			err:  "minidump: thread list at 0x2c: count 4294967295 exceeds stream size 1204",
		},
		{
			name: "second thread cut", in: thread(asm.At(0).U32(2), 7).U32(9), want: []uint32{7},
			err: "minidump: thread list at 0x2c: count 2 exceeds stream size 56",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			threads, err := build(t, dump.New().Stream(3, tt.in)).Threads()
			expect.Error(t, err, tt.err)
			if len(threads) != len(tt.want) {
				t.Fatalf("%d threads, want %d", len(threads), len(tt.want))
			}
			for i, id := range tt.want {
				if threads[i].ID != id {
					t.Errorf("thread %d has ID %d, want %d", i, threads[i].ID, id)
				}
			}
		})
	}
}

func TestThreadFields(t *testing.T) {
	want := Thread{
		ID: 7, Suspend: 1, PriorityClass: 2, Priority: 3, TEB: 0x7ff0_0000,
		Stack: Range{Base: 0x8000_0000, Location: Location{RVA: 0x400, Size: 64}}, Context: Location{RVA: 0x500, Size: 716},
	}
	for _, b := range []*dump.Builder{dump.New(), dump.New().BigEndian()} {
		threads, err := build(t, b.Stream(3, thread(b.Section().U32(1), 7))).Threads()
		if err != nil || len(threads) != 1 || threads[0] != want {
			t.Errorf("threads %+v, %v, want %+v", threads, err, want)
		}
	}
}

// TestThreadExList reads Itanium's list only where there is no other.
func TestThreadExList(t *testing.T) {
	ex := thread(asm.At(0).U32(2), 7).U64(0).U32(0, 0)
	thread(ex, 9).U64(0).U32(0, 0)
	threads, err := build(t, dump.New().Stream(8, ex)).Threads()
	if err != nil || len(threads) != 2 || threads[1].ID != 9 {
		t.Errorf("threads %v, %v", threads, err)
	}
	threads, err = build(t, dump.New().Stream(8, ex).Stream(3, thread(asm.At(0).U32(1), 1))).Threads()
	if err != nil || len(threads) != 1 || threads[0].ID != 1 {
		t.Errorf("threads %v, %v", threads, err)
	}
}

// TestTruncatedList cuts a file inside its thread list, whose size the
// directory still has: the threads before the cut are there.
func TestTruncatedList(t *testing.T) {
	data := dump.New().Stream(3, thread(thread(asm.At(0).U32(0x2, 0), 7), 9)).Build(t)
	f, err := Open(source(data[:len(data)-10]))
	if err != nil {
		t.Fatal(err)
	}
	threads, err := f.Threads()
	expect.Error(t, err, "minidump: thread list at 0x2c: 104 bytes reach beyond the end of the file at 0x8a")
	if len(threads) != 1 || threads[0].ID != 7 {
		t.Errorf("threads %+v", threads)
	}
}

func TestThreadNames(t *testing.T) {
	b := dump.New().Name(1, "main").Name(2, "wörker 💥").Name(1, "again")
	names, err := build(t, b).ThreadNames()
	if err != nil || len(names) != 2 || names[1] != "again" || names[2] != "wörker 💥" {
		t.Errorf("names %v, %v", names, err)
	}
	names, err = build(t, dump.New().BigEndian().Name(3, "big")).ThreadNames()
	if err != nil || names[3] != "big" {
		t.Errorf("names %v, %v", names, err)
	}
	// One name is outside the file; the other stays.
	b = dump.New()
	good := b.Text("good")
	s := asm.At(0).U32(3, 1).U64(1 << 40).U32(2).Ref(good).U32(4).U64(1 << 63)
	names, err = build(t, b.Stream(24, s)).ThreadNames()
	expect.Error(t, err, "minidump: string at 0x10000000000: 4 bytes reach beyond the end of the file at 0x62; and 1 more defect")
	if len(names) != 1 || names[2] != "good" {
		t.Errorf("names %v", names)
	}
}

func TestText(t *testing.T) {
	tests := []struct {
		name string
		in   *asm.Section
		want string
		err  string
	}{
		{name: "text", in: asm.At(0).U32(4).UTF16("ab"), want: "ab"},
		{name: "empty", in: asm.At(0).U32(0)},
		{name: "terminator counted", in: asm.At(0).U32(6).UTF16("ab").U16(0), want: "ab"},
		{name: "odd length", in: asm.At(0).U32(5).UTF16("ab").U8(7), want: "ab"},
		{name: "half a pair", in: asm.At(0).U32(4).U16(0xd800).UTF16("b"), want: "\ufffdb"},
		{name: "the other half", in: asm.At(0).U32(4).U16(0xdc00).UTF16("b"), want: "\ufffdb"},
		{name: "half a pair at the end", in: asm.At(0).U32(4).UTF16("b").U16(0xd800), want: "b\ufffd"},
		{name: "pair", in: asm.At(0).U32(4).UTF16("💥"), want: "💥"},
		{
			name: "too long", in: asm.At(0).U32(70000).UTF16(strings.Repeat("x", 35000)), want: strings.Repeat("x", 32768),
			err: "minidump: string at 0x3c: length 70000 exceeds 65536",
		},
		{
			name: "length is a lie", in: asm.At(0).U32(0xffff_ffff).UTF16("ab"),
			err: "minidump: string at 0x40: 65536 bytes reach beyond the end of the file at 0x44",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := dump.New()
			b.Stream(24, asm.At(0).U32(1, 5).Ref(b.Extra(tt.in)))
			names, err := build(t, b).ThreadNames()
			if names[5] != tt.want {
				t.Errorf("%q, want %q", names[5], tt.want)
			}
			if tt.name == "too long" || tt.name == "length is a lie" {
				expect.Error(t, err, tt.err)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestTextAmplification points a thousand names into the same text: what is
// read stays a small multiple of the file.
func TestTextAmplification(t *testing.T) {
	const names = 1000
	b := dump.New()
	text, list := asm.At(0), asm.At(0).U32(names)
	for i := range names {
		label := fmt.Sprint("text", i)
		text.Mark(label).U32(50000)
		list.U32(uint32(i)).Ref(label)
	}
	b.Extra(text.Zeros(60000))
	data := b.Stream(24, list).Build(t)
	f, err := Open(source(data))
	if err != nil {
		t.Fatal(err)
	}
	allocated := expect.Allocated(func() { _, err = f.ThreadNames() })
	if err == nil || !strings.Contains(err.Error(), "longer than the file altogether; and ") {
		t.Errorf("error %v", err)
	}
	if allocated > 20*uint64(len(data)) {
		t.Errorf("%d bytes allocated for a file of %d", allocated, len(data))
	}
}
