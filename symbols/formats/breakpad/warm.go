package breakpad

import (
	"bytes"
	"fmt"

	"crashglass/core/base/bin"
)

// Warm is a warm-up: it scans made-up symbols, keeps their index, and looks some of them up, both
// with that index and by searching the file. A browser optimises code only after it has run for a
// while, and uses the optimised code from the next call on, so several calls are needed.
func Warm() error {
	text := asSource(warmSymbols())
	index, err := ScanPart(text, 0, text.Size(), nil)
	if err != nil {
		return err
	}
	for _, opt := range []Options{{Index: asSource(index)}, warmSearch} {
		f, err := Open(text, opt)
		if err != nil {
			return err
		}
		for i := range uint64(warmQueries) {
			addr := (i + 1) << 10
			f.Locate(addr)
			f.Function(addr)
			f.CallFrame(addr)
		}
	}
	return nil
}

// warmSearch has pages so small that warmQueries lookups do not read enough to cause a scan.
var warmSearch = Options{Search: true, Page: 2 << 10}

const warmQueries = 128

func asSource(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// warmSymbols has every kind of record of a large file, in the usual order. Each kind has two runs
// of addresses, so that sorting is warmed up, too.
func warmSymbols() []byte {
	text := []byte("MODULE Linux x86_64 000000000000000000000000000000000 warm\n")
	for i := range 4 * warmNumbers {
		text = fmt.Appendf(text, "%s %d /warm/%d.c\n", [...]string{"FILE", "INLINE_ORIGIN"}[i/warmNumbers/2], i%(2*warmNumbers), i)
	}
	for i := range 2 * warmRun {
		n, at := i%warmNumbers, warmAddress(i)
		text = fmt.Appendf(text, "FUNC %x 100 0 warm::function_%d(int)\nINLINE 0 %d %d %d %x 80\n%x 80 %d %d\n%x 80 %d %d\nPUBLIC %x 0 warm_public_%d\n",
			at, i, n+1, n, n, at, at, n+1, n, at+0x80, n+1, n, at+0x10, i)
	}
	for i := range 2 * warmRun {
		at := warmAddress(i)
		text = fmt.Appendf(text, "STACK CFI INIT %x 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^\nSTACK CFI %x .cfa: $rsp 16 +\n", at, at+4)
	}
	return text
}

// warmRun is how many functions a run has, and warmNumbers half of how many files.
const (
	warmRun     = 2500
	warmNumbers = 1000
)

// warmAddress is where the i-th function starts: the first run has every other
// address, and the second run the ones between.
func warmAddress(i int) int { return (2*(i%warmRun) + 1 - i/warmRun) << 8 }
