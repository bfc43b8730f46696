package write

import (
	"bytes"
	"encoding/binary"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/dump"
)

func source(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// build opens what a builder made.
func build(t *testing.T, b *dump.Builder) *minidump.File {
	t.Helper()
	f, err := minidump.Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// elfGUID is the GUID that a reader makes of a build ID: its first 16 bytes in the file's order,
// padded with zeros.
func elfGUID(id []byte, order binary.ByteOrder) minidump.GUID {
	var b [16]byte
	copy(b[:], id)
	return minidump.GUID{
		Data1: order.Uint32(b[:]), Data2: order.Uint16(b[4:]), Data3: order.Uint16(b[6:]), Data4: [8]byte(b[8:]),
	}
}
