package dwarf

import "testing"

// An inlined function without a linkage name has its namespaces and classes, and the functions that it lies in.
func TestScopesOfInlinedFunctions(t *testing.T) {
	inlined := func(origin string, at uint64) ent {
		return tag(tagInlined, says{atAbstractOrigin, far(origin)}, says{atLowPC, addr(at)}, says{atHighPC, 0x10})
	}
	d := newTree().unit(4, cplus(
		tag(tagNamespace, "std", tag(tagSubprogram, "__invoke<T>"), tag(tagClass, "thread", tag(tagSubprogram, "_M_invoke<0>"))),
		tag(tagSubprogram, "known", says{atLinkageName, "_ZN3std1fEv"}),
		tag(tagSubprogram, "main", says{atLowPC, addr(0x1000)}, says{atHighPC, 0x100},
			tag(tagClass, "<lambda()>", tag(tagSubprogram, "operator()")),
			inlined("__invoke<T>", 0x1010), inlined("_M_invoke<0>", 0x1020), inlined("known", 0x1030), inlined("operator()", 0x1040))))
	f := open(d.sections(t, nil), Options{})
	for rel, want := range map[uint64]string{
		0x1018: "std::__invoke<T>", 0x1028: "std::thread::_M_invoke<0>", 0x1038: "_ZN3std1fEv", 0x1048: "main::<lambda()>::operator()",
	} {
		if loc, ok := f.Locate(rel); !ok || len(loc.Inlines) != 1 || loc.Inlines[0].Function != want {
			t.Errorf("%#x: %+v, %v, want %q", rel, loc, ok, want)
		}
	}
}
