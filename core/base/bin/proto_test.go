package bin

import (
	"reflect"
	"testing"
)

// Fields of a protocol buffer by their wire types. Source:
// https://protobuf.dev/programming-guides/encoding.
func TestProtoFields(t *testing.T) {
	field := func(tag, wire uint8, rest ...uint8) []byte { return append([]byte{tag<<3 | wire}, rest...) }
	for _, tt := range []struct {
		name  string
		data  []byte
		want  ProtoField
		whole bool
	}{
		{name: "VARINT", data: field(1, 0, 0xac, 0x02), want: ProtoField{Number: 1, Value: 300}, whole: true},
		{name: "the largest VARINT", data: field(1, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1), want: ProtoField{Number: 1, Value: 1<<64 - 1}, whole: true},
		{name: "a VARINT of too many bits", data: field(1, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2), want: ProtoField{}},
		{name: "half a VARINT", data: field(1, 0, 0xac), want: ProtoField{}},
		{name: "I64", data: field(2, 1, 1, 2, 3, 4, 5, 6, 7, 8), want: ProtoField{Number: 2, Wire: 1, Value: 0x0807_0605_0403_0201}, whole: true},
		{name: "seven bytes of I64", data: field(2, 1, 1, 2, 3, 4, 5, 6, 7), want: ProtoField{}},
		{name: "I32", data: field(3, 5, 1, 2, 3, 4), want: ProtoField{Number: 3, Wire: 5, Value: 0x0403_0201}, whole: true},
		{name: "three bytes of I32", data: field(3, 5, 1, 2, 3), want: ProtoField{}},
		{name: "LEN", data: field(4, 2, 2, 'h', 'i'), want: ProtoField{Number: 4, Wire: ProtoBytes, Data: []byte("hi")}, whole: true},
		{name: "LEN of nothing", data: field(4, 2, 0), want: ProtoField{Number: 4, Wire: ProtoBytes, Data: []byte{}}, whole: true},
		{name: "LEN that is too long", data: field(4, 2, 3, 'h', 'i'), want: ProtoField{}},
		{name: "a group", data: field(5, 3), want: ProtoField{}},
		{name: "a tag of two bytes", data: []byte{0x80, 0x01, 7}, want: ProtoField{Number: 16, Value: 7}, whole: true},
		{name: "half a tag", data: []byte{0x80}, want: ProtoField{}},
	} {
		var got []ProtoField
		whole := len(EachProto(tt.data, func(f *ProtoField) { got = append(got, *f) })) == 0
		if whole != tt.whole || whole != (len(got) == 1) || whole && !reflect.DeepEqual(got[0], tt.want) {
			t.Errorf("%s: %+v, %t; want %+v", tt.name, got, whole, tt.want)
		}
	}
}
