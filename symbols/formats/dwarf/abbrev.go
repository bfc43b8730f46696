package dwarf

import "slices"

// An op is a step in reading an entry: skip so many bytes, skip one value of
// variable size, or read an attribute that matters.
type op struct {
	name     uint16 // of an attribute that is read; 0 when something is skipped
	form     uint16 // 0 to skip bytes
	skip     uint32 // how many
	implicit int64
}

// An abbrev describes the layout of an entry, compiled so that unused attributes are skipped in as
// few steps as possible.
type abbrev struct {
	code     uint64
	tag      uint16
	children bool
	ops      []op
}

func matters(tag, name uint16) bool {
	switch tag {
	case tagSubprogram, tagInlined:
		switch name {
		case atName, atLowPC, atHighPC, atRanges, atAbstractOrigin, atSpecification, atLinkageName, atMIPSLinkageName, atCallFile, atCallLine:
			return true
		}
	case tagCompileUnit, tagPartialUnit, tagSkeletonUnit, tagTypeUnit:
		switch name {
		case atName, atStmtList, atLowPC, atHighPC, atCompDir, atRanges, atStrOffsetsBase, atAddrBase, atRnglistsBase, atLoclistsBase, atLanguage, atLanguageName, atDwoName,
			atGNUDwoName, atGNUDwoID, atGNURangesBase, atGNUAddrBase:
			return true
		}
	}
	return false
}

// maxAbbrevs bounds the abbreviations of a table, maxOps the attributes of one.
const (
	maxAbbrevs = 1 << 20
	maxOps     = 1 << 12
)

// parseAbbrev reads one declaration (section 7.5.3); its code is 0 at the end
// of a table. All attributes matter if all is set. It takes over ops.
func parseAbbrev(r *buffer, s sizes, all bool, ops []op) (a abbrev) {
	a.ops = ops[:0]
	if a.code = r.uleb(); a.code == 0 {
		return a
	}
	tag := r.uleb()
	a.tag, a.children = uint16(tag), r.u8() != 0
	if tag > 0xffff {
		r.fail()
	}
	for !r.bad {
		name, form := r.uleb(), r.uleb()
		var implicit int64
		if form == formImplicitConst {
			implicit = r.sleb()
		}
		if name == 0 && form == 0 {
			break
		}
		if name > 0xffff || form == 0 || form > 0xffff || len(a.ops) == maxOps {
			r.fail()
			break
		}
		a.add(uint16(name), uint16(form), implicit, s, all)
	}
	return a
}

// add adds an attribute to the steps. One that does not matter only has to be skipped: those of a known
// size are joined to one step, because most attributes of most entries are skipped.
func (a *abbrev) add(name, form uint16, implicit int64, s sizes, all bool) {
	if all || matters(a.tag, name) {
		a.ops = append(a.ops, op{name: name, form: form, implicit: implicit})
		return
	}
	n := s.fixedSize(form)
	if n == variable {
		a.ops = append(a.ops, op{form: form})
		return
	}
	if last := len(a.ops) - 1; last >= 0 && a.ops[last].name == 0 && a.ops[last].form == 0 {
		a.ops[last].skip += uint32(n)
	} else if n > 0 {
		a.ops = append(a.ops, op{skip: uint32(n)})
	}
}

func (a *abbrev) skip(r *buffer, s sizes) {
	for i := range a.ops {
		o := &a.ops[i]
		switch {
		case o.form == 0:
			r.skip(uint64(o.skip))
		case o.name == 0:
			s.skip(r, o.form)
		default:
			s.read(r, o.form, o.implicit)
		}
	}
}

// kept is an abbrev with memory of its own.
func (a abbrev) kept() abbrev {
	a.ops = slices.Clone(a.ops)
	return a
}

// An entry has the attributes of a subprogram or an inlined subroutine.
type entry struct {
	name            ref // of the linker, else plain, else where the name is
	low, high, list value
	file, line      uint64
}

// The ranks of names, the best last. The linkage name is unique. An entry repeats the name of its
// origin only if its own differs.
const (
	rankNone = iota
	rankOrigin
	rankPlain
	rankLinkage
)

// read reads the attributes of an entry of unit u. Its first byte is at off.
func (e *entry) read(r *buffer, a *abbrev, u *unit, off uint64) {
	// Texts that are in the entry itself lie where the buffer is.
	moved := off - u.off
	rank := rankNone
	for i := range a.ops {
		o := &a.ops[i]
		switch {
		case o.form == 0:
			r.skip(uint64(o.skip))
			continue
		case o.name == 0:
			u.skip(r, o.form)
			continue
		}
		v := u.sizes.read(r, o.form, o.implicit)
		switch o.name {
		case atLowPC:
			e.low = v
		case atHighPC:
			e.high = v
		case atRanges:
			e.list = v
		case atCallFile:
			e.file = v.v
		case atCallLine:
			e.line = v.v
		default:
			if v.form == formString {
				v.v += moved
			}
			rank = e.takeName(u, o.name, v, rank)
		}
	}
}

// Attributes come in any order.
func (e *entry) takeName(u *unit, name uint16, v value, rank int) int {
	switch name {
	case atLinkageName, atMIPSLinkageName:
		e.name, rank = u.text(v), rankLinkage
	case atName:
		if rank < rankPlain {
			e.name, rank = u.text(v), rankPlain
		}
	case atAbstractOrigin, atSpecification:
		if rank <= rankOrigin {
			e.name, rank = u.entry(v), rankOrigin
		}
	}
	return rank
}
