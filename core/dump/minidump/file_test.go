package minidump

import (
	"bytes"
	"errors"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump/format"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

func header(count uint32) *asm.Section {
	return asm.At(0).Text("MDMP").U32(0xa793, count, 32, 0, 77).U64(2)
}

func TestOpen(t *testing.T) {
	tests := []struct {
		name   string
		in     []byte
		err    string
		damage string
		want   []Stream
	}{
		{name: "empty file", in: nil, err: "minidump: header at 0x0: need 4 bytes, have 0"},
		{name: "three bytes", in: []byte("MDM"), err: "minidump: header at 0x0: need 4 bytes, have 3"},
		{name: "text", in: []byte("hello world"), err: "minidump: header at 0x0: signature 0x6c6c6568 is not MDMP"},
		{name: "small signature", in: []byte{1, 0, 0, 0}, err: "minidump: header at 0x0: signature 0x00000001 is not MDMP"},
		{name: "cut header", in: header(0).Build(t)[:20], err: "minidump: header at 0x14: need 4 bytes, have 0"},
		{name: "no streams", in: header(0).Build(t)},
		{name: "one stream", in: header(1).U32(7, 5, 6).Build(t), want: []Stream{{SystemInfoStream, Location{RVA: 6, Size: 5}}}},
		{
			name: "duplicate, unused and unknown entries",
			in:   header(4).U32(7, 1, 2, 0, 0, 0, 7, 3, 4, 0xbeef, 9, 9).Build(t),
			want: []Stream{
				{SystemInfoStream, Location{RVA: 2, Size: 1}}, {UnusedStream, Location{}},
				{SystemInfoStream, Location{RVA: 4, Size: 3}}, {0xbeef, Location{RVA: 9, Size: 9}},
			},
		},
		{
			name: "count is a lie", in: header(0xffff_ffff).U32(7, 5, 6).U32(1).Build(t),
			want:   []Stream{{SystemInfoStream, Location{RVA: 6, Size: 5}}},
			damage: "minidump: directory at 0x8: count 4294967295 exceeds the 1 entries that fit in the file",
		},
		{
			name: "count without a directory", in: header(3).U32(1, 2).Build(t),
			err: "minidump: directory at 0x8: count 3 exceeds the 0 entries that fit in the file",
		},
		{
			name: "directory elsewhere", in: asm.At(0).Text("MDMP").U32(0xa793, 1, 0x1000, 0, 0).U64(0).Build(t),
			err: "minidump: directory at 0x1000: lies beyond the end of the file at 0x20",
		},
		{
			name: "another version", in: asm.At(0).Text("MDMP").U32(0x1234_5678, 0, 0, 0, 0).U64(0).Build(t),
			damage: "minidump: header at 0x4: version 0x5678 is not 0xa793",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Open(source(tt.in))
			expect.Error(t, err, tt.err)
			if err != nil {
				return
			}
			expect.Error(t, f.Damage(), tt.damage)
			if got := f.Streams(); len(got) != len(tt.want) {
				t.Fatalf("streams %v, want %v", got, tt.want)
			}
			for i, s := range f.Streams() {
				if s != tt.want[i] {
					t.Errorf("stream %d is %v, want %v", i, s, tt.want[i])
				}
			}
		})
	}
}

func TestHeader(t *testing.T) {
	f := build(t, dump.New().Time(77).Flags(0x1_0000_0002).Version(0x61b1_a793))
	want := Header{Signature: format.Signature, Version: 0x61b1_a793, Directory: 32, Time: 77, Flags: 0x1_0000_0002}
	if f.Header() != want {
		t.Errorf("header %+v, want %+v", f.Header(), want)
	}
	f = build(t, dump.New().BigEndian().Time(77).Flags(0x1_0000_0002))
	want = Header{Signature: format.Signature, Version: 0xa793, Directory: 32, Time: 77, Flags: 0x1_0000_0002, BigEndian: true}
	if f.Header() != want {
		t.Errorf("big-endian header %+v, want %+v", f.Header(), want)
	}
}

// TestReadError distinguishes a failing disk from a damaged file.
func TestReadError(t *testing.T) {
	_, err := Open(bin.NewSource(failing{}, 100))
	expect.Error(t, err, "minidump: header at 0x0: reading failed: page at 0x0: reading failed: out of order")
}

type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, errors.New("out of order") }

// TestDuplicates: of several entries the readable one is used, and of two readable ones the later.
func TestDuplicates(t *testing.T) {
	data := dump.New().Stream(0x99, asm.At(0).Text("one")).Stream(0x99, asm.At(0).Text("two")).
		Entry(0x99, 50, 1<<30).
		Entry(0x98, 4, 1<<30).Entry(0x98, 5, 1<<29).Build(t)
	f, err := Open(source(data))
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[StreamType]int{0x99: 1, 0x98: 4} {
		if i, ok := f.Used(kind); !ok || i != want {
			t.Errorf("entry %d, %v of stream %s is used, want %d", i, ok, kind, want)
		}
	}
	got, err := f.Stream(0x99)
	if err != nil || string(got) != "two" {
		t.Errorf("stream is %q, %v", got, err)
	}
	got, err = f.Stream(0x98)
	expect.Error(t, err, "minidump: stream 0x98 at 0x20000000: lies beyond the end of the file at 0x63")
	if len(got) != 0 {
		t.Errorf("stream outside the file is %q", got)
	}
}

func TestStream(t *testing.T) {
	data := header(2).U32(0x99, 6, 56, 10, 0, 0x7fff_ffff).Text("abcd").Build(t)
	f, err := Open(source(data))
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Stream(0x99)
	expect.Error(t, err, "minidump: stream 0x99 at 0x38: 6 bytes reach beyond the end of the file at 0x3c")
	if !bytes.Equal(got, []byte("abcd")) {
		t.Errorf("cut stream is %q", got)
	}
	if got, err = f.Stream(CommentAStream); err != nil || len(got) != 0 {
		t.Errorf("empty stream is %q, %v", got, err)
	}
	_, err = f.Stream(ThreadListStream)
	expect.Error(t, err, "minidump: thread list: no such stream")
	if !errors.Is(err, ErrNoStream) {
		t.Error("an absent stream is not ErrNoStream")
	}
	got, err = f.Bytes("stack", Location{RVA: 57, Size: 2})
	if err != nil || string(got) != "bc" {
		t.Errorf("bytes %q, %v", got, err)
	}
	_, err = f.Bytes("stack", Location{RVA: 1 << 63, Size: 2})
	expect.Error(t, err, "minidump: stack at 0x8000000000000000: lies beyond the end of the file at 0x3c")
}

func TestStreamNames(t *testing.T) {
	tests := []struct {
		kind       StreamType
		name, what string
	}{
		{ThreadListStream, "ThreadList", "thread list"},
		{Memory64ListStream, "Memory64List", "64-bit memory list"},
		{CommentAStream, "CommentA", "comment a"},
		{LinuxCPUInfoStream, "LinuxCpuInfo", "linux cpu info"},
		{0xface_dead, "FacebookAbortReason", "facebook abort reason"},
		{0x8001, "CeSystemInfo", "ce system info"},
		{0xbeef, "stream 0xbeef", "stream 0xbeef"},
	}
	for _, tt := range tests {
		if tt.kind.String() != tt.name || tt.kind.what() != tt.what {
			t.Errorf("%#x is %q, %q", uint32(tt.kind), tt.kind.String(), tt.kind.what())
		}
	}
	if name := StreamType(0xbeef).Name(); name != "" {
		t.Errorf("unknown type has the name %q", name)
	}
}
