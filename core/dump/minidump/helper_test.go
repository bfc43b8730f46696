package minidump

import (
	"bytes"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/dump"
)

func source(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// build opens what a builder made.
func build(t *testing.T, b *dump.Builder) *File {
	t.Helper()
	f, err := Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}
