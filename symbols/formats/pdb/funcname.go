package pdb

import (
	"cmp"
	"strconv"
	"strings"
)

// omitted is the name of a function without a name.
const omitted = "<name omitted>"

// nameFunction gives a function its name: the record's, which has the scopes, and the types of its
// arguments. dump_syms writes this form, so crash reports of Firefox and Sentry show it; debuggers
// show it without arguments. A function without type information, as of assembly or in a stripped
// PDB, has the record's name.
func (f *File) nameFunction(u *unit, b *body) {
	b.name, b.raw = cmp.Or(b.sym.name, omitted), true
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
	id.name = cmp.Or(id.name, omitted)
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

// undecorate removes the decoration of C names on x86, which encodes the calling convention and the
// bytes of arguments: _name is __cdecl, _name@8 is __stdcall, @name@8 __fastcall, name@@16
// __vectorcall. The last one exists on x64, too; there an underscore in front is part of the name.
//
// plain is "" where nothing is to be taken off. size is the number of bytes on the stack, where
// sized says that the name tells. Up to eight bytes of a __fastcall or __vectorcall are in
// registers; the name does not say which, so size can be too small by four if an argument has eight
// bytes.
//
// Source: https://learn.microsoft.com/cpp/build/reference/decorated-names
func (f *File) undecorate(name string) (plain string, size uint32, sized bool) {
	x86 := f.dbi.machine == machineX86
	if strings.HasPrefix(name, "?") || strings.ContainsAny(name, ":(") {
		return "", 0, false
	}
	if base, n, ok := cutSize(name, "@@"); ok {
		return base, max(n, 8) - 8, x86
	}
	if !x86 || len(name) < 2 || name[0] != '_' && name[0] != '@' {
		return "", 0, false
	}
	base, n, sized := cutSize(name[1:], "@")
	switch {
	case name[0] == '@' && sized:
		return base, max(n, 8) - 8, true
	case name[0] == '@':
		return "", 0, false
	case sized:
		return base, n, true
	}
	return name[1:], 0, false
}

// cutSize splits a name from the number behind the last separator.
func cutSize(name, sep string) (string, uint32, bool) {
	i := strings.LastIndex(name, sep)
	if i <= 0 {
		return name, 0, false
	}
	n, err := strconv.ParseUint(name[i+len(sep):], 10, 16)
	return name[:i], uint32(n), err == nil
}
