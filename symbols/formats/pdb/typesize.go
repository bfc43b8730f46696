package pdb

// typeSize returns the size of a type in bytes; 0 when it is unknown.
func (f *File) typeSize(u *unit, number uint32) uint64 {
	for range maxTypeDepth {
		t, err := f.typeAt(u, number)
		if err != nil {
			return 0
		}
		switch t.kind {
		case 0:
			return f.primitiveSize(number)
		case leafModifier, leafModifiers, leafEnum, leafAlias:
			number = f.defined(t).of
			continue
		case leafPointer:
			return uint64(t.bytes)
		case leafProc, leafMethod:
			return f.wordSize()
		case leafClass, leafStruct, leafClass2, leafStruct2, leafInterface, leafInterface2, leafUnion, leafUnion2, leafArray, leafVector:
			return f.defined(t).size
		}
		return 0
	}
	return 0
}

func (f *File) primitiveSize(number uint32) uint64 {
	if primitivePointer(number) {
		return f.wordSize()
	}
	return primitives[number&0xff].size
}

func (f *File) wordSize() uint64 {
	if f.dbi.machine == machineX86 || f.dbi.machine == machineARM {
		return 4
	}
	return 8
}

// Calling conventions of x86 with arguments in registers: CV_call_e of cvinfo.h.
const (
	callFast   = 4
	callThis   = 11
	callVector = 24
)

// argumentBytes is how many bytes of arguments a caller on x86 has on its
// stack, by the types of the arguments; 0 on other CPUs, and where a size is
// not known or a convention that passes some in registers leaves it open.
// "this" is in a register with the usual convention of methods.
func (f *File) argumentBytes(u *unit, t typ) (n uint32) {
	if f.dbi.machine != machineX86 || t.call == callFast || t.call == callVector {
		return 0
	}
	list, err := f.typeAt(u, t.args)
	if err != nil || len(list.list) > maxTypeSteps {
		return 0
	}
	if t.structOut {
		n += 4
	}
	if t.kind == leafMethod && t.this != 0 && t.call != callThis {
		n += 4
	}
	for _, number := range list.list {
		size := f.typeSize(u, number)
		if size == 0 && number != 0 || size > 1<<16 {
			return 0
		}
		n += (uint32(size) + 3) &^ 3
	}
	return n
}

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
