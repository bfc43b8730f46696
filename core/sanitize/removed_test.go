package sanitize

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/sample"
)

// A sanitized dump says nothing that the dump does not say: every byte of memory, every register and every
// number of the exception is the same, or cannot be read. So is one that is sanitized again.
func TestNothingIsInvented(t *testing.T) {
	dumps := map[string][]byte{"everything": dump.Everything(t).Build(t)}
	for name := range everyCPU {
		for _, p := range pointings {
			dumps[name+" "+p.encoding] = pointersIntoText(t, name, p)
		}
	}
	files, _ := filepath.Glob("../../../shared/corpus/real/dumps/*.dmp")
	more, _ := filepath.Glob("../../../shared/corpus/public/dumps/*/*.dmp")
	for _, path := range sample.Members(append(files, more...)) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) < 1<<20 && (bytes.HasPrefix(data, []byte("MDMP")) || bytes.HasPrefix(data, []byte("PMDM"))) {
			dumps[path] = data
		}
	}
	removed := 0
	for name, data := range dumps {
		s, err := analyze.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
		if err != nil {
			t.Fatal(name, err)
		}
		once, err := Clean(s, nil, Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		before, after := s.Process(), open(t, once.Data).Process()
		removed += compareFacts(t, name, before, after)
		twice, err := Clean(open(t, once.Data), nil, Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		again := open(t, twice.Data).Process()
		compareFacts(t, name+", sanitized twice", before, again)
		compareFacts(t, name+", sanitized twice, after the first time", after, again)
	}
	if removed < len(dumps) {
		t.Errorf("of %d dumps only %d facts are missing", len(dumps), removed)
	}
}

// compareFacts returns the number of bytes, registers and numbers of the exception that are missing afterwards.
func compareFacts(t *testing.T, name string, before, after *process.Process) (missing int) {
	for _, r := range after.Memory.Ranges() {
		was, is := make([]byte, r.Size), make([]byte, 1)
		was = was[:before.Memory.Read(r.Base, was)]
		for i, b := range was {
			if after.Memory.Read(r.Base+uint64(i), is) == 0 {
				missing++
			} else if is[0] != b {
				t.Fatalf("%s: the byte at %#x was %#x and is %#x", name, r.Base+uint64(i), b, is[0])
			}
		}
	}
	for i := range min(len(before.Threads), len(after.Threads)) {
		was, is := before.Threads[i].Registers, after.Threads[i].Registers
		if was == nil || is == nil {
			continue
		}
		for r, v := range was.Regs.All() {
			if now, ok := is.Regs.Get(r); !ok {
				missing++
			} else if now != v {
				t.Errorf("%s: register %s of thread %d was %#x and is %#x", name, was.Arch.RegName(r), i, v, now)
			}
		}
		for _, float := range []string{"xmm0", "v0", "d0", "f0", "st0"} {
			old, _ := was.Float(float)
			if now, ok := is.Float(float); ok && !bytes.Equal(old, now) {
				t.Errorf("%s: register %s of thread %d was %x and is %x", name, float, i, old, now)
			}
		}
	}
	b, a := before.Event, after.Event
	if b == nil || a == nil {
		return missing
	}
	if a.Removed {
		missing++
	} else if a.Address != b.Address {
		t.Errorf("%s: the address was %#x and is %#x", name, b.Address, a.Address)
	}
	for i, v := range a.Parameters {
		if v != b.Parameters[i] {
			t.Errorf("%s: parameter %d was %#x and is %#x", name, i, b.Parameters[i], v)
		}
	}
	return missing
}

// Files of earlier versions have no list of what was removed. They are read as they are.
func TestWithoutList(t *testing.T) {
	r, err := Clean(open(t, pointersIntoText(t, "amd64", pointings[0])), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(r.Data, binary.LittleEndian.AppendUint32(nil, uint32(minidump.RemovedDataStream)))
	if at < 0 {
		t.Fatal("there is no list")
	}
	clear(r.Data[at : at+4]) // an unused stream
	p := open(t, r.Data).Process()
	if p.Memory.Placeholders() != nil || p.Threads[0].Registers.Removed != 0 {
		t.Error("a file without a list lacks memory or registers")
	}
	if v, ok := p.Memory.Word(stackBase+0x110, 8); !ok {
		t.Errorf("a word is %#x, %v", v, ok)
	}
}

// removedList is the place of the list of what was removed.
func removedList(f *minidump.File) minidump.Location {
	for _, s := range f.Streams() {
		if s.Type == minidump.RemovedDataStream {
			return s.Location
		}
	}
	return minidump.Location{}
}

// A text in the register of the failed access is removed. The verdict stays, and names no byte.
func TestRemovedPointer(t *testing.T) {
	for text, want := range map[uint64]string{
		0x4847_4645_4443_4241: "Text used as a pointer", // ABCDEFGH
		0xfb47_4645_4443_42ff: "Invalid pointer read",   // with bytes that are no text
	} {
		b := dump.New().System(dump.AMD64, dump.Linux, "")
		b.Module(dump.Module{Base: appBase, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3)})
		b.Stream(0x47670009, asm.At(0).Text(fmt.Sprintf("%x-%x r-xp 0 00:00 0 /opt/app\n", appBase, appBase+0x1000)))
		b.Memory(appBase, []byte{0x8b, 0x43, 8, 0xc3}) // mov eax, [rbx+8]
		ctx := b.Context(t, dump.AMD64, map[string]uint64{"rip": appBase, "rsp": stackBase, "rbx": text})
		b.Thread(dump.Thread{ID: 1, StackBase: stackBase, Stack: make([]byte, 64), Context: ctx})
		b.Exception(dump.Exception{Thread: 1, Code: 11, Flags: 0x80, Context: ctx})
		r, err := Clean(open(t, b.Build(t)), nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		after, err := open(t, r.Data).Report(nil, analyze.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := json.Marshal(after)
		if err != nil {
			t.Fatal(err)
		}
		if after.Verdict.What != want || bytes.Contains(all, []byte("2a2a2a")) || bytes.Contains(all, []byte("***")) || len(after.CrashInfo.PossibleBitFlips) > 0 {
			t.Errorf("%#x: %s; the report is %s", text, after.Verdict.What, all)
		}
	}
}
