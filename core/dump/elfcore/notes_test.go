package elfcore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/asm"
)

// Each damaged note beside what is said of it. A note costs itself: the thread that
// stands before it is there.
func TestDamagedNotes(t *testing.T) {
	k := sketch{machine: 62, word: 8}
	good := k.status(t, 77, 11, 27, nil)
	files := func(count uint64, rest string) []byte { return asm.At(0).U64(count, 0x1000).Text(rest).Build(t) }
	mapping := string(asm.At(0).U64(0x40_0000, 0x40_1000, 0).Build(t))
	for _, tt := range []struct {
		name string
		note func(n *asm.Section)
		want string // behind the offset of the note, or of what is in it
	}{
		{"nothing", func(*asm.Section) {}, ""},
		{"zeros at the end", func(n *asm.Section) { n.Zeros(32) }, ""},
		{"half a head", func(n *asm.Section) { n.U32(5, 0) }, "need 12 bytes, have 8"},
		{"contents that are missing", func(n *asm.Section) { n.U32(5, 100, 1).Text("CORE\x00\x00\x00\x00").Zeros(10) },
			"5 bytes of name and 100 of contents exceed the 18 bytes of notes that are left"},
		{"a name that is missing", func(n *asm.Section) { n.U32(0xffff_ffff, 0, 1).Zeros(8) },
			"4294967295 bytes of name and 0 of contents exceed the 8 bytes of notes that are left"},
		{"a name that is too long for a name", func(n *asm.Section) { n.U32(68, 0, 1).Zeros(68) }, ""},
		{"a kind that is not known", func(n *asm.Section) { note(n, "CORE", 0x777, []byte("????")) }, ""},
		{"another writer", func(n *asm.Section) { note(n, "GNU", 1, []byte("????")) }, ""},
		{"a thread that is too short", func(n *asm.Section) { note(n, "CORE", 1, good[:30]) }, "need 18 bytes, have 16"},
		{"a process that is too short", func(n *asm.Section) { note(n, "CORE", 3, make([]byte, 90)) }, "need 80 bytes"},
		{"a signal that is too short", func(n *asm.Section) { note(n, "CORE", noteSignal, make([]byte, 20)) }, "need 8 bytes"},
		{"files without a count", func(n *asm.Section) { note(n, "CORE", noteFiles, nil) }, "need 8 bytes"},
		{"more files than fit", func(n *asm.Section) { note(n, "CORE", noteFiles, files(9, mapping+"/a\x00")) }, "count 9 exceeds the 1 that fit"},
		{"files without names", func(n *asm.Section) { note(n, "CORE", noteFiles, files(1, mapping+"/a")) }, "the names of 1 files are missing"},
	} {
		k.notes = func(n *asm.Section) {
			note(n, "CORE", 1, good)
			tt.note(n)
		}
		data := k.build(t)
		got := strings.Join(openedNotes(t, data), "; ")
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if threads, err := open(t, data).Threads(); err != nil || len(threads) != 1 {
			t.Errorf("%s: %d threads, %v", tt.name, len(threads), err)
		}
	}
}

// What stands twice counts once: a process has one auxiliary vector and a thread
// one siginfo_t. Register notes belong to the thread before them, and ones
// before all threads to none.
func TestNotesThatStandTwice(t *testing.T) {
	k := sketch{machine: 62, word: 8}
	info := func(signal uint32) []byte { return asm.At(0).U32(signal, 0, 1, 0).Zeros(112).Build(t) }
	k.notes = func(n *asm.Section) {
		note(n, "CORE", noteSignal, info(4))
		note(n, "CORE", noteFloat, make([]byte, 512))
		note(n, "CORE", 1, k.status(t, 77, 11, 27, nil))
		note(n, "CORE", noteSignal, info(11))
		note(n, "CORE", noteSignal, info(7))
		note(n, "CORE", noteAuxv, asm.At(0).U64(6, 0x1000, 0, 0, 9, 0x99).Build(t))
		note(n, "CORE", noteAuxv, asm.At(0).U64(6, 0x4000, 0, 0).Build(t))
		note(n, "CORE", 1, k.status(t, 78, 0, 27, nil))
	}
	f := open(t, k.build(t))
	if x, err := f.Exception(); err != nil || x.Code != 11 || x.ThreadID != 77 {
		t.Errorf("exception %+v, %v", x, err)
	}
	if auxv, err := f.Auxv(); err != nil || !slices.Equal(auxv, []minidump.AuxValue{{Type: 6, Value: 0x1000}}) {
		t.Errorf("auxv %v, %v", auxv, err)
	}
	if threads, err := f.Threads(); err != nil || len(threads) != 2 || threads[1].ID != 78 {
		t.Errorf("threads %+v, %v", threads, err)
	}
}

// struct elf_prpsinfo is read from its end: on CPUs with user numbers of 2 bytes the
// process's own stands 4 bytes before. Source: Linux, include/linux/elfcore.h.
func TestProcessNote(t *testing.T) {
	for _, tt := range []struct {
		before     int
		name, line string
		want       string
		args       string
	}{
		{24, "demo", "demo --fast", "demo", "demo\x00--fast"},
		{20, "demo", "demo --fast", "demo", "demo\x00--fast"}, // 16-bit user numbers
		{24, "a-name-of-15-by", "x ", "a-name-of-15-by", "x"}, // the kernel ends the line with a blank
		{24, "sixteen-bytes-xx", "x", "sixteen-bytes-xx", "x"},
		{24, "\xff", "\xff", "\ufffd", "\ufffd"},
		{24, "", "x", "", "x"},
	} {
		k := sketch{machine: 62, word: 8}
		pad := func(text string, n int) string { return text + strings.Repeat("\x00", n-len(text)) }
		k.notes = func(n *asm.Section) {
			note(n, "CORE", 1, k.status(t, 77, 11, 27, nil))
			note(n, "CORE", 1, k.status(t, 99, 0, 27, nil))
			note(n, "CORE", 3, asm.At(0).Zeros(tt.before).U32(99, 1, 2, 3).Text(pad(tt.name, 16)+pad(tt.line, 80)).Build(t))
		}
		f := open(t, k.build(t))
		misc, err := f.MiscInfo()
		if err != nil || misc.ProcessID == nil || *misc.ProcessID != 99 {
			t.Errorf("%q: process %+v, %v", tt.name, misc, err)
		}
		if names, _ := f.ThreadNames(); names[99] != tt.want {
			t.Errorf("%q: names %v", tt.name, names)
		}
		if args, err := f.Text(minidump.LinuxCmdLineStream); err != nil || args != tt.args {
			t.Errorf("%q: arguments %q, %v; want %q", tt.name, args, err, tt.args)
		}
	}
}

// The words below the auxiliary vector, the last one first: pointers up to their
// number or to the zero that ends the vector before.
func TestSplitPointers(t *testing.T) {
	for _, tt := range []struct{ words, pointers, rest []uint64 }{
		{[]uint64{0, 30, 20, 0, 10, 1}, []uint64{20, 30}, []uint64{0, 10, 1}}, // the environment
		{[]uint64{0, 10, 1}, []uint64{10}, []uint64{1}},                       // the arguments, behind their number
		{[]uint64{0, 0, 10, 1}, []uint64{}, []uint64{0, 10, 1}},               // no environment
		{[]uint64{0, 30, 20}, nil, nil},                                       // it begins before what was captured
		{[]uint64{5, 0}, nil, nil},
		{nil, nil, nil},
	} {
		pointers, rest := splitPointers(tt.words)
		if !slices.Equal(pointers, tt.pointers) || !slices.Equal(rest, tt.rest) {
			t.Errorf("%d: %d and %d, want %d and %d", tt.words, pointers, rest, tt.pointers, tt.rest)
		}
	}
}

// Values of notes that no stream has room for, of the first thread alone.
func TestFactsOfARM64(t *testing.T) {
	k := sketch{machine: 183, word: 8}
	k.notes = func(n *asm.Section) {
		note(n, "CORE", 1, k.status(t, 77, 11, 34, nil))
		note(n, "LINUX", noteARMTLS, asm.At(0).U64(0x7f00).Build(t))
		note(n, "LINUX", noteARMPAC, asm.At(0).U64(0x7f_0000_0000_0000, 0x3f_0000_0000_0000).Build(t))
		note(n, "LINUX", noteARMTags, asm.At(0).U32(1).Build(t)) // too short
		note(n, "CORE", 1, k.status(t, 78, 0, 34, nil))
		note(n, "LINUX", noteARMTLS, asm.At(0).U64(0x8f00).Build(t))
	}
	var got []string
	for _, f := range open(t, k.build(t)).Process.Annotations {
		got = append(got, f.Name+" "+f.Value)
	}
	want := []string{"thread pointer (TLS) 0x7f00", "pointer authentication mask of data 0x7f000000000000", "pointer authentication mask of code 0x3f000000000000"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A core of a process whose linker is Android's is one of Android.
func TestAndroid(t *testing.T) {
	library := asm.At(0x50_0000).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(3, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, 1, 0, 0, 0)
	library.U32(1, 5).U64(0, 0, 0, 0x1000, 0x1000, 0x1000)
	for name, want := range map[string]minidump.Platform{
		"/system/bin/linker64":                                  minidump.PlatformAndroid,
		"/apex/com.android.runtime/lib64/bionic/libc.so":        minidump.PlatformAndroid,
		"/lib64/ld-linux-x86-64.so.2":                           minidump.PlatformLinux,
		"/home/user/system/bin/linker64":                        minidump.PlatformLinux,
		"/data/apex/com.android.runtime/lib64/bionic/libc.so.1": minidump.PlatformLinux,
	} {
		k := sketch{machine: 62, word: 8, mappings: []mapped{{library, 0x1000, 5}}}
		k.notes = func(n *asm.Section) {
			note(n, "CORE", 1, k.status(t, 77, 11, 27, nil))
			at := library.Base()
			note(n, "CORE", noteFiles, asm.At(0).U64(1, 0x1000, at, at+0x1000, 0).Text(name+"\x00").Build(t))
		}
		if sys, err := open(t, k.build(t)).SystemInfo(); err != nil || sys.Platform != want {
			t.Errorf("%s: %v, %v", name, sys, err)
		}
	}
}

// Notes about a core are bounded, and say how many are left out.
func TestManyDefects(t *testing.T) {
	k := sketch{machine: 62, word: 8}
	k.notes = func(n *asm.Section) {
		for range maxNotes + 5 {
			note(n, "CORE", noteSignal, nil)
			note(n, "CORE", noteFiles, []byte("short"))
		}
	}
	notes := openedNotes(t, k.build(t))
	if want := fmt.Sprintf("core at 0x0: %d more defects are left out", 5); len(notes) != maxNotes+1 || notes[maxNotes] != want {
		t.Errorf("%d notes, the last one %q; want %q", len(notes), notes[len(notes)-1], want)
	}
}
