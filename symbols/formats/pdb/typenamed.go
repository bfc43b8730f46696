package pdb

import (
	"strconv"
	"strings"

	"crashglass/core/values/types"
)

// Class finds a class, structure or union by its full name, nil where there is none.
func (f *File) Class(name string) *types.Type {
	f.mu.Lock()
	defer f.mu.Unlock()
	number, ok := f.numberNamed(name)
	if !ok {
		return nil
	}
	return f.typeNumbered(number, types.CPlusPlus)
}

// TypeNamed finds a type of any kind by its name, nil where there is none.
func (f *File) TypeNamed(name string) *types.Type {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.typeCalled(name, types.CPlusPlus, maxNameDepth)
}

func (f *File) numberNamed(name string) (uint32, bool) {
	if f.types == nil {
		return 0, false
	}
	for _, number := range f.typesHashed(name) {
		r, err := f.types.find(number)
		if err != nil || !f.types.hashes.work.Spend(int64(len(r.data))) {
			continue
		}
		t, err := parseTyp(r)
		if _, is := structKinds[t.kind]; err == nil && (is || t.kind == leafEnum) && !t.forward && t.name == name {
			return number, true
		}
	}
	return 0, false
}

const maxArguments = 64

// Records do not have them; they are looked up by their names when they are asked for.
func (m *modeling) arguments(name string) (out []types.Argument) {
	open := lastOpen(name)
	if open <= 0 {
		return nil
	}
	for _, text := range splitArguments(name[open+1 : len(name)-1]) {
		if len(out) == maxArguments {
			break
		}
		if v, err := strconv.ParseInt(text, 0, 64); err == nil {
			out = append(out, types.Argument{Value: &v})
			continue
		}
		out = append(out, types.Argument{Type: func() *types.Type {
			m.f.mu.Lock()
			defer m.f.mu.Unlock()
			return m.f.typeCalled(text, m.l, maxNameDepth)
		}})
	}
	return out
}

// lastOpen is where the bracket begins that a name ends with the end of, -1 for none.
func lastOpen(name string) int {
	if !strings.HasSuffix(name, ">") {
		return -1
	}
	depth := 0
	for i := len(name) - 1; i >= 0; i-- {
		switch name[i] {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// pointerForms are rustc's names of types whose records have no name.
var pointerForms = []string{"ref$<", "ref_mut$<", "ptr_const$<", "ptr_mut$<"}

// typeCalled is the type that a name in the arguments of a template means, nil
// for one that is not found.
func (f *File) typeCalled(name string, l types.Language, left int) *types.Type {
	name = strings.TrimSpace(name)
	if left == 0 || name == "" {
		return nil
	}
	if number, ok := f.numberNamed(name); ok {
		return f.typeNumbered(number, l)
	}
	for kind := range uint32(0x80) {
		if p := primitives[kind]; kind != 0 && (p.name == name && l != types.Rust || l == types.Rust && p.rust == name) {
			return f.baseType(kind, l)
		}
	}
	if number, ok := spellings[name]; ok {
		if l == types.Rust && f.wordSize() == 4 {
			number -= 2 // isize and usize are i32 and u32
		}
		return f.baseType(number, l)
	}
	return f.madeOf(name, l, left-1)
}

func (f *File) madeOf(name string, l types.Language, left int) *types.Type {
	point := func(kind types.Kind, of string) *types.Type {
		elem := f.typeCalled(of, l, left)
		if elem == nil && of != "void" {
			return nil
		}
		return &types.Type{Kind: kind, Elem: func() *types.Type { return elem }, Size: f.wordSize(), Sized: true, Language: l}
	}
	for _, form := range pointerForms {
		if of, ok := strings.CutPrefix(name, form); ok && strings.HasSuffix(of, ">") {
			return point(types.Pointer, strings.TrimSuffix(of, ">"))
		}
	}
	for _, sign := range []struct {
		text string
		kind types.Kind
	}{{"*", types.Pointer}, {"&&", types.RValueReference}, {"&", types.Reference}} {
		if of, ok := strings.CutSuffix(name, sign.text); ok {
			return point(sign.kind, strings.TrimSpace(of))
		}
	}
	for _, word := range []string{"const", "volatile"} {
		of, ok := strings.CutPrefix(name, word+" ")
		if !ok {
			of, ok = strings.CutSuffix(name, " "+word)
		}
		if !ok {
			continue
		}
		elem := f.typeCalled(of, l, left)
		if elem == nil {
			return nil
		}
		return &types.Type{Kind: types.Qualified, Name: word, Elem: func() *types.Type { return elem }, Language: l}
	}
	return nil
}

// spellings are other names of types without a record, as compilers write them
// in the arguments of templates.
var spellings = map[string]uint32{
	"__int64": 0x76, "unsigned __int64": 0x77, "long": 0x12, "unsigned long": 0x22, "short": 0x11, "unsigned short": 0x21,
	"isize": 0x76, "usize": 0x77,
}
