package pdb

// describe adds the arguments and the prologue by the function's type and the frame records of x86.
func (s *scoping) describe(b *body) {
	t, ok := s.f.functionType(s.u, b)
	if ok {
		s.arguments = s.f.argumentCount(s.u, t)
	}
	if s.f.dbi.machine != machineX86 {
		return
	}
	r, found := s.f.frameRecords().find(s.rva)
	if !found {
		return
	}
	s.frame.behind = s.rva-r.start >= r.prolog
	s.frame.pointers = ok && r.params < s.f.argumentBytes(s.u, t)
}

// functionType is the type of a function.
func (f *File) functionType(u *unit, b *body) (t typ, ok bool) {
	number := b.sym.typ
	if b.sym.isID {
		id, err := f.idAt(u, number)
		if err != nil {
			return t, false
		}
		number = id.typ
	}
	t, err := f.typeAt(u, number)
	return t, err == nil && (t.kind == leafProc || t.kind == leafMethod)
}

// argumentCount is how many arguments a function has. Records without flags
// have the arguments before the locals.
func (f *File) argumentCount(u *unit, t typ) int {
	list, err := f.typeAt(u, t.args)
	if err != nil {
		return 0
	}
	n := len(list.list)
	if t.kind == leafMethod && t.this != 0 {
		n++
	}
	return n
}
