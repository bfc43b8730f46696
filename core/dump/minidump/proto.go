package minidump

import "encoding/binary"

// A protoField is one field of a protocol buffer: a number, or the bytes of a
// string or of another message.
type protoField struct {
	tag   uint64
	value uint64
	data  []byte // nil for a number
}

// eachProto calls visit for every field of a message, and reports whether the message was complete.
//
// Spec: https://protobuf.dev/programming-guides/encoding
func eachProto(data []byte, visit func(protoField)) bool {
	for len(data) > 0 {
		key, n := binary.Uvarint(data)
		if n <= 0 {
			return false
		}
		f := protoField{tag: key >> 3}
		rest, ok := f.read(key&7, data[n:])
		if !ok {
			return false
		}
		visit(f)
		data = rest
	}
	return true
}

// read reads the field's contents and returns the bytes behind them.
func (f *protoField) read(wire uint64, data []byte) (rest []byte, ok bool) {
	switch wire {
	case 0: // VARINT
		v, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, false
		}
		f.value = v
		return data[n:], true
	case 1: // I64
		if len(data) < 8 {
			return nil, false
		}
		f.value = binary.LittleEndian.Uint64(data)
		return data[8:], true
	case 2: // LEN
		size, n := binary.Uvarint(data)
		if n <= 0 || size > uint64(len(data)-n) {
			return nil, false
		}
		end := n + int(size)
		f.data = data[n:end:end]
		return data[end:], true
	case 5: // I32
		if len(data) < 4 {
			return nil, false
		}
		f.value = uint64(binary.LittleEndian.Uint32(data))
		return data[4:], true
	}
	return nil, false // groups, which writers no longer use
}
