package pdb

import "crashglass/core/bin"

// Versions of the list of section contributions, which are the sizes of its
// entries: DBISCImpvV60 and DBISCImpv2 of microsoft-pdb.
var contribSizes = map[uint32]int{
	0xeffe0000 + 19970605: 28,
	0xeffe0000 + 20140516: 32, // with the number of the section in the object file
}

// contributions reads which code belongs to which module: the pieces that the
// linker took from object files. Data is left out.
//
// Spec: https://llvm.org/docs/PDB/DbiStream.html#section-contribution-substream
func (d *dbi) contributions(a *addressMap) ([]span, error) {
	if d.s == nil || d.contribs.size < 4 {
		return nil, nil
	}
	raw, err := d.s.read(d.contribs.off, uint64(d.contribs.size))
	if err != nil {
		return nil, err
	}
	c := bin.NewCursor("section contributions of "+d.s.what, d.contribs.off, raw)
	version := c.U32()
	size, ok := contribSizes[version]
	if !ok {
		c.Fail("unknown version %#x", version)
		return nil, c.Err()
	}
	var out []span
	for c.Len() >= size {
		sect := c.U16()
		c.Skip(2)
		off, length := c.U32(), c.U32()
		c.Skip(4)
		module := c.U16()
		c.Skip(size - 18)
		start, ok := a.rva(sect, off)
		if ok && length > 0 && a.isCode(sect) {
			out = append(out, span{start, endOf(start, length), int32(module)})
		}
	}
	return out, c.Err()
}

// owners are the contributions, and the module that each is of.
func (f *File) owners() spans {
	if f.contribs == nil {
		list, err := f.dbi.contributions(&f.addr)
		f.notes.error(err)
		if len(list) == 0 {
			list = f.procedures()
		}
		f.contribs = divideOwners(list)
	}
	return f.contribs
}

// divideOwners is divide for spans whose items are modules, not places in the list.
func divideOwners(list []span) spans {
	if list == nil {
		return spans{}
	}
	modules := make([]int32, len(list))
	for i := range list {
		modules[i], list[i].item = list[i].item, int32(i)
	}
	out := divide(list)
	for i := range out {
		out[i].item = modules[out[i].item]
	}
	return out
}

// procedures reads all modules to find out which functions each has. It stands
// in for the contributions where there are none.
func (f *File) procedures() (out []span) {
	for i := range f.mods() {
		u := f.unit(i)
		for _, fn := range u.funcs {
			out = append(out, span{fn.start, fn.end, int32(i)})
		}
	}
	return out
}
