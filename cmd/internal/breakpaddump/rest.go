package breakpaddump

import (
	"bytes"

	"crashglass/core/dump/minidump"
)

// breakpadInfo writes MDRawBreakpadInfo: which thread wrote the dump, and for which thread.
//
// Source: minidump.cc, MinidumpBreakpadInfo::Print.
func breakpadInfo(p *printer) {
	b, _ := p.f.BreakpadInfo()
	if b == nil {
		return
	}
	p.rows("MDRawBreakpadInfo", 20, []row{
		{"validity", "0x%x", b.Validity},
		{"dump_thread_id", "%s", hexadecimal(b.DumpThread)},
		{"requesting_thread_id", "%s", hexadecimal(b.RequestingThread)},
	})
	p.text("\n")
}

// memoryInfo writes the list of VirtualQuery's answers.
//
// Source: minidump.cc, MinidumpMemoryInfoList::Print.
func memoryInfo(p *printer) {
	records, err := p.f.MemoryInfo()
	list(p, "MinidumpMemoryInfoList", "info", records, err, func(m *minidump.MemoryInfo) {
		p.rows("MDRawMemoryInfo", 21, []row{
			{"base_address", "0x%x", m.Base},
			{"allocation_base", "0x%x", m.AllocationBase},
			{"allocation_protection", "0x%x", uint32(m.AllocationProtect)},
			{"region_size", "0x%x", m.Size},
			{"state", "0x%x", uint32(m.State)},
			{"protection", "0x%x", uint32(m.Protect)},
			{"type", "0x%x", uint32(m.Type)},
		})
		p.text("\n")
	})
}

// texts writes the text streams, with \0 and a line end for each NUL, as the original does so that
// arguments and variables stand apart.
//
// Source: minidump_dump.cc, DumpRawStream.
func texts(p *printer) {
	for _, t := range []minidump.StreamType{
		minidump.LinuxCmdLineStream, minidump.LinuxEnvironStream, minidump.LinuxLSBReleaseStream,
		minidump.LinuxProcStatusStream, minidump.LinuxCPUInfoStream, minidump.LinuxMapsStream,
	} {
		data, err := p.f.Stream(t)
		if err != nil {
			continue
		}
		p.printf("Stream %s:\n", names[t])
		for len(data) > 0 {
			part, rest, ended := bytes.Cut(data, []byte{0})
			p.text(plain(string(part)))
			if ended {
				p.text("\\0\n")
			}
			if data = rest; len(data) == 0 {
				p.text("\n")
			}
		}
		p.text("\n")
	}
}
