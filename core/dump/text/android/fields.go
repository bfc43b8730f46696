package android

import "encoding/binary"

// A field is a field of a message. Numbers are in value, and texts and messages in data.
type field struct {
	number int
	wire   int
	value  uint64
	data   []byte
}

// Wire types of protocol buffers. Source: protobuf.dev, "Encoding".
const (
	wireVarint = 0
	wireFixed8 = 1
	wireBytes  = 2
	wireFixed4 = 5
)

// next reads the first field of a message. It reports false at the end, and where no field begins.
func next(message []byte) (f field, rest []byte, ok bool) {
	tag, n := binary.Uvarint(message)
	if n <= 0 || tag>>3 == 0 || tag>>3 > 1<<29-1 {
		return field{}, message, false
	}
	f.number, f.wire, rest = int(tag>>3), int(tag&7), message[n:]
	switch f.wire {
	case wireVarint:
		f.value, n = binary.Uvarint(rest)
	case wireBytes:
		size, m := binary.Uvarint(rest)
		if m <= 0 || size > uint64(len(rest)-m) {
			return field{}, message, false
		}
		f.data, n = rest[m:m+int(size)], m+int(size)
	case wireFixed8:
		n = 8
	case wireFixed4:
		n = 4
	default:
		return field{}, message, false
	}
	if n <= 0 || n > len(rest) {
		return field{}, message, false
	}
	return f, rest[n:], true
}

// fields calls use with each field of a message. It returns the bytes that are none.
func fields(message []byte, use func(f *field)) (rest []byte) {
	for {
		f, after, ok := next(message)
		if !ok {
			return message
		}
		use(&f)
		message = after
	}
}
