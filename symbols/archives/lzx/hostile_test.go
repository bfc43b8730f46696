package lzx

import (
	"math/rand"
	"testing"

	"crashglass/core/testkit/lzxpack"
)

// Damaged streams end in an error or in other bytes, and never beyond what was
// asked for. A stream that failed fails from then on.
func TestDamage(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	opt := lzxpack.Options{Bits: 15, Kinds: []int{1, 2, 3}, Sizes: []int{5_000, 3_001}, CodeSize: 50_000}
	frames := lzxpack.Pack(sample(50_000), opt)
	failed := 0
	for range 2_000 {
		d, err := open(opt.Bits)
		if err != nil {
			t.Fatal(err)
		}
		damaged := append([]byte(nil), frames[0].Packed...)
		damaged[random.Intn(min(len(damaged), 200))] ^= 1 << random.Intn(8)
		first := d.Frame(make([]byte, frames[0].Size), damaged)
		second := d.Frame(make([]byte, frames[1].Size), frames[1].Packed)
		if first != nil {
			failed++
			if second != first {
				t.Fatalf("%v, and then %v", first, second)
			}
		}
	}
	if failed < 500 {
		t.Errorf("%d of 2000 failed", failed)
	}
}

// What a stream lacks, and what it says that cannot be, is an error.
func TestErrors(t *testing.T) {
	word := func(ws ...uint16) (out []byte) {
		for _, w := range ws {
			out = append(out, byte(w), byte(w>>8))
		}
		return out
	}
	for _, tt := range []struct {
		name string
		size int
		data []byte
		want string
	}{
		{"nothing", 10, nil, "lzx: output at 0x0: the compressed data end before the frame does"},
		{"type 0", 10, word(0x0000, 0, 0, 0), "lzx: output at 0x0: a block of type 0, known are 1 to 3"},
		{"type 7", 10, word(0x7000, 0, 0, 0), "lzx: output at 0x0: a block of type 7, known are 1 to 3"},
		{"no tree", 10, word(0x1000, 0x0a00, 0, 0, 0, 0, 0, 0), "lzx: output at 0x0: a code is in no Huffman tree"},
		{"too many codes", 10, word(0x1000, 0x0a11, 0x1111, 0x1111, 0x1111, 0x1111, 0x1111, 0x1111), "lzx: output at 0x0: a Huffman tree has more codes than bits allow"},
		{"raw bytes are missing", 10, word(0x3000, 0x0a00, 1, 0, 1, 0, 1, 0, 0x4142), "lzx: output at 0x2: the compressed data end before the frame does"},
		{"too large", MaxFrame + 1, nil, "lzx: a frame of 32769 bytes, at most 32768 are known"},
	} {
		d, err := open(15)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Frame(make([]byte, tt.size), tt.data); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// TestWork counts the bits that frames take: 32 KiB of output of the dearest
// kind, blocks of a byte with trees of their own, take the input once.
func TestWork(t *testing.T) {
	opt := lzxpack.Options{Bits: 15, Kinds: []int{1}, Sizes: []int{1}}
	frames := lzxpack.Pack(sample(400), opt)
	d, err := open(opt.Bits)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Frame(make([]byte, frames[0].Size), frames[0].Packed); err != nil || d.in.at != len(frames[0].Packed) {
		t.Errorf("%v: %d of %d bytes were read", err, d.in.at, len(frames[0].Packed))
	}
}

// What frames leave unread is not kept without bounds: each would copy all of it.
func TestUnreadInput(t *testing.T) {
	opt := lzxpack.Options{Bits: 15, Kinds: []int{1}, Sizes: []int{5_000}}
	frames := lzxpack.Pack(sample(5_000), opt)
	d, err := open(opt.Bits)
	if err != nil {
		t.Fatal(err)
	}
	padded := append(frames[0].Packed, make([]byte, 38913)...)
	err = d.Frame(make([]byte, frames[0].Size), padded)
	if want := "lzx: output at 0x1388: the frame leaves 38913 bytes unread, at most 38912 are known"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func FuzzFrame(f *testing.F) {
	for _, tt := range packings {
		if frames := lzxpack.Pack(sample(min(tt.size, 3_000)), tt.opt); len(frames) > 0 {
			f.Add(tt.opt.Bits, frames[0].Size, frames[0].Packed)
		}
	}
	f.Fuzz(func(t *testing.T, bits, size int, data []byte) {
		d, err := open(bits)
		if err != nil {
			return
		}
		out := make([]byte, min(max(size, 0), MaxFrame))
		for range 2 {
			if err := d.Frame(out, data); (err != nil) != (d.failure != nil) {
				t.Fatal(err, d.failure)
			}
		}
	})
}
