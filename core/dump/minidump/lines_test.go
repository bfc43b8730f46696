package minidump

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"crashglass/core/process"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

// A line that is no mapping is damage at its own place, and shown as far as a line
// of an error goes.
func TestDamagedMappings(t *testing.T) {
	good := "1-2 rw-p 0 00:00 0\n"
	for _, tt := range []struct{ line, shown string }{
		{"nonsense", "nonsense"},
		{strings.Repeat("a", 40), strings.Repeat("a", 40)},
		{strings.Repeat("a", 41), strings.Repeat("a", 40) + "…"},
		{strings.Repeat("a", 39) + "üb", strings.Repeat("a", 39) + "…"}, // a letter is whole or left out
		{"\xff", "\ufffd"},
	} {
		maps, err := textDump(t, LinuxMapsStream, good+tt.line+"\n"+good+"\x00\x00").LinuxMaps()
		want := fmt.Sprintf("minidump: linux maps at %#x: line %q is not a mapping", 0x2c+len(good), tt.shown)
		expect.Error(t, err, want)
		if len(maps) != 2 {
			t.Errorf("%d mappings around %q", len(maps), tt.line)
		}
	}
}

// Quotes are taken off where there are two, around the whole of a value.
func TestUnquote(t *testing.T) {
	for in, want := range map[string]string{
		`"a b"`: "a b", ` "a" `: "a", `""`: "", `"`: `"`, `"a`: `"a`, `a"`: `a"`, `a`: "a", `"a"b"`: `a"b`, ``: "",
	} {
		if got := unquote(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// Lines of /proc/PID/limits. Source: proc_pid_limits(5).
func TestLimitLines(t *testing.T) {
	for line, want := range map[string]*process.Limit{
		"Max stack size            8388608              unlimited            bytes": {Name: "Max stack size", Unit: "bytes", Soft: 8 << 20, Hard: process.Unlimited},
		"Max nice priority         0                    0":                          {Name: "Max nice priority", Unit: "", Soft: 0, Hard: 0},
		"a  1  2  b  c": {Name: "a", Unit: "b", Soft: 1, Hard: 2},
		"a  1":          nil, "a  1  b": nil, "a  b  1": nil, "a 1 2 b": nil, "": nil,
		"a  -1  1":                   nil,
		"a  18446744073709551616  1": nil,
	} {
		if got, ok := parseLimit(line); ok != (want != nil) || ok && got != *want {
			t.Errorf("%q is %+v, %t; want %+v", line, got, ok, want)
		}
	}
	limits, err := textDump(t, LinuxLimitsStream, strings.Repeat("a  1  2\n", maxLines+5)).Limits()
	if err != nil || len(limits) != maxLines {
		t.Errorf("%d limits, %v; want %d", len(limits), err, maxLines)
	}
}

// A list of tokens says how long its own head and each token are. What newer
// versions append is passed over.
func TestTokensOfNewerVersions(t *testing.T) {
	for _, tt := range []struct {
		name string
		s    *asm.Section
		want int
		err  string
	}{
		{"a longer head", asm.At(0).U32(100, 1, 24, 16).U64(0xbad).U32(16, 7).U64(5), 1, ""},
		{"a shorter head than there is", asm.At(0).U32(100, 1, 8, 16).U32(16, 7).U64(5), 1, ""},
		{"a token smaller than its head", asm.At(0).U32(100, 1, 16, 16).U32(15, 7).U64(5), 0, "token size 15 is not in 16 to 16"},
		{"a token beyond the list", asm.At(0).U32(100, 1, 16, 16).U32(17, 7).U64(5), 0, "token size 17 is not in 16 to 16"},
		{"a token up to the end", asm.At(0).U32(100, 1, 16, 16).U32(18, 7).U64(5).U16(1), 1, ""},
	} {
		tokens, err := build(t, dump.New().Stream(19, tt.s)).Tokens()
		if (err == nil) != (tt.err == "") || err != nil && !strings.HasSuffix(err.Error(), tt.err) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.err)
		}
		if len(tokens) != tt.want || tt.want > 0 && (tokens[0].ID != 7 || tokens[0].Handle != 5) {
			t.Errorf("%s: %+v", tt.name, tokens)
		}
	}
}

// Descriptors of function tables that newer versions made longer.
func TestFunctionTablesOfNewerVersions(t *testing.T) {
	s := asm.At(0).U32(32, 40, 4, 4, 1, 4).U64(0xbad).U32(0xbad)
	s.U64(0x1000, 0x2000, 0x3000).U32(2, 4).U64(0xbad).Text("nativeFN1 FN2 ").Zeros(2)
	tables, err := build(t, dump.New().Stream(13, s)).FunctionTables()
	want := []FunctionTable{{0x1000, 0x2000, 0x3000, []byte("nati"), 4, []byte("veFN1 FN")}}
	if err != nil || !reflect.DeepEqual(tables, want) {
		t.Errorf("%+v, %v; want %+v", tables, err, want)
	}
	_, err = build(t, dump.New().Stream(13, asm.At(0).U32(24, 31, 8, 8, 2, 8))).FunctionTables()
	expect.Error(t, err, "minidump: function table at 0x2c: sizes 24 of the header and 31 of a descriptor are less than 24 and 32")
}

// Texts of UTF-16: pairs are one letter, halves of pairs and an odd byte are lost, and
// terminators that a writer counted are cut off.
func TestUTF16(t *testing.T) {
	for _, tt := range []struct {
		units []uint16
		odd   bool
		want  string
	}{
		{units: []uint16{'a', 0xfc, 0x20ac}, want: "aü€"},
		{units: []uint16{0xd83d, 0xde00, 'a'}, want: "😀a"},
		{units: []uint16{0xd83d, 'a'}, want: "\ufffda"},
		{units: []uint16{'a', 0xd83d}, want: "a\ufffd"},
		{units: []uint16{0xde00, 0xd83d, 'a'}, want: "\ufffd\ufffda"},
		{units: []uint16{'a', 0, 0}, want: "a"},
		{units: []uint16{'a', 0, 'b', 0}, want: "a\x00b"},
		{units: []uint16{'a'}, odd: true, want: "a"},
		{odd: true, want: ""},
		{want: ""},
	} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			var b []byte
			for _, u := range tt.units {
				b = order.AppendUint16(b, u)
			}
			if tt.odd {
				b = append(b, 'x')
			}
			if got := utf16Text(b, order.(binary.ByteOrder)); got != tt.want || !utf8.ValidString(got) {
				t.Errorf("%x, %v: %q, want %q", tt.units, order, got, tt.want)
			}
			before, _, _ := strings.Cut(tt.want, "\x00")
			if got := fixedUTF16(b, order.(binary.ByteOrder)); got != before {
				t.Errorf("%x, %v, up to a NUL: %q, want %q", tt.units, order, got, before)
			}
		}
	}
}

// A long text that many records share is whole until as many bytes were handed out
// as the file has, and a mebibyte. After that it is its beginning.
func TestTextsAgain(t *testing.T) {
	long := strings.Repeat("a", 300)
	texts := texts{repeated: 600, shortened: maxShortened - 1}
	beginning := func(n int) string {
		return fmt.Sprintf("%s… (300 bytes, whole where it is first)", long[:n])
	}
	for i, want := range []string{long, long, beginning(longText), beginning(shortText), beginning(shortText)} {
		if got := texts.again(long); got != want {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
	short := strings.Repeat("b", shortText)
	if got := texts.again(short); got != short {
		t.Errorf("%q", got)
	}
}
