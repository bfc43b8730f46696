package archive

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// TestZip64Damaged has ends of archives whose directory has values of 64 bits
// (APPNOTE.TXT, 4.3.14 to 4.3.16), and what is wrong with each.
func TestZip64Damaged(t *testing.T) {
	const dirSize = 46 + 1
	build := func(locator, record string, size, off uint64) []byte {
		s := asm.At(0).
			Mark("local").Text("PK\x03\x04").Zeros(14).U32(3, 3).U16(1, 0).Text("a").Text("abc").
			Mark("dir").Text("PK\x01\x02").Zeros(4).U16(0, 0).Zeros(4).U32(0, 3, 3).U16(1, 0, 0).Zeros(8).U32(0).Text("a").
			Mark("end").Text(record).Zeros(36).U64(size, off)
		if locator != "" {
			s.Text(locator).Zeros(4).Ref("end").Zeros(4)
		}
		return s.Text("PK\x05\x06").Zeros(4).U16(1, 1).U32(0xffff_ffff, 0xffff_ffff).U16(0).Build(t)
	}
	const where = 34 // of the directory: a local header of 30 bytes, a name, three bytes
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"whole", build("PK\x06\x07", "PK\x06\x06", dirSize, where), "a=abc"},
		{"no locator", build("", "PK\x06\x06", dirSize, where), "error: archive: zip: central directory at 0xffffffff of 4294967295 bytes does not end before 0x89"},
		{"another record in its place", build("PK\x06\x09", "PK\x06\x06", dirSize, where), "error: archive: zip: central directory at 0xffffffff of 4294967295 bytes does not end before 0x9d"},
		{"a locator of nothing", build("PK\x06\x07", "PK\x06\x05", dirSize, where), "error: archive: zip: no zip64 end record at 0x51"},
		{"a directory that is too large", build("PK\x06\x07", "PK\x06\x06", maxDirectory+1, where), "does not end before 0x51"},
		{"of a negative size", build("PK\x06\x07", "PK\x06\x06", 1<<63, where), "does not end before 0x51"},
		{"at a negative offset", build("PK\x06\x07", "PK\x06\x06", dirSize, 1<<63), "does not end before 0x51"},
		{"behind itself", build("PK\x06\x07", "PK\x06\x06", dirSize, where+1), "error: archive: zip: central directory at 0x23 of 47 bytes does not end before 0x51"},
	} {
		got := strings.Join(contents(t, "x.zip", tt.data, Limits{}), "; ")
		if !strings.HasSuffix(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestWide replaces only the values that do not fit, in their order (APPNOTE.TXT, 4.5.3).
func TestWide(t *testing.T) {
	const full = 1<<32 - 1
	field := func(values ...uint64) []byte {
		return asm.At(0).U16(zip64Field, uint16(8*len(values))).U64(values...).Build(t)
	}
	other := asm.At(0).U16(0x5455, 5).U8(1, 2, 3, 4, 5).Build(t) // a time
	for _, tt := range []struct {
		name                string
		size, packed, local uint64
		extra               []byte
		want                string
	}{
		{"none", 1, 2, 3, nil, "1 2 3"}, {"all fit", 1, 2, 3, field(7, 8, 9), "1 2 3"},
		{"all", full, full, full, field(7, 8, 9), "7 8 9"}, {"the size", full, 2, 3, field(7), "7 2 3"},
		{"the packed size", 1, full, 3, field(7), "1 7 3"}, {"the offset", 1, 2, full, field(7), "1 2 7"}, {"both sizes", full, full, 3, field(7, 8), "7 8 3"},
		{"too few values", full, full, full, field(7), "7 4294967295 4294967295"},
		{"behind another field", full, 2, 3, append(other, field(7)...), "7 2 3"},
		{"before another field", full, 2, 3, append(field(7), other...), "7 2 3"},
		{"cut", full, 2, 3, field(7)[:11], "4294967295 2 3"}, {"its header is cut", full, 2, 3, field(7)[:3], "4294967295 2 3"},
		{"another field that is cut", full, 2, 3, append(other[:8:8], field(7)...)[:10], "4294967295 2 3"},
	} {
		e := entry{size: tt.size, packed: tt.packed, local: tt.local}
		e.wide(tt.extra)
		if got := fmt.Sprint(e.size, e.packed, e.local); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestMemberData finds the bytes of a member behind its local header, or says why it cannot.
func TestMemberData(t *testing.T) {
	file := asm.At(0).Zeros(8).Text("PK\x03\x04").Zeros(22).U16(2, 3).Text("nmEXT").Text("content").Build(t)
	for _, tt := range []struct {
		name  string
		e     entry
		base  int64
		bytes string
		err   string
	}{
		{"whole", entry{packed: 7, local: 8}, 0, "content", ""}, {"behind a program", entry{packed: 7}, 8, "content", ""}, {"a part", entry{packed: 3, local: 8}, 0, "con", ""},
		{"nothing", entry{local: 8}, 0, "", ""}, {"truncated", entry{packed: 8, local: 8}, 0, "content", ""},
		{"no header", entry{packed: 7, local: 9}, 0, "", "no local header at 0x9"},
		{"behind the end", entry{packed: 7, local: 1 << 40}, 0, "", "local header at 0x10000000000: 30 bytes reach beyond the end of the file at 0x32"},
		{"an offset of 64 bits", entry{packed: 7, local: 1<<64 - 1}, 0, "", "local header at 0x4000000000000000: 30 bytes reach beyond the end of the file at 0x32"},
	} {
		src, err := tt.e.data(source(file), tt.base)
		got := ""
		if err == nil {
			data, _ := src.Read("member", 0, uint64(src.Size()))
			got = string(data)
		}
		if got != tt.bytes || errString(err) != tt.err {
			t.Errorf("%s: %q, %v, want %q, %s", tt.name, got, err, tt.bytes, tt.err)
		}
	}
	short := asm.At(0).Text("PK\x03\x04").Zeros(22).U16(0xffff, 0).Build(t)
	if _, err := (entry{packed: 1}).data(source(short), 0); errString(err) != "data at 0x1001d lie beyond the end of the file at 0x1e" {
		t.Errorf("a name that is too long: %v", err)
	}
}

// TestMethods opens members that are stored or deflated, and no others.
func TestMethods(t *testing.T) {
	for _, tt := range []struct {
		e    entry
		want string
	}{
		{entry{method: methodStore}, ""}, {entry{method: methodDeflate}, ""}, {entry{method: methodStore, flags: 0x800}, ""}, // names in UTF-8
		{entry{method: methodStore, flags: 1}, "it is encrypted"}, {entry{method: methodDeflate, flags: 9}, "it is encrypted"},
		{entry{method: 12}, "compression method 12 is not one that we read"}, {entry{method: 9}, "compression method 9 is not one that we read"},
	} {
		src := source([]byte("content"))
		data, r, err := tt.e.open(&src, NewBudget(Limits{}))
		if errString(err) != tt.want || err == nil && (data == nil) == (r == nil) {
			t.Errorf("method %d, flags %#x: %v, %v, %v, want %s", tt.e.method, tt.e.flags, data, r, err, tt.want)
		}
	}
}
