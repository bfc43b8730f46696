package minidump

import (
	"fmt"

	"crashglass/core/base/bin"
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
	rest := bin.EachProto(s.Bytes(s.Len()), func(p *bin.ProtoField) {
		switch p.Number {
		case 2:
			report.Processes = append(report.Processes, stabilityProcess(p.Data))
		case 7:
			report.System = protoCounters(p.Data, format.StabilitySystem)
		}
	})
	if len(rest) > 0 {
		s.damagef(s.at, "%d bytes are not a whole protocol buffer", s.size)
	}
	return report, s.err()
}

func stabilityProcess(data []byte) StabilityProcess {
	var p StabilityProcess
	bin.EachProto(data, func(f *bin.ProtoField) {
		if f.Number == 3 {
			p.ID = int64(f.Value)
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
		bin.EachProto(data, func(f *bin.ProtoField) {
			path := at + format.ProtoPath(fmt.Sprint(f.Number))
			if name, ok := names[path]; ok && f.Data == nil {
				all = append(all, Counter{name, f.Value})
			} else if f.Data != nil && len(path) < len("4.1.1") {
				walk(f.Data, path+".")
			}
		})
	}
	walk(data, "")
	return all
}
