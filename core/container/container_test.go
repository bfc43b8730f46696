package container

import (
	"bytes"
	"testing"

	"crashglass/core/bin"
	"crashglass/core/testkit/dump"
)

func source(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

const (
	begin = "-----BEGIN BREAKPAD MICRODUMP-----"
	end   = "-----END BREAKPAD MICRODUMP-----"
	log   = begin + "\nV Product:1\n" + end + "\n"
)

// The kind of a file is told by its content. A log may have several microdumps.
func TestKinds(t *testing.T) {
	for _, tt := range []struct {
		data []byte
		kind string
		many int
	}{
		{dump.New().Build(t), "minidump", 1},
		{[]byte("first line\n" + log + log), "microdump", 2},
	} {
		opened, err := OpenAll(source(tt.data))
		if err != nil || len(opened) != tt.many || opened[0].Origin.Kind != tt.kind {
			t.Errorf("%d of %s: %d dumps, %v", tt.many, tt.kind, len(opened), err)
		}
	}
}

// What is no dump has the error of a minidump.
func TestErrors(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"empty", "", "minidump: header at 0x0: need 4 bytes, have 0"},
		{"short", "ab", "minidump: header at 0x0: need 4 bytes, have 2"},
		{"text", "some text", "minidump: header at 0x0: signature 0x656d6f73 is not MDMP"},
		{"binary", "PK\x03\x04\x00\x00" + log, "minidump: header at 0x0: signature 0x04034b50 is not MDMP"},
		{"the end only", "08-17 F/google-breakpad(1): " + end, "minidump: header at 0x0: signature 0x312d3830 is not MDMP"},
		{"damaged minidump", "MDMP" + "\n" + log, "minidump: directory at 0x204e4947: lies beyond the end of the file at 0x55"},
		{"damaged minidump of a big-endian machine", "PMDM" + "\n" + log, "minidump: directory at 0x47494e20: lies beyond the end of the file at 0x55"},
	}
	for _, tt := range tests {
		opened, err := OpenAll(source([]byte(tt.data)))
		if len(opened) > 0 || err == nil || err.Error() != tt.want {
			t.Errorf("%s: %d dumps, error %v, want %s", tt.name, len(opened), err, tt.want)
		}
	}
}
