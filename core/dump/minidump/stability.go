package minidump

import (
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

// protoCounters collects the numbers with a name. It opens a message only if a name continues in
// it, so the depth is bounded by the names.
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
