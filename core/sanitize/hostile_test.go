package sanitize

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/write"
)

// lying is a dump whose memory list and directory refer to the same few bytes with a secret
// thousands of times. Half of the ranges are the stacks of a thread each.
func lying(t *testing.T) []byte {
	w := write.New(minidump.Header{})
	bytesOfAll := append([]byte(planted[0]+"\x00"), bytes.Repeat([]byte{0x7f}, 64<<10)...)
	at := w.Put(bytesOfAll)
	var ranges []minidump.Range
	var threads []minidump.Thread
	for i := range uint64(8000) {
		r := minidump.Range{Base: 0x10_0000_0000 + i<<20, Location: at}
		ranges = append(ranges, r)
		if i%2 == 0 {
			threads = append(threads, minidump.Thread{ID: uint32(i + 1), Stack: r})
		}
	}
	w.MemoryList(ranges)
	w.Threads(threads)
	data, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	old := data[binary.LittleEndian.Uint32(data[12:]):]
	const extra = 5000
	binary.LittleEndian.PutUint32(data[12:], uint32(len(data)))
	binary.LittleEndian.PutUint32(data[8:], 2+extra)
	data = append(data, old[:24]...)
	for i := range uint32(extra) {
		for _, v := range []uint32{0x7000 + i, uint32(len(bytesOfAll)), uint32(at.RVA)} {
			data = binary.LittleEndian.AppendUint32(data, v)
		}
	}
	return data
}

// TestSameBytesOften cleans a dump that has 500 MB of memory in 600 KB of file:
// each byte is looked through once, and no more is written than there is.
func TestSameBytesOften(t *testing.T) {
	data := lying(t)
	r, _ := clean(t, data, Options{Memory: true})
	if n := len(r.Secrets); n == 0 || n > 200 {
		t.Errorf("%d secrets", n)
	}
	if len(r.Data) > 3*len(data) {
		t.Errorf("%d bytes became %d", len(data), len(r.Data))
	}
}

// TestManyHomes has a folder of a person in each of many lines.
func TestManyHomes(t *testing.T) {
	w := write.New(minidump.Header{})
	w.Stream(minidump.LinuxMapsStream, []byte(strings.Repeat("0-1 r-xp 0 0 0 /home/eve/x\n", 30000)))
	data, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	r, _ := clean(t, data, Options{})
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	if len(r.People) != 1 || bytes.Contains(r.Data, []byte("eve")) {
		t.Errorf("people %q", r.People)
	}
}

// TestDamagedBreakpadInfo has a stream that says which thread wrote the dump and
// is longer than the file, so that the thread is walked: it still is afterwards.
func TestDamagedBreakpadInfo(t *testing.T) {
	data := crash(t, stack(nil, nil)).Breakpad(1, 1).Build(t) // the thread of the crash
	dir := data[binary.LittleEndian.Uint32(data[12:]):]
	for ; binary.LittleEndian.Uint32(dir) != uint32(minidump.BreakpadInfoStream); dir = dir[12:] {
	}
	binary.LittleEndian.PutUint32(dir[4:], 1<<30)
	r, f := clean(t, data, Options{})
	if len(r.Changed) > 0 || f.Has(minidump.BreakpadInfoStream) {
		t.Errorf("changed: %q", r.Changed)
	}
}
