package breakpad

import (
	"cmp"
	"errors"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
	"crashglass/symbols/search"
)

// A series is all records with one kind of number: addresses, or the numbers of FILE or
// INLINE_ORIGIN.
type series = search.Series

const (
	byFile series = iota
	byOrigin
	byFunc
	byWin
	byInit
	seriesCount
)

// section is the order in which files have the records of each series. A file with another order is
// scanned.
var section = [seriesCount]int{byFile: 0, byOrigin: 1, byFunc: 2, byWin: 3, byInit: 4}

// publicSection is the section of PUBLIC records, which are before, among or after FUNC records.
const publicSection = 2

// The flags of a block.
const (
	hasLines = 1 << iota
	hasInlines
)

// pageSize is the default size of a read for a search: the best one for a file on a disk.
const pageSize = 16 << 10

// lineRead is how much is read at a time for the end of a line.
const lineRead = 1 << 10

var errNoLine = errors.New("no line begins within reach")

// A blockReader scans the lines that begin in a page, as a block of a search.
type blockReader struct {
	t     text
	pages *search.Pages
	size  int64    // lines that begin in so many units are a block
	part  *scanner // which scans blocks, one after another
	ends  []byte   // in which ends of lines are searched

	module, codeID int64 // offsets of MODULE and INFO CODE_ID in the first block, or -1
}

// newBlockReader reads a file in pages of a size, in units.
func newBlockReader(src bin.Source, page int64) (*blockReader, error) {
	p := search.NewPages(src, page)
	t, err := newText(bin.NewSource(p, src.Size()))
	if err != nil {
		return nil, err
	}
	return &blockReader{t: t, pages: p, size: page, part: newScanner(t), module: -1, codeID: -1}, nil
}

func (r *blockReader) count() int64 { return (r.t.size() + r.size - 1) / r.size }

// read scans the lines that begin in a page.
func (r *blockReader) read(number int64) (*search.Block, error) {
	// The page first: its last line ends in what is read beyond it.
	r.pages.Load(r.t.offset(number * r.size))
	from, err := r.lineFrom(number * r.size)
	if err != nil {
		return nil, err
	}
	to, err := r.lineFrom(min((number+1)*r.size, r.t.size()))
	if err != nil {
		return nil, err
	}
	r.part.again(from)
	if err := r.part.run(from, to, progressOf(r.t, nil)); err != nil {
		return nil, err
	}
	x := &r.part.index
	if number == 0 {
		r.module, r.codeID = x.module, x.codeID
	}
	return x.block(), nil
}

// block lists the records of the index of a part of a file by series.
func (x *index) block() *search.Block {
	b := search.NewBlock(int(seriesCount))
	for s, t := range map[series]*ranges.Table{byFunc: &x.funcs, byWin: &x.frames, byInit: &x.inits} {
		b.Rows[s] = slices.Grow(b.Rows[s], t.Len())
		for i := range t.Len() {
			b.Rows[s] = append(b.Rows[s], t.Range(i))
		}
	}
	b.Rows[byFile], b.Rows[byOrigin] = x.files.ranges(), x.origins.ranges()
	if x.publics.Len() > 0 {
		b.Touch(publicSection)
	}
	if x.fpo.Len() > 0 {
		b.Touch(section[byWin])
	}
	if x.lines {
		b.Flags |= hasLines
	}
	if x.inlines {
		b.Flags |= hasInlines
	}
	return b
}

// ranges lists the numbers in the order of the file, as ranges of one number each, so that numbers
// are found as addresses are: of two records with one number the first is used.
func (p *pairs) ranges() (out []ranges.Range) {
	out = slices.Grow(out, p.Len())
	for i := range p.Len() {
		out = append(out, ranges.Range{Start: p.key(i), Size: 1, Value: p.off(i)})
	}
	slices.SortFunc(out, func(a, b ranges.Range) int { return cmp.Compare(a.Value, b.Value) })
	return out
}

// lineFrom returns the start of the first line that begins after a unit, or
// with the text.
func (r *blockReader) lineFrom(at int64) (int64, error) {
	if at <= 0 {
		return 0, nil
	}
	step := min(lineRead, max(r.size/8, 64))
	if r.ends == nil {
		r.ends = make([]byte, 3*step)
	}
	buf, scratch := r.ends[:step], r.ends[step:]
	for end := min(at+maxLine+lineRead, r.t.size()); at < end; {
		part := buf[:min(step, end-at)]
		if err := r.t.squeeze(part, at, scratch); err != nil {
			return 0, err
		}
		if i := newline(part, 0); i < len(part) {
			return at + int64(i) + 1, nil
		}
		at += int64(len(part))
	}
	if at == r.t.size() {
		return at, nil
	}
	return 0, errNoLine
}
