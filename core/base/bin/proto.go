package bin

import "encoding/binary"

// A ProtoField is a field of a protocol buffer: a number in Value, or the bytes of a text or of another message in Data, which
// is nil for a number.
type ProtoField struct {
	Number, Wire int
	Value        uint64
	Data         []byte
}

// Wire types of protocol buffers: those of numbers of variable size, and of bytes. Source: protobuf.dev, "Encoding".
const (
	ProtoVarint = 0
	ProtoBytes  = 2
)

// NextProto reads the first field of a message. It reports false at the end, at a malformed field, and at a group,
// which writers no longer use.
func NextProto(message []byte) (f ProtoField, rest []byte, ok bool) {
	tag, n := binary.Uvarint(message)
	if n <= 0 || tag>>3 == 0 || tag>>3 > 1<<29-1 {
		return ProtoField{}, message, false
	}
	f.Number, f.Wire, rest = int(tag>>3), int(tag&7), message[n:]
	switch {
	case f.Wire == ProtoVarint:
		f.Value, n = binary.Uvarint(rest)
	case f.Wire == ProtoBytes:
		size, m := binary.Uvarint(rest)
		if m <= 0 || size > uint64(len(rest)-m) {
			return ProtoField{}, message, false
		}
		n = m + int(size)
		f.Data = rest[m:n:n]
	case f.Wire == 1 && len(rest) >= 8:
		f.Value, n = binary.LittleEndian.Uint64(rest), 8
	case f.Wire == 5 && len(rest) >= 4:
		f.Value, n = uint64(binary.LittleEndian.Uint32(rest)), 4
	default:
		n = 0
	}
	if n <= 0 {
		return ProtoField{}, message, false
	}
	return f, rest[n:], true
}

// EachProto calls use with each field of a message. It returns the bytes that are none.
func EachProto(message []byte, use func(f *ProtoField)) (rest []byte) {
	for {
		f, after, ok := NextProto(message)
		if !ok {
			return message
		}
		use(&f)
		message = after
	}
}
