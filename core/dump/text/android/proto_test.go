package android

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// message builds a message of pairs of a number and a value: an int, a text, or bytes.
func message(pairs ...any) (out []byte) {
	for i := 0; i < len(pairs); i += 2 {
		number := uint64(pairs[i].(int))
		switch v := pairs[i+1].(type) {
		case int:
			out = binary.AppendUvarint(binary.AppendUvarint(out, number<<3), uint64(v))
		case string:
			out = append(binary.AppendUvarint(binary.AppendUvarint(out, number<<3|2), uint64(len(v))), v...)
		case []byte:
			out = append(binary.AppendUvarint(binary.AppendUvarint(out, number<<3|2), uint64(len(v))), v...)
		}
	}
	return out
}

const fingerprint = "google/oriole/oriole:14/UP1A:user/release-keys"

func frameMessage(rel, pc int, function, file string) []byte {
	return message(1, rel, 2, pc, 4, function, 5, 8, 6, file, 8, "85c4d31c0a04d35daa0c1023fe3aec59")
}

// tombstoneMessage is a tombstone with a second thread before the one that crashed.
func tombstoneMessage() []byte {
	crashed := message(1, 4301, 2, "GLThread 33", 3, message(1, "x0", 2, 4), 3, message(1, "pc", 2, 0x7a2c0044d4),
		4, frameMessage(0x44d4, 0x7a2c0044d4, "Sprite::area()", "/data/app/base.apk!libengine.so"), 4, frameMessage(0x10, 0x7b00000010, "Engine.run", "/data/app/oat/base.odex"),
		5, message(1, "x0", 3, 0x1000, 4, []byte{1, 2, 3, 4}))
	other := message(1, 4242, 4, frameMessage(0x20, 0x7a2d000020, "poll", "/system/lib64/libc.so"))
	heap := message(3, 11, 4, frameMessage(0x30, 0x7a2d000030, "malloc", "/system/lib64/libc.so"), 5, 12, 6, frameMessage(0x40, 0x7a2d000040, "free", "/system/lib64/libc.so"))
	return message(1, 1, 2, fingerprint, 3, "0", 4, "2026-03-02 10:11:12", 5, 4242, 6, 4301, 9, "com.example.game",
		10, message(1, 11, 3, 1, 8, 1, 9, 4), 15, message(1, "use after free", 2, message(2, 1, 3, heap)),
		16, message(1, 4242, 2, other), 16, message(1, 4301, 2, crashed), 20, 17)
}

func source(data []byte) bin.Source { return bin.NewSource(bytes.NewReader(data), int64(len(data))) }

func TestProto(t *testing.T) {
	all, found, err := OpenProto(source(tombstoneMessage()))
	if !found || err != nil || len(all) != 1 {
		t.Fatalf("%t, %v", found, err)
	}
	p := all[0]
	if e := p.Event; e.Code != 11 || e.Flags != 1 || e.Address != 4 || e.NoAddress ||
		p.Lacks.Has(process.SignalCode) || *p.PID != 4242 || *p.Uptime != 17 || p.Arch != &cpu.ARM64 || len(p.Notes) > 0 {
		t.Fatalf("%+v, %v", e, p.Notes)
	}
	if len(p.Threads) != 4 || p.Subject != 0 || p.Threads[0].ID != 4301 || p.Threads[0].Name != "GLThread 33" ||
		p.Threads[2].Role != process.Freed || p.Threads[3].Role != process.Allocated || p.Threads[3].ID != 11 {
		t.Fatalf("%+v", p.Threads)
	}
	if p.Problem.Kind != process.UseAfterFree {
		t.Errorf("%+v", p.Problem)
	}
	f := p.Threads[0].Frames
	if len(f) != 2 || f[0].Instruction != 0x7a2c0044d4 || !f[0].Interrupted ||
		f[0].Stated.Module != "libengine.so" || f[0].Stated.Offset != 8 || f[1].Stated.Function != "Engine.run" {
		t.Errorf("%+v", f)
	}
	if m := p.Modules[0]; m.Base != 0x7a2c000000 || m.Offsets != module.Linked || m.CodeID != "85c4d31c0a04d35daa0c1023fe3aec59" {
		t.Errorf("%+v", m)
	}
	if v, _ := p.Threads[0].Registers.Regs.Get(0); v != 4 {
		t.Errorf("x0 = %#x", v)
	}
	if v, ok := p.Memory.Word(0x1000, 4); !ok || v != 0x04030201 {
		t.Errorf("%#x", v)
	}
}

// A signal that a process sent has the sender where a fault has an address.
func TestSent(t *testing.T) {
	data := message(2, fingerprint, 5, 7, 6, 7, 10, message(1, 6, 3, -6, 5, 1, 6, 10123, 7, 4242), 16, message(1, 7, 2, message(1, 7)))
	all, _, _ := OpenProto(source(data))
	if e := all[0].Event; int32(e.Flags) != -6 || e.Address != 10123<<32|4242 || e.NoAddress || all[0].Arch != &cpu.ARM {
		t.Errorf("%+v", e)
	}
}

// A tombstone that is cut has what is before the cut, and a note if a field is cut.
func TestCut(t *testing.T) {
	whole := tombstoneMessage()
	ends := map[int]bool{}
	for rest := whole; len(rest) > 0; {
		_, rest, _ = bin.NextProto(rest)
		ends[len(whole)-len(rest)] = true
	}
	for n := range whole {
		all, found, err := OpenProto(source(whole[:n]))
		if found && (err != nil || len(all) != 1) {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if found && ends[n] != (len(all[0].Notes) == 0) {
			t.Errorf("%d bytes: %d notes", n, len(all[0].Notes))
		}
	}
}

// Files that begin like one.
func TestIsProto(t *testing.T) {
	for _, tt := range []struct {
		name string
		data []byte
		want bool
	}{
		{name: "whole", data: tombstoneMessage(), want: true},
		{name: "without texts", data: message(2, fingerprint, 5, 7), want: true},
		{name: "of no CPU", data: message(1, 5, 2, fingerprint, 5, 7), want: true},
		{name: "of an unknown CPU", data: message(1, 6, 2, fingerprint, 5, 7)}, {name: "nothing"}, {name: "without a process", data: message(2, fingerprint, 6, 7)},
		{name: "process 0", data: message(2, fingerprint, 5, 0)}, {name: "with two slashes", data: message(2, "a/b/c", 5, 7)}, {name: "no fingerprint", data: message(1, 1, 5, 7)},
		{name: "with control characters", data: message(2, "a/b/c/\x01", 5, 7)},
		{name: "in another order", data: message(3, "0", 2, fingerprint, 5, 7)},
		{name: "a number as text", data: message(2, 5, 5, 7)},
	} {
		if got := IsProto(tt.data); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// A masked tombstone has its stacks, and neither the user, arguments, logs, open files nor memory.
func TestProtoMask(t *testing.T) {
	data := message(2, fingerprint, 5, 7, 6, 7, 7, 10190, 9, "dock", 9, "--for=jane", 10, message(1, 11, 6, 10190), 14, "jane aborts",
		16, message(1, 7, 2, message(1, 7, 2, "jane's", 3, message(1, "x0", 2, 5), 4, message(1, 16, 6, "/data/jane/a.so"), 5, message(4, "memory"))),
		18, message(1, "log of jane"), 19, message(2, "jane.txt"), 21, message(1, "jane"))
	m := ProtoMask{func(s string) string { return strings.ReplaceAll(s, "jane", "user") }, func(v uint64) uint64 { return v + 1 }}
	want := message(2, fingerprint, 5, 7, 6, 7, 7, 0, 9, "dock", 10, message(1, 11, 6, 0), 14, "user aborts",
		16, message(1, 7, 2, message(1, 7, 2, "user's", 3, message(1, "x0", 2, 6), 4, message(1, 16, 6, "/data/user/a.so"))))
	if got := m.Mask(data); !bytes.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
	if got := m.Mask(want[:len(want)-3]); len(got) > len(want) {
		t.Errorf("a cut one became %q", got)
	}
}

func FuzzProto(f *testing.F) {
	f.Add(tombstoneMessage())
	f.Add(message(2, fingerprint, 5, 7, 10, message(1, 11))) // without threads
	f.Fuzz(func(t *testing.T, data []byte) {
		all, _, _ := OpenProto(source(data))
		for _, p := range all {
			if p.Subject >= len(p.Threads) {
				t.Errorf("%d threads, subject %d", len(p.Threads), p.Subject)
			}
		}
	})
}
