package lzx

import (
	"testing"

	"crashglass/core/testkit/lzxpack"
)

func BenchmarkFrame(b *testing.B) {
	opt := lzxpack.Options{Bits: 21, Kinds: []int{lzxpack.Aligned}, Sizes: []int{600_000}}
	frames := lzxpack.Pack(sample(3_000_000), opt)
	b.SetBytes(3_000_000)
	for b.Loop() {
		if _, err := unpack(opt.Bits, frames); err != nil {
			b.Fatal(err)
		}
	}
}
