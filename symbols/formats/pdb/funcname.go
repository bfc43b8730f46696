package pdb

import "strconv"

// omitted is the name of a function without a name.
const omitted = "<name omitted>"

// nameFunction gives a function its name: the record's, which has the scopes, and the types of its
// arguments. dump_syms writes this form, so crash reports of Firefox and Sentry show it; debuggers
// show it without arguments. A function without type information, as of assembly or in a stripped
// PDB, has the record's name.
func (f *File) nameFunction(u *unit, b *body) {
	b.name, b.raw = b.sym.name, true
	if b.name == "" {
		b.name = omitted
	}
	number := b.sym.typ
	if b.sym.isID {
		id, err := f.idAt(u, number)
		f.notes.error(err)
		number = id.typ
	}
	if number == 0 || b.sym.thunk {
		return
	}
	if s := f.signature(u, number); s.ok {
		b.name += s.text
		b.raw = false
		b.params = s.params
	}
}

// A signature is the part of a function's name that comes from its type. Most functions share
// theirs with others.
type signature struct {
	text   string
	params uint32 // bytes of arguments on the stack, on x86
	ok     bool
}

// signature is that of the type with a number, in unit u.
func (f *File) signature(u *unit, number uint32) (s signature) {
	number, err := f.number(u, number)
	if err != nil {
		f.notes.error(err)
		return s
	}
	if s, ok := f.signatures.Get(number); ok {
		return s
	}
	t, err := f.typeAt(u, number)
	if err != nil {
		f.notes.error(err)
	} else if s.text, s.ok = f.argumentText(u, t); s.ok {
		s.params = f.argumentBytes(u, t)
	}
	f.signatures.Put(number, s, 96+len(s.text))
	return s
}

// argumentText writes the arguments of a function's type, and "const" for a
// method that has it. It reports false for what is no function, and when some
// part of the type is damaged or goes beyond the bounds.
func (f *File) argumentText(u *unit, t typ) (string, bool) {
	if t.kind != leafProc && t.kind != leafMethod {
		return "", false
	}
	w := typeWriter{f: f, u: u}
	w.arguments(t, 0)
	if t.kind == leafMethod && t.this != 0 {
		if _, isConst := w.thisOf(t, 0); isConst {
			w.put(" const")
		}
	}
	f.notes.error(w.err)
	return w.b.String(), w.ok()
}

type inlineKey struct {
	unit int
	id   uint32
}

// inlineName is the name of a function that was inlined, with scope and
// arguments; "" when it is not known.
func (f *File) inlineName(u *unit, id uint32) string {
	key := inlineKey{u.index, id}
	if id&isCross == 0 {
		key.unit = -1 // it is the same in all modules
	}
	if name, ok := f.inline.Get(key); ok {
		return name
	}
	name, err := f.readInlineName(u, id)
	f.notes.error(err)
	f.inline.Put(key, name, 64+len(name))
	return name
}

func (f *File) readInlineName(u *unit, number uint32) (string, error) {
	id, err := f.idAt(u, number)
	if err != nil || id.kind != leafFuncID && id.kind != leafMethodID {
		return "", err
	}
	if id.name == "" {
		id.name = omitted
	}
	scope, err := f.scopeName(u, id)
	if err != nil {
		return id.name, err
	}
	if s := f.signature(u, id.typ); s.ok {
		id.name += s.text
	}
	return scope + id.name, nil
}

// scopeName is the class of a method or the namespace of a function, with "::".
func (f *File) scopeName(u *unit, id funcID) (string, error) {
	if id.scope == 0 {
		return "", nil
	}
	if id.kind == leafMethodID {
		w := typeWriter{f: f, u: u}
		w.typ(id.scope, 0)
		return w.b.String() + "::", w.err
	}
	scope, err := f.idAt(u, id.scope)
	if isAnonymous(scope.name) {
		scope.name = "`anonymous namespace'"
	}
	return scope.name + "::", err
}

// isAnonymous reports whether a name is that of an anonymous namespace, which
// is decorated where others are not: ?A0x and eight hex digits.
func isAnonymous(name string) bool {
	if len(name) < 5 || name[:4] != "?A0x" {
		return false
	}
	_, err := strconv.ParseUint(name[4:], 16, 32)
	return err == nil
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
