package android

import (
	"encoding/binary"
	"strconv"

	"crashglass/core/base/bin"
	"crashglass/core/dump/text"
)

// protoRules say what becomes of the fields of a tombstone that is shared, by their numbers in tombstone.proto. Bytes that are no message are texts.
// Registers, frames, causes and mappings have messages in them.
const protoRules text.Table = ";10=message;15=message;15.2=message;15.2.3=message;15.2.3.4=message;15.2.3.6=message;16=message;16.2=message;16.2.3=message" +
	";16.2.4=message;17=message;25=message;25.2=message;25.2.3=message;25.2.4=message" +
	";7=zero;10.6=zero;16.2.3.2=number;25.2.3.2=number" + // the user, and that of the sender of a signal; the value of a register
	";16.2.5=leave out;25.2.5=leave out;18=leave out;19=leave out;21=leave out;26=leave out" // memory, logs, open files, details of the program

// A ProtoMask replaces texts and the values of registers.
type ProtoMask struct {
	Text   func(string) string
	Number func(uint64) uint64
}

// Mask returns a tombstone that is a protocol buffer without the user's number, logs, open files, arguments and memory, with its texts masked.
func (m *ProtoMask) Mask(tombstone []byte) []byte { return m.message(nil, tombstone, "") }

func (m *ProtoMask) message(out, message []byte, path string) []byte {
	arguments := 0
	bin.EachProto(message, func(f *bin.ProtoField) {
		at := path + strconv.Itoa(f.Number)
		rule, _ := protoRules.Of(at)
		data, v := f.Data, f.Value
		switch {
		case rule == "leave out":
			return
		case rule == "message":
			data = m.message(nil, data, at+".")
		case rule == "zero":
			v = 0
		case rule == "number":
			v = m.Number(v)
		case at == "9": // the command line; the program stays
			if arguments++; arguments > 1 {
				return
			}
			data = []byte(m.Text(string(data)))
		case f.Wire == bin.ProtoBytes:
			data = []byte(m.Text(string(data)))
		}
		out = binary.AppendUvarint(out, uint64(f.Number)<<3|uint64(f.Wire))
		switch f.Wire {
		case bin.ProtoVarint:
			out = binary.AppendUvarint(out, v)
		case bin.ProtoBytes:
			out = append(binary.AppendUvarint(out, uint64(len(data))), data...)
		case 1:
			out = binary.LittleEndian.AppendUint64(out, v)
		default:
			out = binary.LittleEndian.AppendUint32(out, uint32(v))
		}
	})
	return out
}
