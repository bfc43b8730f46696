package decompress

import (
	"bytes"
	"encoding/hex"
	"io"
	"strings"
	"testing"
)

const text = "MODULE Linux x86_64 0 app\n"

// What `xz`, `lz4` and `zstd` make of text.
var compressed = map[string]string{
	"xz":   "fd377a585a000004e6d6b4460200210116000000742fe5a30100194d4f44554c45204c696e7578207838365f36342030206170700a000000ca89b5cc04a40ba30001321a201894301fb6f37d010000000004595a",
	"lz4":  "04224d186440a71a0000804d4f44554c45204c696e7578207838365f36342030206170700a00000000fa483dc5",
	"zstd": "28b52ffd0458d100004d4f44554c45204c696e7578207838365f36342030206170700ac0c9e977",
}

func TestAll(t *testing.T) {
	for format, open := range All() {
		data, err := hex.DecodeString(compressed[format])
		if err != nil || len(data) == 0 {
			t.Fatalf("%s: no data: %v", format, err)
		}
		got, err := read(open, data)
		if err != nil || got != text {
			t.Errorf("%s: %q, %v, want %q", format, got, err, text)
		}
		for n := range len(data) {
			if _, err := read(open, data[:n]); err == nil && n > 0 {
				t.Errorf("%s: no error after %d of %d bytes", format, n, len(data))
			}
		}
		for i := range data {
			damaged := bytes.Clone(data)
			damaged[i] ^= 0xff
			if got, err := read(open, damaged); err == nil && got != text {
				t.Errorf("%s: byte %d damaged: %q without an error", format, i, got)
			}
		}
	}
}

func read(open Decompressor, data []byte) (string, error) {
	r, err := open(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	_, err = io.Copy(&out, io.LimitReader(r, 1<<20))
	return out.String(), err
}
