package variables

import (
	"testing"

	"crashglass/core/values/types"
)

// Arrays of characters are text if their bytes are. Bytes of other types are numbers, whatever they are.
func TestTextOrNumbers(t *testing.T) {
	minus := base(types.Char, "char", 1)
	minus.Minus = true
	char16, char32 := base(types.Wide, "char16_t", 2), base(types.Wide, "char32_t", 4)
	for _, test := range []struct {
		name  string
		bytes []byte
		of    *types.Type
		want  string
	}{
		{"text", []byte("ab\x00\x01"), array(char, 4), `v = "ab"`},
		{"text up to the end", []byte("abcd"), array(char, 4), `v = "abcd"`},
		{"no text", []byte{}, array(char, 4), `v = ""`},
		{"lines", []byte("a\tb\n"), array(char, 4), `v = "a\tb\n"`},
		{"the size of a mutex", []byte{2, 0, 0, 0}, array(char, 4), "v {[0] = 2, [1] = 0, [2] = 0, [3] = 0}"},
		{"numbers with a sign", []byte{0xff, 1}, array(minus, 2), "v {[0] = -1, [1] = 1}"},
		{"numbers without one", []byte{0xff, 1}, array(char, 2), "v {[0] = 255, [1] = 1}"},
		{"Latin-1", []byte("caf\xe9"), array(char, 5), `v = "caf\xe9"`},
		{"a character that is cut off", []byte("ab\xc3"), array(char, 3), `v = "ab\xc3"`},
		{"bytes that are no characters", []byte{0xfe, 0xed, 0xfa, 0xce}, array(char, 4), "v {[0] = 254, [1] = 237, [2] = 250, [3] = 206}"},
		{"a control character of UTF-8", []byte("\u0085\u0086"), array(char, 4), "v {[0] = 194, [1] = 133, [2] = 194, [3] = 134}"},
		{"rows", []byte("ab\x00\x03\x04\x00"), array(array(char, 3), 2), `v {[0] = "ab", [1] {[0] = 3, [1] = 4, [2] = 0}}`},
		{"numbers of 16 bits", []byte{1, 0, 2, 0}, array(char16, 2), "v {[0] = 1, [1] = 2}"},
		{"numbers of 32 bits", []byte{1, 0, 0, 0}, array(char32, 1), "v {[0] = 1}"},
		{"unsigned char", []byte("ab"), array(base(types.Unsigned, "unsigned char", 1), 2), "v {[0] = 97, [1] = 98}"},
		{"signed char", []byte("ab"), array(base(types.Signed, "signed char", 1), 2), "v {[0] = 97, [1] = 98}"},
		{"a pointer to text", words(0x200), pointer(char), `v = 0x0000000000000200 "text"`},
		{"a pointer to other bytes", words(0x300), pointer(char), "v = 0x0000000000000300"},
		{"a pointer to unsigned char", words(0x200), pointer(base(types.Unsigned, "unsigned char", 1)), "v = 0x0000000000000200"},
	} {
		m := memory{0x100: append(test.bytes, make([]byte, 8)...), 0x200: []byte("text\x00"), 0x300: []byte("\x01\x02\x00")}
		if got := read(frameOf(m, at("v", 0x100, test.of))); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// What has nothing below it says so, and bytes say that they may be a part of a text.
func TestContents(t *testing.T) {
	optional := inGNU("optional<int>", 8, member("_M_payload", 0, structure("payload", 8, member("_M_payload", 0, structure("storage", 4, member("_M_value", 0, integer))), member("_M_engaged", 4, base(types.Bool, "bool", 1)))))
	vector := of(inGNU("vector<int>", 24, member("_M_impl", 0, structure("impl", 24, member("_M_start", 0, pointer(integer)), member("_M_finish", 8, pointer(integer)), member("_M_end_of_storage", 16, pointer(integer))))), integer)
	reference := func(t *types.Type) *types.Type {
		return &types.Type{Kind: types.Reference, Elem: to(t), Size: 8, Sized: true, Language: types.CPlusPlus}
	}
	declared := &types.Type{Kind: types.Enum, Name: "std::byte", Size: 1, Sized: true, Incomplete: true, Elem: to(base(types.Unsigned, "unsigned char", 1))}
	variants := &types.Type{Kind: types.Struct, Name: "E", Language: types.Rust, Variants: &types.Variants{List: []types.Variant{{Member: member("A", 0, integer)}}}}
	for _, test := range []struct {
		name  string
		bytes []byte
		of    *types.Type
		want  Content
	}{
		{"an optional", words(7), optional, NoValue},
		{"an optional with a value", words(1<<32 | 7), optional, Some},
		{"a vector", words(0, 0, 0), vector, Empty},
		{"a vector with an element", words(0x100, 0x104, 0x104), vector, Some},
		{"an array", nil, array(integer, 0), Empty},
		{"an array with elements", words(0), array(integer, 2), Some},
		{"a structure", nil, structure("s", 1), Empty},
		{"an enumeration of Rust", words(7), variants, Some},
		{"a number", words(7), integer, Some},
		{"a byte", words(7), base(types.Unsigned, "u8", 1), Byte},
		{"a std::byte that is only declared", words(7), declared, Byte},
		{"a reference to an optional", words(0x200), reference(optional), NoValue},
		{"a pointer to an optional", words(0x200), pointer(optional), NoValue},
		{"a reference to a vector", words(0x200), reference(vector), Empty},
		{"a reference to a byte", words(0x200), reference(base(types.Unsigned, "u8", 1)), Byte},
		{"a character", words(7), char, Some},
		{"what was not captured", nil, integer, Some},
	} {
		m := memory{0x200: words(0, 0, 0)}
		if test.bytes != nil {
			m[0x100] = test.bytes
		}
		v := Read(frameOf(m, at("v", 0x100, test.of)), Limits{})[0].Values[0]
		if v.Content != test.want {
			t.Errorf("%s: %q, want %q: %s", test.name, v.Content, test.want, shown([]*Value{v}))
		}
	}
}

// Wide characters that are no text are numbers, which may still be a part of one.
func TestWideNumbers(t *testing.T) {
	m := memory{0x100: []byte("P\x00\x01\x00s\x00")}
	for _, child := range Read(frameOf(m, at("v", 0x100, array(base(types.Wide, "char16_t", 2), 3))), Limits{})[0].Values[0].Children {
		if child.Content != Byte {
			t.Errorf("%s = %s: %q, want %q", child.Name, child.Text, child.Content, Byte)
		}
	}
}
