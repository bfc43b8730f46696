package lzx

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/testkit/lzxpack"
)

// sample is text that repeats itself near and far, noise, zeros and calls.
func sample(n int) []byte {
	random := rand.New(rand.NewSource(1))
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		switch i % 5 {
		case 0:
			fmt.Fprintf(&b, "%s line %d of function_%d in file_%d.cpp\n", strings.Repeat(" ", i%9), i, i%300, i%7)
		case 1:
			noise := make([]byte, i%40)
			random.Read(noise)
			b.Write(noise)
		case 2:
			b.Write(make([]byte, i%600))
		case 3:
			b.Write([]byte{0xe8, byte(i), byte(i >> 8), 0, 0, 0x90, 0xe8, byte(-i), 0xff, 0xff, 0xff})
		case 4:
			at := random.Intn(b.Len())
			b.Write(b.Bytes()[at : at+min(300, b.Len()-at)])
		}
	}
	return b.Bytes()[:n]
}

var packings = []struct {
	name string
	size int
	opt  lzxpack.Options
}{
	{"verbatim", 100_000, lzxpack.Options{Bits: 15, Kinds: []int{lzxpack.Verbatim}, Sizes: []int{1 << 20}}},
	{"aligned", 100_000, lzxpack.Options{Bits: 16, Kinds: []int{lzxpack.Aligned}, Sizes: []int{40_000}}},
	{"uncompressed, even", 70_000, lzxpack.Options{Bits: 15, Kinds: []int{lzxpack.Uncompressed}, Sizes: []int{40_000}}},
	{"uncompressed, odd", 100_001, lzxpack.Options{Bits: 15, Kinds: []int{lzxpack.Uncompressed, lzxpack.Verbatim}, Sizes: []int{9_999, 7_001}}},
	{"uncompressed, ends with a frame", 70_000, lzxpack.Options{Bits: 15, Kinds: []int{lzxpack.Verbatim, lzxpack.Uncompressed}, Sizes: []int{767, 32_001}}},
	{"all kinds", 300_000, lzxpack.Options{Bits: 17, Kinds: []int{1, 2, 3}, Sizes: []int{10_000, 50_000, 1, 2, 3}}},
	{"calls", 300_000, lzxpack.Options{Bits: 18, Kinds: []int{1, 2}, Sizes: []int{100_000}, CodeSize: 300_000}},
	{"calls of a larger file", 90_000, lzxpack.Options{Bits: 19, Kinds: []int{2, 3}, Sizes: []int{11_111}, CodeSize: 12_000_000}},
	{"a window of 1 MiB", 1_500_000, lzxpack.Options{Bits: 20, Kinds: []int{1, 2}, Sizes: []int{600_000}}},
	{"a window of 2 MiB", 3_000_000, lzxpack.Options{Bits: 21, Kinds: []int{2, 1}, Sizes: []int{600_000, 1_000_000}}},
	{"one byte", 1, lzxpack.Options{Bits: 15, Kinds: []int{1}, Sizes: []int{1}}},
	{"nothing", 0, lzxpack.Options{Bits: 15, Kinds: []int{1}, Sizes: []int{1}}},
}

// TestRoundTrip unpacks what the test kit packs.
func TestRoundTrip(t *testing.T) {
	for _, tt := range packings {
		data := sample(tt.size)
		if got, err := unpack(tt.opt.Bits, lzxpack.Pack(data, tt.opt)); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %v, equal to byte %d of %d", tt.name, err, equalTo(got, data), len(data))
		}
	}
}

// TestKit has the test kit's cabinets unpacked by a program that is not ours.
func TestKit(t *testing.T) {
	cabextract, err := exec.LookPath("cabextract")
	if err != nil {
		t.Skip("no cabextract here")
	}
	for _, tt := range packings {
		dir, data := t.TempDir(), sample(tt.size)
		path := filepath.Join(dir, "a.cab")
		if err := os.WriteFile(path, lzxpack.Cabinet("a.bin", data, tt.opt), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(cabextract, "-q", "-d", dir, path).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v: %s", tt.name, err, out)
			continue
		}
		if got, err := os.ReadFile(filepath.Join(dir, "a.bin")); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %v, equal to byte %d of %d", tt.name, err, equalTo(got, data), len(data))
		}
	}
}

// used decoded a stream until it failed, and is reset for another one.
var used = func() *Decoder {
	d := new(Decoder)
	_ = d.Reset(maxWindow)
	_ = d.Frame(make([]byte, 100), []byte{0xff, 0xff, 0xff, 0xff})
	return d
}()

// open starts a stream with the decoder of an earlier one. All tests do.
func open(bits int) (*Decoder, error) { return used, used.Reset(bits) }

func unpack(bits int, frames []lzxpack.Frame) (all []byte, err error) {
	d, err := open(bits)
	if err != nil {
		return nil, err
	}
	for _, f := range frames {
		out := make([]byte, f.Size)
		if err := d.Frame(out, f.Packed); err != nil {
			return all, err
		}
		all = append(all, out...)
	}
	return all, nil
}

func equalTo(a, b []byte) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func TestWindow(t *testing.T) {
	for bits, slots := range map[int]int{15: 30, 16: 32, 17: 34, 18: 36, 19: 38, 20: 42, 21: 50} {
		if got := slotsOf(bits); got != slots {
			t.Errorf("%d bits: %d slots, want %d", bits, got, slots)
		}
	}
	for _, bits := range []int{0, 14, 22, 31} {
		if _, err := open(bits); err == nil {
			t.Errorf("%d bits: no error", bits)
		}
	}
}
