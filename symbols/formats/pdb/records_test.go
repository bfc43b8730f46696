package pdb

import (
	"fmt"
	"testing"

	"crashglass/core/testkit/asm"
)

// TestHeldRecords gives a listing the records of public symbols at once, when they are not too
// many.
func TestHeldRecords(t *testing.T) {
	f := openBytes(t, example(t).build(t))
	publicRecords := f.allRecords()
	if len(publicRecords) == 0 || int64(len(publicRecords)) != f.records.size {
		t.Errorf("%d bytes of %d", len(publicRecords), f.records.size)
	}
	f.records.size = mostPublicRecords + 1
	if got := f.allRecords(); got != nil {
		t.Errorf("%d bytes of too many", len(got))
	}
	f.records.size = 1
	f.records.blocks[0] = 1 << 30
	if got := f.allRecords(); got != nil {
		t.Errorf("%d bytes that are not there", len(got))
	}
	if text := publicText(publicRecords, int64(len(publicRecords))); text != "" {
		t.Errorf("behind the records: %q", text)
	}
}

// TestRecordsInPieces reads records that take several reads; one lies across a boundary.
func TestRecordsInPieces(t *testing.T) {
	const size = 1000
	var data []byte
	for i := range uint32(2*recordsRead/size + 5) {
		data = append(data, asm.At(0).U16(size-2, symPublic).U32(i).Zeros(size-8).Build(t)...)
	}
	s := streamOf(t, "records", asm.At(0).Bytes(data))
	s.m.blocks = 1 << 20
	n := uint32(0)
	err := s.eachRecord(func(r record) {
		c := r.cursor("record")
		if got := c.U32(); got != n || r.at != int64(n)*size || len(r.data) != size-4 {
			t.Fatalf("record %d at %#x is %d with %d bytes", n, r.at, got, len(r.data))
		}
		n++
	})
	if err != nil || int(n) != len(data)/size {
		t.Errorf("%d records, %v", n, err)
	}
	s.size -= 3
	want := fmt.Sprintf("records at %#x: a symbol record reaches beyond the end, %d bytes are left", len(data)-size, size-3)
	if err := s.eachRecord(func(record) {}); errorText(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
	s.size = 3
	if err := s.eachRecord(func(record) {}); errorText(err) != "records at 0x0: a symbol record reaches beyond the end, 3 bytes are left" {
		t.Errorf("%v", err)
	}
}

// TestNextRecord takes records off bytes.
func TestNextRecord(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   *asm.Section
		off  int64
		want string
	}{
		{"a kind alone", asm.At(0).U16(2, 6), 0, "6 at 0x1000, 0 bytes, next 4"},
		{"with content", asm.At(0).U16(6, 6).U32(1), 0, "6 at 0x1000, 4 bytes, next 8"},
		{"the second", asm.At(0).U16(2, 6, 3, 7).U8(1), 4, "7 at 0x1004, 1 bytes, next 9"},
		{"without a kind", asm.At(0).U16(1, 6, 0), 0, "none"}, {"a size that is too large", asm.At(0).U16(3, 6), 0, "none"},
		{"cut", asm.At(0).U16(2).U8(6), 0, "none"}, {"the end", asm.At(0).U16(2, 6), 4, "none"}, {"behind it", asm.At(0).U16(2, 6), 9, "none"}, {"before it", asm.At(0).U16(2, 6), -4, "none"},
	} {
		got := "none"
		if r, next, ok := nextRecord(tt.in.Build(t), tt.off, 0x1000); ok {
			got = fmt.Sprintf("%d at %#x, %d bytes, next %d", r.kind, r.at, len(r.data), next)
		} else if next != tt.off {
			t.Errorf("%s: goes on at %d", tt.name, next)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
