package types

import "testing"

// graph makes types of bytes: three for each, which are its kind and two others
// that it is made of. They may hold themselves.
func graph(data []byte) []*Type {
	all := make([]*Type, max(len(data)/3, 1))
	for i := range all {
		all[i] = &Type{}
	}
	at := func(b byte) Ref { return func() *Type { return all[int(b)%len(all)] } }
	for i := range len(data) / 3 {
		kind, a, b := data[3*i], data[3*i+1], data[3*i+2]
		of := all[i]
		of.Kind, of.Elem, of.Class = Kind(kind%uint8(MemberPointer+1)), at(a), at(b)
		of.Counts = []Count{{N: uint64(a) << (b % 64), Known: b&1 == 0}}
		for range kind / 16 {
			of.Params = append(of.Params, at(b))
		}
		if kind == 255 {
			of.Name = "x"
		}
	}
	return all
}

// Types that are made of each other in any way have names, sizes and ends.
func FuzzTypes(f *testing.F) {
	f.Add([]byte{10*22 + byte(Function), 0, 0})
	f.Add([]byte{byte(MemberPointer), 1, 0, byte(MemberPointer), 0, 1})
	f.Add([]byte{byte(Array), 0, 2, byte(Typedef), 0, 0, byte(Qualified), 1, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, of := range graph(data) {
			if text := Spell(of); len(text) > maxSpelling {
				t.Fatalf("%d bytes", len(text))
			}
			if n, ok := Size(of); ok && n > maxSize {
				t.Fatalf("%d bytes are a size", n)
			}
			Strip(of)
			Named(of)
		}
	})
}
