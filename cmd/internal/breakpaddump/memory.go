package breakpaddump

import (
	"encoding/hex"

	"crashglass/core/dump/minidump"
)

const (
	width = 16      // bytes in a row
	piece = 1 << 16 // bytes that are read at once, a multiple of a row
)

// memoryList writes the ranges of stream 5 with their bytes. The original has no text for the 64-bit
// list.
//
// Source: minidump.cc, MinidumpMemoryList::Print.
func memoryList(p *printer) {
	records, err := p.f.MemoryList()
	list(p, "MinidumpMemoryList", "region", records, err, func(r *minidump.Range) {
		p.rows("MDMemoryDescriptor", 21, []row{
			{"start_of_memory_range", "0x%x", r.Base},
			{"memory.data_size", "0x%x", r.Size},
			{"memory.rva", "0x%x", r.RVA},
		})
		p.text("Memory\n")
		p.memory(r.Location)
		p.text("\n")
	})
}

// memory writes the bytes at a location: as rows, or as one number. Its last byte decides whether
// there is any, so that no large range is read to find out.
func (p *printer) memory(loc minidump.Location) {
	last := minidump.Location{RVA: loc.RVA + loc.Size - 1, Size: 1}
	if _, err := p.f.Bytes("memory", last); err != nil || loc.Size == 0 {
		p.text("No memory\n")
		return
	}
	if !p.opt.Rows {
		p.text("0x")
	}
	for at := uint64(0); at < loc.Size && !p.room.Exceeded(); at += piece {
		data, err := p.f.Bytes("memory", minidump.Location{RVA: loc.RVA + at, Size: min(piece, loc.Size-at)})
		if err != nil {
			break
		}
		if p.opt.Rows {
			p.rowsOf(at, data)
		} else {
			p.text(hex.EncodeToString(data))
		}
	}
	if !p.opt.Rows {
		p.text("\n")
	}
}

// A row begins with its offset in the range, not with an address.
func (p *printer) rowsOf(at uint64, data []byte) {
	for i := 0; i < len(data); i += width {
		line := data[i:min(i+width, len(data))]
		p.printf("%08x  %s|%-*s|\n", at+uint64(i), digits(line), width, readable(line))
	}
}

// digits returns the digits of a row, with a gap after eight bytes.
func digits(line []byte) string {
	out := make([]byte, 0, 3*width+2)
	for i := range width {
		if i < len(line) {
			out = append(hex.AppendEncode(out, line[i:i+1]), ' ')
		} else {
			out = append(out, "   "...)
		}
		if i%8 == 7 {
			out = append(out, ' ')
		}
	}
	return string(out)
}

// readable returns the text of a row, with a dot for each byte that is not printable ASCII.
func readable(line []byte) string {
	out := make([]byte, len(line))
	for i, c := range line {
		out[i] = '.'
		if c >= ' ' && c <= '~' {
			out[i] = c
		}
	}
	return string(out)
}
