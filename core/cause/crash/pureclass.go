package crash

// mostVirtual bounds the entries of a virtual table that are searched.
const mostVirtual = 64

// pureClass returns the class of the object whose pure virtual function was called, or "". The caller keeps a pointer to the object on
// its stack or in a register, and the object's virtual table has the address of the function that ends the program.
func (s *facts) pureClass() string {
	const name = "__cxa_pure_virtual"
	f := s.frameNamed(name)
	if f == nil || f.index() < 0 || s.in.Memory == nil || s.in.Arch == nil {
		return ""
	}
	pure, ok := s.exported(&s.in.Modules.Modules()[f.index()], name)
	for i := range s.in.Frames {
		r := &s.in.Frames[i]
		if r.Frame != f.Frame || !ok {
			continue
		}
		for n := i; n < min(i+3, len(s.in.Frames)); n++ {
			for _, v := range s.in.Frames[n].Walked().Regs.All() {
				if class := s.classWith(v, pure); class != "" {
					return class
				}
			}
			low, high := s.locals(n)
			for at := low; at < high; at += uint64(s.in.Arch.Word) {
				v, _ := s.word(at)
				if class := s.classWith(v, pure); class != "" {
					return class
				}
			}
		}
		return ""
	}
	return ""
}

// classWith returns the class of an object whose virtual table has an entry, or "". In front of the table is a pointer to the
// std::type_info. Itanium C++ ABI, 2.5.
func (s *facts) classWith(object, entry uint64) string {
	table, ok := s.word(object)
	if !ok || s.in.Modules.IndexAt(table) < 0 {
		return ""
	}
	word := uint64(s.in.Arch.Word)
	for i := range uint64(mostVirtual) {
		v, ok := s.word(table + i*word)
		if !ok {
			return ""
		}
		if v == entry {
			return s.typeInfo(table - word)
		}
	}
	return ""
}
