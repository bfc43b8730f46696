package write

import (
	"bytes"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/expect"
)

// Other readers use numbers that ours does not need: sizes of lists, lengths of records, terminators.
// The expectations are the structures of minidumpapiset.h.
func TestWriteBytes(t *testing.T) {
	for name, tt := range map[string]struct {
		write func(w *Writer) minidump.StreamType
		want  *asm.Section
	}{
		"MINIDUMP_TOKEN_INFO_LIST has its size, its entries and the sizes of both headers": {
			func(w *Writer) minidump.StreamType {
				w.Tokens([]minidump.Token{{ID: 7, Handle: 8, Data: []byte("abcd")}, {ID: 9}})
				return minidump.TokenStream
			},
			asm.At(0).U32(16+20+16, 2, 16, 16).U32(20, 7).U64(8).Text("abcd").U32(16, 9).U64(0),
		},
		"MINIDUMP_FUNCTION_TABLE_STREAM without tables is its header": {
			func(w *Writer) minidump.StreamType {
				w.FunctionTables(nil)
				return minidump.FunctionTableStream
			},
			asm.At(0).U32(24, 32, 0, 0, 0, 0),
		},
		"MINIDUMP_MEMORY64_LIST without ranges has the offset 0": {
			func(w *Writer) minidump.StreamType {
				w.Memory64List(nil)
				return minidump.Memory64ListStream
			},
			asm.At(0).U64(0, 0),
		},
		"a stability report without counters of the system has no message of the system": {
			func(w *Writer) minidump.StreamType {
				w.StabilityReport(&minidump.StabilityReport{Processes: []minidump.StabilityProcess{{ID: 5}}})
				return minidump.StabilityReportStream
			},
			asm.At(0).Text("\x12\x02\x18\x05"), // field 2 of length 2: field 3 is 5
		},
		"a text with one quote is not quoted": {
			func(w *Writer) minidump.StreamType {
				w.LinuxProcStatus([]minidump.KeyValue{{Key: "a", Value: `"x`}, {Key: "b", Value: `x"`}, {Key: "c", Value: `"`}, {Key: "d", Value: `""`}})
				return minidump.LinuxProcStatusStream
			},
			asm.At(0).Text("a:\t\"x\nb:\tx\"\nc:\t\"\nd:\t\"\"\"\"\n"),
		},
		"the name of each mapping begins at column 73": {
			func(w *Writer) minidump.StreamType {
				w.LinuxMaps([]process.Mapping{
					{Base: 0x1000, End: 0x2000, Access: "r--p", Device: "08:01", Inode: 1, Name: "/a"},
					{Base: 0x7fff_0000_1000, End: 0x7fff_0000_2000, Access: "r-xp", Device: "08:01", Inode: 23, Name: "/b"},
				})
				return minidump.LinuxMapsStream
			},
			asm.At(0).Text("00001000-00002000 r--p 00000000 08:01 1                                  /a\n" +
				"7fff00001000-7fff00002000 r-xp 00000000 08:01 23                         /b\n"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := New(minidump.Header{})
			number := tt.write(w)
			got, err := written(t, w).Stream(number)
			expect.Error(t, err, "")
			if want := tt.want.Build(t); !bytes.Equal(got, want) {
				t.Errorf("wrote\n% x, want\n% x", got, want)
			}
		})
	}
}

// A MINIDUMP_STRING has its length in bytes, and a terminator that the length does not count.
func TestWriteText(t *testing.T) {
	w := New(minidump.Header{})
	at := w.Text("aü")
	if got, want := w.data[at:], asm.At(0).U32(4).U16('a', 'ü', 0).Build(t); !bytes.Equal(got, want) {
		t.Errorf("wrote % x, want % x", got, want)
	}
}

// IMAGE_DEBUG_MISC of winnt.h: the type, the length of the whole record, no Unicode, the name.
func TestWriteDebugMisc(t *testing.T) {
	w := New(minidump.Header{})
	if got, want := w.debugMisc("x.dbg"), asm.At(0).U32(1, 18, 0).Text("x.dbg\x00").Build(t); !bytes.Equal(got, want) {
		t.Errorf("wrote % x, want % x", got, want)
	}
	if got := w.debugMisc(""); got != nil {
		t.Errorf("a module without one has % x", got)
	}
}

// The header's flags are 64 bits, most of them without a name.
func TestWriteFlags(t *testing.T) {
	const flags = 0xf1f2_f3f4_f5f6_f7f8
	if got := written(t, New(minidump.Header{Flags: flags})).Header().Flags; got != flags {
		t.Errorf("flags %#x, want %#x", uint64(got), uint64(flags))
	}
}

// A writer that is forked leaves the first one as long as it was.
func TestWriteFork(t *testing.T) {
	w := New(minidump.Header{})
	w.CommentA("one")
	fork := w.Fork()
	fork.CommentA("a second comment, which only the fork has")
	if f := written(t, fork); len(f.Streams()) != 2 {
		t.Errorf("the fork has %d streams", len(f.Streams()))
	}
	if f := written(t, w); len(f.Streams()) != 1 {
		t.Errorf("the first writer has %d streams", len(f.Streams()))
	}
}

// The first version of MINIDUMP_MISC_INFO that has a field is written, though the flags of the field are clear.
func TestWriteMiscVersions(t *testing.T) {
	one := uint32(1)
	for name, tt := range map[string]struct {
		misc minidump.MiscInfo
		size uint64
	}{
		"only times":      {minidump.MiscInfo{Flags: 3, Times: &minidump.ProcessTimes{User: 1}}, 24},
		"only process id": {minidump.MiscInfo{Flags: 3, ProcessID: &one}, 24},
		"only a cookie":   {minidump.MiscInfo{Flags: 0x200, Cookie: &one}, 1364},
	} {
		w := New(minidump.Header{})
		w.wholeMiscInfo(&tt.misc)
		if size := written(t, w).Streams()[0].Size; size != tt.size {
			t.Errorf("%s: %d bytes, want %d", name, size, tt.size)
		}
	}
}
