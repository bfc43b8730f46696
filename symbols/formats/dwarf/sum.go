package dwarf

import "slices"

// md5Size is the number of bytes of DW_LNCT_MD5.
const md5Size = 16

// SourceSum returns the MD5 sum of a source file of the unit with the code at an address, by the name that [File.Locate] has. Line tables before
// version 5 have none. Source: section 6.2.4.1 of DWARF 5.
func (f *File) SourceSum(rel uint64, file string) (algorithm string, sum []byte) {
	sum, ok := find(f, func() (sum []byte, ok bool) {
		p, _, ok := f.at(rel)
		if !ok {
			return nil, false
		}
		l := p.lines
		for i, e := range l.head.files {
			if e.sum == 0 || l.path(uint32(i)) != file {
				continue
			}
			b, err := l.unit.group.section("line").bytes(e.sum, md5Size)
			f.noteError(err)
			return slices.Clone(b), err == nil
		}
		return nil, false
	})
	if !ok {
		return "", nil
	}
	return "MD5", sum
}
