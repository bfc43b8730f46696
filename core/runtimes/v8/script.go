package v8

import "sort"

// A script is a source file.
type script struct {
	name         string
	object       object
	line, column int64   // where it begins in its file, counted from 0
	ends         []int64 // of its lines, once they are known
	searched     bool
}

// script reads a Script, nil if the object is none.
func (f *finder) script(o object) *script {
	if s, known := f.scripts[o]; known {
		return s
	}
	s := &script{object: o}
	name, ok := f.field(o, f.at[scriptName])
	line, placed := f.smiField(o, f.at[scriptName]+word) // line_offset and column_offset follow
	column, in := f.smiField(o, f.at[scriptName]+2*word)
	if !ok || !f.is(o, typeScript) {
		s = nil
	} else {
		if s.name, ok = f.text(name, mostPath); !ok {
			s.name = ""
		}
		if placed && in && line >= 0 && column >= 0 && line < mostSource && column < mostSource {
			s.line, s.column = line, column
		}
	}
	if len(f.scripts) < mostKnown {
		f.scripts[o] = s
	}
	return s
}

// place returns the line and the column of a position in a script, counted from 1, and 0 if they are not known.
func (f *finder) place(s *script, position int64) (line, column uint32) {
	if !s.searched {
		s.searched = true
		if s.ends = f.stated(s); s.ends == nil {
			s.ends = f.ends(s)
		}
	}
	i := sort.Search(len(s.ends), func(i int) bool { return s.ends[i] >= position })
	if i == len(s.ends) || position < 0 {
		return 0, 0
	}
	begin := int64(0)
	if i > 0 {
		begin = s.ends[i-1] + 1
	}
	col := position - begin
	if i == 0 {
		col += s.column
	}
	return uint32(int64(i) + s.line + 1), uint32(col + 1)
}

// stated reads the ends of lines that V8 has found, nil if it has not.
func (f *finder) stated(s *script) []int64 {
	list, _ := f.field(s.object, f.at[scriptEnds])
	count, ok := f.smiField(list, f.at[arrayLength])
	if !ok || count <= 0 || count > mostSource || !f.is(list, typeArray) {
		return nil
	}
	if f.left -= int(count); f.left < 0 {
		return nil
	}
	out := make([]int64, 0, min(count, mostKnown))
	for i := range uint64(count) {
		end, ok := f.smiField(list, f.at[arrayData]+word*i)
		if !ok || len(out) > 0 && end <= out[len(out)-1] || end < 0 {
			return nil
		}
		out = append(out, end)
	}
	return out
}

// ends finds the ends of lines in the source. Source: V8, src/strings/string-builder.cc and ECMA-262, LineTerminatorSequence.
func (f *finder) ends(s *script) (out []int64) {
	source, _ := f.field(s.object, f.at[scriptSource])
	parts := mostParts
	units, ok := f.units(source, 0, -1, mostSource, &parts)
	if !ok {
		return nil
	}
	for i, u := range units {
		if u == '\n' || u == '\r' && (i+1 == len(units) || units[i+1] != '\n') || u == 0x2028 || u == 0x2029 {
			out = append(out, int64(i))
		}
	}
	return append(out, int64(len(units)))
}
