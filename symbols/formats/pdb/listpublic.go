package pdb

import (
	"crashglass/core/base/ranges"
	"crashglass/core/stack/symbolize"
)

// EachPublic lists the symbols of code, except those at the start of a function, which add nothing.
func (f *File) EachPublic(add func(symbolize.Public) error) error {
	for _, p := range f.publicsListed() {
		if err := add(p); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) publicsListed() (out []symbolize.Public) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.held = f.allRecords()
	defer func() { f.held = nil }()
	functions := f.allFunctions()
	list := f.publics()
	var starts []uint64
	for i := 0; i < len(list); {
		rva := list[i].rva
		for i < len(list) && list[i].rva == rva {
			i++
		}
		if _, in := functions.Find(uint64(rva)); in {
			continue
		}
		n := f.publicNamed(rva)
		if n.name == "" {
			continue
		}
		starts = f.addr.blocks(rva, f.nextPublic(list[i:], rva), starts[:0])
		for _, start := range starts {
			out = append(out, symbolize.Public{Name: n.name, Start: start, ParamSize: n.params, Multiple: n.multiple})
		}
	}
	return out
}

// allFunctions is the code that functions have. Neighbours in the image are
// of different modules, so this takes the modules in their order instead.
func (f *File) allFunctions() *ranges.Table {
	if f.covered == nil {
		t := &ranges.Table{}
		for i := range f.mods() {
			t.Join(f.coveredIn(f.unit(i)))
		}
		t.Finish()
		f.covered = t
	}
	return f.covered
}

// nextPublic is where the code of a public symbol ends at the latest: at the
// next symbol, function or piece of the program, or with its section.
func (f *File) nextPublic(behind []public, rva uint32) uint32 {
	end := ^uint32(0)
	if len(behind) > 0 {
		end = behind[0].rva
	}
	for _, t := range []*ranges.Table{f.owners(), f.allFunctions()} {
		if i := t.UpTo(uint64(rva)); i < t.Len() {
			end = min(end, uint32(t.Range(i).Start))
		}
	}
	if s := f.addr.sectionOf(rva); s > 0 {
		end = min(end, endOf(f.addr.sections[s-1].start, f.addr.sections[s-1].size))
	}
	return max(end, rva+1)
}
