package pdb

import (
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
)

// Versions of the list of section contributions, which are the sizes of its
// entries: DBISCImpvV60 and DBISCImpv2 of microsoft-pdb.
var contribSizes = map[uint32]int{
	0xeffe0000 + 19970605: 28,
	0xeffe0000 + 20140516: 32, // with the number of the section in the object file
}

// contribsRead is how many contributions are read at once. A browser has millions; the bytes of all
// would be in memory beside the table that is made of them.
const contribsRead = 1 << 14

// contributions reads the module of each range of code: the parts that the linker took from object
// files. Data is skipped.
//
// Spec: https://llvm.org/docs/PDB/DbiStream.html#section-contribution-substream
func (d *dbi) contributions(t *ranges.Table, a *addressMap) error {
	if d.s == nil || d.contribs.size < 4 {
		return nil
	}
	c, err := d.s.cursor(d.contribs.off, 4)
	if err != nil {
		return err
	}
	version := c.U32()
	size, ok := contribSizes[version]
	if !ok {
		return &bin.Error{What: "section contributions of " + d.s.what, Off: d.contribs.off, Why: fmt.Sprintf("unknown version %#x", version)}
	}
	at, end := d.contribs.off+4, d.contribs.off+d.contribs.size
	for at+int64(size) <= end {
		n := min((end-at)/int64(size), contribsRead) * int64(size)
		if c, err = d.s.cursor(at, uint64(n)); err != nil {
			return err
		}
		for c.Len() > 0 {
			addContribution(t, c, size, a)
		}
		at += n
	}
	return nil
}

// addContribution reads one entry of size bytes: SC or SC2 of microsoft-pdb's
// dbicommon.h.
func addContribution(t *ranges.Table, c *bin.Cursor, size int, a *addressMap) {
	sect := c.U16()
	c.Skip(2)
	off, length := c.U32(), c.U32()
	c.Skip(4) // flags of the section in the object file
	module := c.U16()
	c.Skip(size - 18)
	if start, ok := a.rva(sect, off); ok && a.isCode(sect) {
		addRun(t, start, endOf(start, length), int(module))
	}
}

// owners are the contributions, and the module that each is of.
func (f *File) owners() *ranges.Table {
	if f.contribs == nil {
		t := &ranges.Table{}
		f.notes.error(f.dbi.contributions(t, &f.addr))
		if t.Len() == 0 {
			f.procedures(t)
		}
		t.Finish()
		f.contribs = t
	}
	return f.contribs
}

// procedures reads all modules to find their functions. It replaces the contributions if there are
// none.
func (f *File) procedures(t *ranges.Table) {
	for i := range f.mods() {
		u := f.unit(i)
		for _, fn := range u.funcs {
			addRun(t, fn.start, fn.end, i)
		}
	}
}
