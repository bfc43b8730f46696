package elfcore

import (
	"bytes"
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/asm"
)

// The view is a minidump whose memory is in the core, so that the bytes of a mapping are read from there.
func TestViewOfCore(t *testing.T) {
	k := sketch{machine: 62, word: 8}
	k.notes = func(n *asm.Section) { note(n, "CORE", 1, k.status(t, 77, 11, 27, map[int]uint64{19: 0x20_0100})) }
	k.mappings = []mapped{{data: asm.At(0x20_0000).Zeros(0x100).Text("the stack").Zeros(0x100 - 9), size: 0x200, flags: 6}}
	data := k.build(t)
	f := open(t, data)
	m, err := f.Memory()
	if err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 9)
	if n := m.Read(0x20_0100, p); string(p[:n]) != "the stack" {
		t.Errorf("memory %q", p[:n])
	}
	copy(data[bytes.Index(data, []byte("the stack")):], "the queue") // the view keeps no copy
	m, _ = open(t, data).Memory()
	if n := m.Read(0x20_0100, p); string(p[:n]) != "the queue" {
		t.Errorf("memory %q", p[:n])
	}
	if threads, err := f.Threads(); err != nil || threads[0].Stack.Size == 0 {
		t.Errorf("threads %+v, %v", threads, err)
	}
}

// Files that begin like a core and are none.
func TestIs(t *testing.T) {
	core := (&sketch{machine: 62, word: 8}).build(t)
	change := func(at int, v byte) []byte {
		data := bytes.Clone(core)
		data[at] = v
		return data
	}
	for name, tt := range map[string]struct {
		data []byte
		want bool
	}{
		"a core":                        {data: core, want: true},
		"its first 18 bytes":            {data: core[:18], want: true},
		"its first 17 bytes":            {data: core[:17]},
		"nothing":                       {},
		"another signature":             {data: change(0, 0x7e)},
		"a class that is none":          {data: change(4, 3)},
		"an order that is none":         {data: change(5, 3)},
		"a program (ET_EXEC)":           {data: change(16, 2)},
		"a library (ET_DYN)":            {data: change(16, 3)},
		"a type with a second byte":     {data: change(17, 1)},
		"a core with another version":   {data: change(6, 9), want: true},
		"a core of an unknown computer": {data: change(18, 0xff), want: true},
	} {
		if got := Is(source(tt.data)); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// The sentence names a CPU of Linux that Crashglass does not walk.
func TestOtherMachines(t *testing.T) {
	for _, tt := range []struct {
		core sketch
		want string
	}{
		{sketch{machine: 258, word: 8}, "machine 258 (loongarch) with addresses of 8 bytes is none whose stacks can be walked"},
		{sketch{machine: 4, word: 4, big: true}, "machine 4 (m68k) with addresses of 4 bytes is none whose stacks can be walked"},
		{sketch{machine: 43, word: 8, big: true}, "machine 43 (sparc64) with addresses of 8 bytes is none whose stacks can be walked"},
		{sketch{machine: 9999, word: 8}, "machine 9999 (unknown) with addresses of 8 bytes is none whose stacks can be walked"},
		{sketch{machine: 183, word: 4}, "machine 183 (unknown) with addresses of 4 bytes is none whose stacks can be walked"},
	} {
		_, err := Open(source(tt.core.build(t)))
		if want := "elfcore: header at 0x12: " + tt.want; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Texts of the kernel's structures end at a NUL, and bytes that are no UTF-8 are replaced.
func TestTexts(t *testing.T) {
	for in, want := range map[string]string{"demo\x00rest": "demo", "demo": "demo", "\x00": "", "": "", "a\xffb": "a\ufffdb"} {
		if got := untilNUL([]byte(in)); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"/lib/a.so":                     "/lib/a.so",
		"/lib/a.so (deleted)":           "/lib/a.so",
		"/lib/a (deleted).so":           "/lib/a (deleted).so",
		"/lib/a.so (deleted) (deleted)": "/lib/a.so (deleted)",
		"/lib/\xff":                     "/lib/\ufffd",
	} {
		if got := mappedName([]byte(in)); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// The facts of the notes are in the streams that later packages read.
func TestDumpedProcess(t *testing.T) {
	f := open(t, coreFile(t))
	if args, err := f.CommandLine(); err != nil || strings.Join(args, "|") != "demo|--fast" {
		t.Errorf("arguments %q, %v", args, err)
	}
	if misc, err := f.MiscInfo(); err != nil || misc.ProcessID == nil || *misc.ProcessID != 0x1234 {
		t.Errorf("process %+v, %v", misc, err)
	}
	if sys, err := f.SystemInfo(); err != nil || sys.Platform != minidump.PlatformLinux || sys.Processor != minidump.ProcessorAMD64 {
		t.Errorf("system %+v, %v", sys, err)
	}
}
