package minidump

import (
	"encoding/binary"
	"fmt"

	"crashglass/core/dump/minidump/format"
)

// StabilityReportStream is the number of the stream that this file reads.
const StabilityReportStream StreamType = 0x4b6b_0002

// A StabilityReport is the state of Chromium's processes and of the machine's memory, as its
// browser process recorded it. Sizes are in pages of 4 KiB.
type StabilityReport struct {
	Processes []StabilityProcess
	System    []Counter
}

// StabilityProcess is one process in it.
type StabilityProcess struct {
	ID       int64
	Counters []Counter
}

// StabilityReport reads stream 0x4b6b0002, a protocol buffer.
//
// Source: Chromium, components/stability_report/stability_report.proto.
func (f *File) StabilityReport() (*StabilityReport, error) {
	s, err := f.section(StabilityReportStream)
	if err != nil {
		return nil, err
	}
	report := &StabilityReport{}
	s.Names("message")
	ok := eachProto(s.Bytes(s.Len()), func(p protoField) {
		switch p.tag {
		case 2:
			report.Processes = append(report.Processes, stabilityProcess(p.data))
		case 7:
			report.System = protoCounters(p.data, format.StabilitySystem)
		}
	})
	if !ok {
		s.damagef(s.at, "%d bytes are not a whole protocol buffer", s.size)
	}
	return report, s.err()
}

func stabilityProcess(data []byte) StabilityProcess {
	var p StabilityProcess
	eachProto(data, func(f protoField) {
		if f.tag == 3 {
			p.ID = int64(f.value)
		}
	})
	p.Counters = protoCounters(data, format.StabilityCounters)
	return p
}

// protoCounters opens a message only if a name continues in it, so the depth is bounded by the names.
func protoCounters(data []byte, names map[format.ProtoPath]string) []Counter {
	var all []Counter
	var walk func(data []byte, at format.ProtoPath)
	walk = func(data []byte, at format.ProtoPath) {
		eachProto(data, func(f protoField) {
			path := at + format.ProtoPath(fmt.Sprint(f.tag))
			if name, ok := names[path]; ok && f.data == nil {
				all = append(all, Counter{name, f.value})
			} else if f.data != nil && len(path) < len("4.1.1") {
				walk(f.data, path+".")
			}
		})
	}
	walk(data, "")
	return all
}

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
