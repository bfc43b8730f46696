package sanitize

import (
	"bytes"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/kerneldump"
)

// Of any dump there is a dump that opens, of about its size, or an error.
func FuzzClean(f *testing.F) {
	f.Add(secretive(f))
	f.Add(dump.Everything(f).Build(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := analyze.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
		if err != nil {
			return
		}
		r, err := Clean(s, nil, Options{})
		if err != nil {
			return
		}
		if len(r.Data) > 8*len(data)+1<<20 {
			t.Errorf("%d bytes became %d", len(data), len(r.Data))
		}
		if _, err := minidump.Open(bin.NewSource(bytes.NewReader(r.Data), int64(len(r.Data)))); err != nil {
			t.Error(err)
		}
	})
}

// Who cannot write dumps of the kernel says which command can.
func TestKernelWithoutWriter(t *testing.T) {
	data := kerneldump.SmallDump(t, &cpu.ContextAMD64)
	all, err := analyze.OpenAll(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		t.Fatal(err)
	}
	const command = "crashglass sanitize -o small.dmp MEMORY.DMP"
	if _, err := Clean(all[0], nil, Options{}); err == nil || !strings.HasSuffix(err.Error(), command) {
		t.Error(err)
	}
	if r, err := Clean(all[0], nil, Options{Kernel: Kernel()}); err != nil || len(r.Data) == 0 {
		t.Error(err)
	}
}

// The same holds for dumps of the kernel, whose page tables may map a page to any number of addresses.
func FuzzCleanKernel(f *testing.F) {
	for _, data := range kerneldump.Samples(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := analyze.OpenAll(bin.NewSource(bytes.NewReader(data), int64(len(data))))
		if err != nil || !all[0].Process().Event.IsBugCheck() {
			return
		}
		r, err := Clean(all[0], nil, Options{Kernel: Kernel()})
		if err != nil {
			return
		}
		if len(r.Data) > mostStacks+1<<20 {
			t.Errorf("%d bytes became %d", len(data), len(r.Data))
		}
		if again, err := analyze.OpenAll(bin.NewSource(bytes.NewReader(r.Data), int64(len(r.Data)))); err != nil || !again[0].Process().Event.IsBugCheck() {
			t.Error(err)
		}
	})
}
