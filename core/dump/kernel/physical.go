package kernel

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/base/sorting"
	"crashglass/core/process"
)

const pageSize = process.MapperPage // tables is a process.Mapper

// physical finds physical pages in the file.
type physical struct {
	runs   []placed // sorted by first page
	bitmap []byte
	ranks  []int64 // pages present before each block of the bitmap
	first  int64   // of the pages of a bitmap
	count  uint64
}

// A placed run is consecutive pages in the file.
type placed struct {
	Run
	off int64
}

func (p *physical) offset(page uint64) (int64, bool) {
	if p.bitmap != nil {
		return p.byBitmap(page)
	}
	i, exact := slices.BinarySearchFunc(p.runs, page, func(r placed, page uint64) int { return cmp.Compare(r.First, page) })
	if !exact {
		i--
	}
	if i < 0 || page-p.runs[i].First >= p.runs[i].Count {
		return 0, false
	}
	return p.runs[i].off + int64(page-p.runs[i].First)*pageSize, true
}

// rankBlock is the number of bytes of a bitmap whose bits are counted for each page.
const rankBlock = 64

func (p *physical) byBitmap(page uint64) (int64, bool) {
	at := page / 8
	if at >= uint64(len(p.bitmap)) || p.bitmap[at]>>(page%8)&1 == 0 {
		return 0, false
	}
	start := at / rankBlock * rankBlock
	n := p.ranks[at/rankBlock] + int64(ones(p.bitmap[start:at])) + int64(bits.OnesCount8(p.bitmap[at]&(1<<(page%8)-1)))
	return p.first + n*pageSize, true
}

func ones(b []byte) (n int) {
	for _, v := range b {
		n += bits.OnesCount8(v)
	}
	return n
}

// physical reads the list of pages. It returns nil if there is none.
func (r *reader) physical() (*physical, error) {
	at := r.head.layout.size
	head, err := r.src.ReadUpTo("list of pages", at, 0x40)
	if err != nil {
		return nil, err
	}
	switch {
	case len(head) == 0x40 && string(head[4:8]) == "DUMP" && (string(head[:4]) == "SDMP" || string(head[:4]) == "FDMP"):
		return r.readBitmap(at, head)
	case len(head) == 0x40 && string(head[4:12]) == "RDMPDUMP":
		return r.readRanges(at, head)
	case r.head.Type == fullDump:
		r.detail.Blocks = append(r.detail.Blocks, Block{"pages", at, uint64(r.src.Size() - at)})
		return r.place(r.head.Runs, at), nil
	}
	return nil, &bin.Error{What: "list of pages", Off: at, Why: fmt.Sprintf("signature %q of a dump of type %d is not known", head[:min(8, len(head))], r.head.Type)}
}

// place puts runs one behind the other from an offset of the file on.
func (r *reader) place(runs []Run, off int64) *physical {
	p := &physical{}
	for _, run := range runs {
		left := uint64(max(r.src.Size()-off, 0)) / pageSize
		if run.Count > left {
			r.notef("list of pages", off, "a run of %d pages from page %#x on reaches beyond the end of the file at %#x", run.Count, run.First, r.src.Size())
			r.Origin.Need = max(r.Origin.Need, off+int64(min(run.Count, 1<<40))*pageSize)
			run.Count = left
		}
		if run.Count > 0 {
			p.runs = append(p.runs, placed{run, off})
			p.count += run.Count
		}
		off += int64(run.Count) * pageSize
	}
	r.end = off
	sorting.Stable(p.runs, func(a, b placed) int { return cmp.Compare(a.First, b.First) })
	return p
}

// mostBitmap bounds a bitmap: one of 64 MiB is for 2 TiB of memory.
const mostBitmap = 64 << 20

// readBitmap reads a bitmap: bit n says that physical page n is next in the file.
//
// Sources: kdmp-parser, src/lib/kdmp-parser-structs.h (BMP_HEADER64); volatility3, crash_common.json (_SUMMARY_DUMP), which has the
// same fields for 32-bit dumps.
func (r *reader) readBitmap(at int64, head []byte) (*physical, error) {
	d := fields{head, 8}
	first, present, pages, from := d.u64(0x20), d.u64(0x28), d.u64(0x30), at+0x38
	room := uint64(max(0, int64(min(first, 1<<62))-from))
	whole := pages/8 + (pages%8+7)/8
	if whole > min(room, mostBitmap) {
		r.notef("bitmap", at, "%d bits do not fit into the %d bytes before the first page at %#x", pages, room, first)
	}
	data, err := r.src.ReadUpTo("bitmap", from, min(whole, room, mostBitmap))
	if err != nil {
		return nil, err
	}
	if tail := pages % 8; tail > 0 && uint64(len(data)) == whole {
		data[len(data)-1] &= 1<<tail - 1
	}
	p := &physical{bitmap: data, first: int64(first)}
	for i := 0; i < len(data); i += rankBlock {
		p.ranks = append(p.ranks, int64(p.count))
		p.count += uint64(ones(data[i:min(i+rankBlock, len(data))]))
	}
	if p.count != present {
		r.notef("bitmap", at, "%d bits are set, and the header says %d", p.count, present)
	}
	r.end = p.first + int64(p.count)*pageSize
	r.Origin.Need = r.end
	r.detail.Blocks = append(r.detail.Blocks, Block{"bitmap", from, uint64(len(data))}, Block{"pages", p.first, p.count * pageSize})
	return p, nil
}

const mostRanges = 1 << 20

// readRanges reads ranges of pages. Source: kdmp-parser-rs, src/structs.rs (RdmpHeader64, KernelRdmpHeader64, FullRdmpHeader64, PfnRange).
func (r *reader) readRanges(at int64, head []byte) (*physical, error) {
	d := fields{head, 8}
	size, first, from := d.u64(0x10), d.u64(0x18), at+0x30
	if end := uint64(at) + 0x20 + size; end != first {
		r.notef("list of pages", at, "metadata ends at %#x, and the first page is at %#x", end, first)
	}
	data, err := r.src.ReadUpTo("list of pages", from, min(max(size, 0x10)-0x10, 16*mostRanges))
	if err != nil {
		return nil, err
	}
	c := bin.NewCursor("list of pages", from, data)
	var runs []Run
	for c.Len() >= 16 {
		run := Run{c.U64(), c.U64()}
		if run.First == 0 {
			break
		}
		runs = append(runs, run)
	}
	start := int64(min(first, 1<<62))
	r.detail.Blocks = append(r.detail.Blocks, Block{"ranges of pages", from, uint64(len(runs) * 16)}, Block{"pages", start, uint64(max(r.src.Size()-start, 0))})
	return r.place(runs, start), nil
}
