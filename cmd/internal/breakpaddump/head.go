package breakpaddump

import (
	"maps"
	"slices"

	"crashglass/core/dump/minidump"
)

// header writes MINIDUMP_HEADER. Counts are signed, as the original prints them.
//
// Source: minidump.cc, Minidump::Print.
func header(p *printer) {
	h := p.f.Header()
	p.rows("MDRawHeader", 20, []row{
		{"signature", "0x%x", h.Signature},
		{"version", "0x%x", h.Version},
		{"stream_count", "%d", int32(h.Streams)},
		{"stream_directory_rva", "0x%x", h.Directory},
		{"checksum", "0x%x", h.Checksum},
		{"time_date_stamp", "%s", stamped(uint32(h.Time))},
		{"flags", "0x%x", uint64(h.Flags)},
	})
	p.text("\n")
}

// directory writes the entries in the file's order, also those of unused streams.
//
// Source: minidump.cc, Minidump::Print.
func directory(p *printer) {
	for i, s := range p.f.Streams() {
		p.printf("mDirectory[%d]\nMDRawDirectory\n", i)
		p.more(18, []row{
			{"stream_type", "%s", typed(s.Type)},
			{"location.data_size", "%d", int32(s.Size)},
			{"location.rva", "0x%x", s.RVA},
		})
		p.text("\n")
	}
}

// streams writes which entry of the directory is used for each type. The original refuses a dump with two
// streams of a type; here the one that package minidump reads is named.
func streams(p *printer) {
	p.text("Streams:\n")
	used := map[minidump.StreamType]int{}
	for _, s := range p.f.Streams() {
		used[s.Type], _ = p.f.Used(s.Type)
	}
	for _, t := range slices.Sorted(maps.Keys(used)) {
		p.printf("  stream type %s at index %d\n", typed(t), used[t])
	}
	p.text("\n")
}
