package gopclntab

// Offsets in the runtime's moduledata, in words: six slices follow the address of the table's header. Go 1.20 added the
// counters of coverage in front of the addresses of types.
const (
	dataNames  = 1  // the address of the names, since Go 1.16
	dataText   = 22 // the start of the text
	dataGofunc = 38 // since Go 1.18: what functions refer to
	counters   = 2
)

// mostHeads bounds the pointers to the table that are tried.
const mostHeads = 64

// findModuleData finds what the table refers to: the structure that begins with the table's address, and the address of the
// names in it. Nothing else in a program has both.
func (t *Table) findModuleData() {
	if !t.relative() || t.opt.Image == nil {
		return
	}
	word, gofunc := uint64(t.word), uint64(dataGofunc)
	if t.magic == magic20 {
		gofunc += counters
	}
	heads, names := map[uint64]bool{}, map[uint64]bool{}
	t.opt.Pointers(func(p, value uint64) bool {
		if value == t.opt.Addr {
			heads[p] = true
		} else if value == t.opt.Addr+t.names {
			names[p-dataNames*word] = true
		}
		return len(heads)+len(names) < mostHeads
	})
	for at := range heads {
		if !names[at] {
			delete(heads, at)
		}
	}
	t.opt.Pointers(func(p, value uint64) bool {
		if heads[p-dataText*word] {
			t.text = value
		} else if heads[p-gofunc*word] {
			t.gofunc = value
		}
		return true
	})
	if t.text == 0 {
		t.notes.Add(what + ": the address of its functions is not known: no moduledata refers to it")
		t.count = 0
	}
}
