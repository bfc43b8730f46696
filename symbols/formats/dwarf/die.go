package dwarf

// A die is an entry with all of its attributes.
type die struct {
	n        *node
	at       int // in the unit
	tag      uint16
	children bool
	next     int // behind its attributes
	attrs    []attribute
}

// An attribute is one attribute of an entry, with its name (DW_AT).
type attribute struct {
	name uint16
	value
}

// die reads the entry at an offset of the unit.
func (n *node) die(at int) (d die, ok bool) {
	if at < int(n.dies-n.off) || at >= len(n.data) {
		return d, false
	}
	r := buffer{b: n.data, at: at, big: n.group.big}
	a := n.table.find(r.uleb())
	if a == nil {
		return d, false
	}
	d = die{n: n, at: at, tag: a.tag, children: a.children, attrs: make([]attribute, 0, len(a.ops))}
	for i := range a.ops {
		o := &a.ops[i]
		d.attrs = append(d.attrs, attribute{o.name, n.sizes.read(&r, o.form, o.implicit)})
	}
	d.next = r.at
	return d, !r.bad && n.group.file.limits.entries.Spend(int64(r.at-at))
}

// get returns an attribute, which is not set where there is none.
func (d *die) get(name uint16) value {
	for i := range d.attrs {
		if d.attrs[i].name == name {
			return d.attrs[i].value
		}
	}
	return value{}
}

func (d *die) first(names ...uint16) value {
	for _, name := range names {
		if v := d.get(name); v.set() {
			return v
		}
	}
	return value{}
}

// flag reports whether an attribute is there and is not zero. Version 4 has flags without a value.
func (d *die) flag(name uint16) bool { v := d.get(name); return v.set() && v.v != 0 }

// number returns an attribute that is a constant.
func (d *die) number(name uint16) (uint64, bool) { return d.n.constant(d.get(name)) }

func (n *node) constant(v value) (uint64, bool) {
	switch v.form {
	case formData1, formData2, formData4, formData8, formUdata, formSdata, formImplicitConst, formFlag, formFlagPresent:
		return v.v, true
	}
	return 0, false
}

// block returns the bytes of a block or an expression.
func (n *node) block(v value) ([]byte, bool) {
	r := buffer{b: n.data, at: int(min(v.v, uint64(len(n.data)))), big: n.group.big}
	size := uint64(16)
	switch v.form {
	case formBlock1:
		size = uint64(r.u8())
	case formBlock2:
		size = uint64(r.u16())
	case formBlock4:
		size = uint64(r.u32())
	case formBlock, formExprloc:
		size = r.uleb()
	case formData16:
	default:
		return nil, false
	}
	if size > uint64(r.len()) {
		return nil, false
	}
	b := r.take(int(size))
	return b, !r.bad
}

func (d *die) text(name uint16) string {
	v := d.get(name)
	if !v.set() {
		return ""
	}
	return d.n.readText(d.n.unit.text(v))
}

// each calls visit for the entries directly in d. visit returns the end of the entry if it knows
// it, or 0. each returns where d ends.
func (d *die) each(visit func(c *die) (end int)) int {
	at := d.next
	if !d.children {
		return at
	}
	for at < len(d.n.data) && d.n.data[at] != 0 {
		c, ok := d.n.die(at)
		if !ok {
			return len(d.n.data)
		}
		end := visit(&c)
		if end < 0 {
			return len(d.n.data)
		}
		if end <= at {
			end = c.end()
		}
		at = end
	}
	return at + 1
}

// stop is returned by a visit to end the iteration.
const stop = -1

// end finds the end of an entry with all of its children.
func (d *die) end() int {
	if !d.children {
		return d.next
	}
	if v := d.get(atSibling); v.set() {
		if at := int(min(v.v, uint64(len(d.n.data)))); at > d.next && v.form != formRefAddr {
			return at
		}
	}
	r := buffer{b: d.n.data, at: d.next, big: d.n.group.big}
	for depth := 1; depth > 0 && r.len() > 0; {
		code := r.uleb()
		if code == 0 {
			depth--
			continue
		}
		a := d.n.table.find(code)
		if a == nil {
			return len(d.n.data)
		}
		if a.skip(&r, d.n.sizes); a.children {
			depth++
		}
	}
	d.n.group.file.limits.entries.Spend(int64(r.at - d.next))
	return r.at
}

// follow returns the entry that a reference leads to.
func (n *node) follow(v value) (d die, ok bool) {
	if !v.set() {
		return d, false
	}
	if v.form == formRefSig8 {
		return n.group.file.bySignature(v.v)
	}
	return n.entryOf(n.entry(v))
}

func (n *node) entryOf(ref ref) (d die, ok bool) {
	g := ref.target(n.group)
	if g == nil {
		return d, false
	}
	if g == n.group && !(n.inTypes && ref.form == formRefAddr) && n.off <= ref.v && ref.v < n.end {
		return n.die(int(ref.v - n.off))
	}
	u := g.unitAt(ref.v)
	if u == nil {
		n.group.file.note("dwarf: .debug_info at %#x: reference to %#x, which is in no unit", n.off, ref.v)
		return d, false
	}
	to := n.group.file.node(u)
	if to == nil {
		return d, false
	}
	return to.from(n).die(int(ref.v - u.off))
}

// inherited returns an attribute of an entry or of those that it continues: its
// abstract origin, or its declaration. The value belongs to the entry returned.
func (d *die) inherited(names ...uint16) (die, value) {
	at := *d
	for range maxHops {
		if v := at.first(names...); v.set() {
			return at, v
		}
		from, ok := at.n.follow(at.first(atAbstractOrigin, atSpecification))
		if !ok {
			break
		}
		at = from
	}
	return at, value{}
}

// name returns the name of an entry, or of those that it continues.
func (d *die) name(names ...uint16) string {
	from, v := d.inherited(names...)
	if !v.set() {
		return ""
	}
	return from.n.readText(from.n.unit.text(v))
}
