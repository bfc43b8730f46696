package breakpad

import "crashglass/core/unwind"

var _ unwind.Rules = (*File)(nil)

// Function returns the FUNC or, failing that, the PUBLIC record at an address,
// as Locate does.
func (f *File) Function(rel uint64) (unwind.Function, bool) {
	return ask(f, func() (unwind.Function, bool) {
		var s symbol
		r, ok := f.x.funcs.Find(rel)
		if ok {
			s, ok = f.functionAt(r.Value, rel)
		} else {
			s, ok = f.publicAt(rel)
		}
		if !ok {
			return unwind.Function{}, false
		}
		return unwind.Function{Name: s.name, Start: s.start, Size: s.size, ParamSize: s.params, Public: s.public}, true
	})
}

// WinFrame returns the STACK WIN record that covers an address; one of type 4
// is preferred to one of type 0.
func (f *File) WinFrame(rel uint64) (unwind.WinFrame, bool) {
	return ask(f, func() (unwind.WinFrame, bool) {
		kind := uint64(winFrameData)
		at, ok := f.x.frames.Find(rel)
		if !ok {
			kind = winFPO
			at, ok = f.x.fpo.Find(rel)
		}
		if !ok {
			return unwind.WinFrame{}, false
		}
		line, err := f.lineAt(at.Value)
		if err != nil {
			f.failed(err)
			return unwind.WinFrame{}, false
		}
		k, rest := kindOf(line)
		r := fieldsOf(rest)
		rec := parseWin(&r)
		ok = k == kindWin && !rec.bad
		f.doubt(ok && rec.kind == kind && rel-rec.Start < rec.Size)
		return rec.WinFrame, ok
	})
}

// CallFrame returns the rules of the STACK CFI INIT record that covers an
// address, changed by its rows up to that address.
func (f *File) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	return ask(f, func() (unwind.CallFrame, bool) {
		r, ok := f.x.inits.Find(rel)
		if !ok {
			return unwind.CallFrame{}, false
		}
		fr := f.framesAt(r.Value)
		f.doubt(rel-fr.start < fr.size)
		rules := fr.at(rel)
		return unwind.CallFrame{Start: fr.start, Size: fr.size, Rules: rules}, len(rules) > 0
	})
}
