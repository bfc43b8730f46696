package breakpad

import (
	"bytes"
	"fmt"

	"crashglass/core/bin"
)

// warmScan is how much of made-up symbols is scanned by Warm.
const warmScan = 1 << 20

// Warm scans made-up symbols, keeps their index, opens them with it and looks
// some of them up, for nothing but that it was done: where a compiler waits for code to run before it compiles it
// well, as that of a browser does, a real file is then scanned faster. The
// better code is there for the next call only, so it takes several.
func Warm() error {
	text := asSource(warmSymbols())
	index, err := ScanPart(text, 0, text.Size(), nil)
	if err != nil {
		return err
	}
	f, err := Open(text, Options{Index: asSource(index)})
	if err != nil {
		return err
	}
	for addr := range uint64(256) {
		f.Locate(addr << 10)
		f.CallFrame(addr << 10)
	}
	return nil
}

func asSource(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// warmSymbols has every record that a large file is made of, in two runs of
// addresses, so that it is also sorted.
func warmSymbols() []byte {
	text := []byte("MODULE Linux x86_64 000000000000000000000000000000000 warm\n")
	for i := range 64 {
		text = fmt.Appendf(text, "FILE %d /warm/file%d.c\nINLINE_ORIGIN %d inlined%d\n", i, i, i, i)
	}
	for run := range 2 {
		for i := 0; len(text) < (run+1)*warmScan/2; i++ {
			at := (2*i + 1 - run) << 8
			text = fmt.Appendf(text, "FUNC %x 100 0 warm::function_%d(int)\nINLINE 0 %d %d %d %x 80\n%x 80 %d %d\n%x 80 %d %d\n",
				at, i, i%100+1, i%64, i%64, at, at, i%100+1, i%64, at+0x80, i%100+1, i%64)
			text = fmt.Appendf(text, "STACK CFI INIT %x 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^\nSTACK CFI %x .cfa: $rsp 16 +\nPUBLIC %x 0 warm_public_%d\n", at, at+4, at+0x10, i)
		}
	}
	return text
}
