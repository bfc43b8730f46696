package dwarf

import (
	"bytes"
	stddwarf "debug/dwarf"
	"debug/elf"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/sample"
)

const corpus = "../../../../shared/corpus"

// reference answers as Locate does, with the reader of the standard library
// and no index at all.
type reference struct {
	data *stddwarf.Data
	all  []*refFunction

	around map[stddwarf.Offset]string // the namespaces and classes around an entry, "" in a function
}

type refFunction struct {
	name   string
	spans  [][2]uint64
	calls  []*refFunction // inlined
	file   string         // where it was called
	line   int
	rows   []stddwarf.LineEntry
	parent *refFunction
}

// scopes finds what is around the entries below one.
func (r *reference) scopes(t *testing.T, rd *stddwarf.Reader, prefix string, local bool) {
	for {
		e, err := rd.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e == nil || e.Tag == 0 {
			return
		}
		if !local {
			r.around[e.Offset] = prefix
		}
		if !e.Children {
			continue
		}
		name, _ := e.Val(stddwarf.AttrName).(string)
		switch e.Tag {
		case stddwarf.TagNamespace, stddwarf.TagClassType, stddwarf.TagStructType, stddwarf.TagUnionType:
			if name == "" {
				name = map[bool]string{true: "(anonymous namespace)", false: "(anonymous)"}[e.Tag == stddwarf.TagNamespace]
			}
			r.scopes(t, rd, prefix+name+"::", local)
		default:
			r.scopes(t, rd, prefix, local || e.Tag == stddwarf.TagSubprogram)
		}
	}
}

func (r *reference) read(t *testing.T) {
	r.around = map[stddwarf.Offset]string{}
	r.scopes(t, r.data.Reader(), "", false)
	rd := r.data.Reader()
	for {
		e, err := rd.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e == nil {
			return
		}
		if e.Tag == stddwarf.TagPartialUnit {
			rd.SkipChildren()
			continue
		}
		rows, files := r.lines(t, e)
		if e.Children {
			r.children(t, rd, nil, rows, files)
		}
	}
}

// lines returns the rows of a unit in the order of addresses.
func (r *reference) lines(t *testing.T, unit *stddwarf.Entry) (rows []stddwarf.LineEntry, files []*stddwarf.LineFile) {
	lr, err := r.data.LineReader(unit)
	if err != nil {
		t.Fatal(err)
	}
	if lr == nil {
		return nil, nil
	}
	var e stddwarf.LineEntry
	for lr.Next(&e) == nil {
		rows = append(rows, e)
	}
	files = lr.Files()
	if dir, ok := unit.Val(stddwarf.AttrCompDir).(string); ok {
		complete(files, dir)
	}
	return rows, files
}

// complete makes the names of files absolute. The standard library does so for line tables before
// version 5 only: there, directory 0 is in the table, and other directories are relative to it.
func complete(files []*stddwarf.LineFile, dir string) {
	for _, f := range files {
		if f != nil && !path.IsAbs(f.Name) {
			f.Name = path.Join(dir, f.Name)
		}
	}
}

// children reads what is in a function, or in a unit.
func (r *reference) children(t *testing.T, rd *stddwarf.Reader, in *refFunction, rows []stddwarf.LineEntry, files []*stddwarf.LineFile) {
	for {
		e, err := rd.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e == nil || e.Tag == 0 {
			return
		}
		inside := in
		if e.Tag == stddwarf.TagSubprogram || e.Tag == stddwarf.TagInlinedSubroutine {
			inside = r.function(t, e, in, rows, files)
		}
		if e.Children {
			r.children(t, rd, inside, rows, files)
		}
	}
}

// function returns nil where there is no code.
func (r *reference) function(t *testing.T, e *stddwarf.Entry, in *refFunction, rows []stddwarf.LineEntry, files []*stddwarf.LineFile) *refFunction {
	spans, err := r.data.Ranges(e)
	if err != nil {
		t.Fatal(err)
	}
	spans = slices.DeleteFunc(spans, func(s [2]uint64) bool { return s[0] <= 1 || s[0] >= s[1] })
	if len(spans) == 0 {
		return nil
	}
	f := &refFunction{name: r.name(e, 0), spans: spans, rows: rows, parent: in}
	if e.Tag == stddwarf.TagInlinedSubroutine && !isMangled(f.name) {
		f.name = r.around[r.declared(e)] + f.name
	}
	if e.Tag == stddwarf.TagSubprogram {
		r.all = append(r.all, f)
		return f
	}
	if in == nil {
		return nil
	}
	if n, ok := e.Val(stddwarf.AttrCallFile).(int64); ok && n >= 0 && int(n) < len(files) && files[n] != nil {
		f.file = files[n].Name
	}
	n, _ := e.Val(stddwarf.AttrCallLine).(int64)
	f.line = int(n)
	in.calls = append(in.calls, f)
	return f
}

// declared is the entry that others continue.
func (r *reference) declared(e *stddwarf.Entry) stddwarf.Offset {
	for range 16 {
		off, ok := e.Val(stddwarf.AttrAbstractOrigin).(stddwarf.Offset)
		if !ok {
			if off, ok = e.Val(stddwarf.AttrSpecification).(stddwarf.Offset); !ok {
				break
			}
		}
		rd := r.data.Reader()
		rd.Seek(off)
		next, err := rd.Next()
		if err != nil || next == nil {
			break
		}
		e = next
	}
	return e.Offset
}

func (r *reference) name(e *stddwarf.Entry, depth int) string {
	for _, attr := range []stddwarf.Attr{stddwarf.AttrLinkageName, 0x2007, stddwarf.AttrName} {
		if name, ok := e.Val(attr).(string); ok {
			return name
		}
	}
	for _, attr := range []stddwarf.Attr{stddwarf.AttrAbstractOrigin, stddwarf.AttrSpecification} {
		off, ok := e.Val(attr).(stddwarf.Offset)
		if !ok || depth > 10 {
			continue
		}
		rd := r.data.Reader()
		rd.Seek(off)
		if origin, err := rd.Next(); err == nil && origin != nil {
			return r.name(origin, depth+1)
		}
	}
	return ""
}

func (f *refFunction) covers(addr uint64) (start uint64, ok bool) {
	for _, s := range f.spans {
		if s[0] <= addr && addr < s[1] {
			return s[0], true
		}
	}
	return 0, false
}

// row finds the line of an address: of the last row before it in its sequence
// that is in the function.
func (f *refFunction) row(addr, start uint64) (file string, line int) {
	for i := len(f.rows) - 2; i >= 0; i-- {
		e, next := &f.rows[i], &f.rows[i+1]
		if e.Address <= addr && addr < next.Address && !e.EndSequence && e.Address >= start && e.File != nil {
			return e.File.Name, e.Line
		}
	}
	return "", 0
}

func (r *reference) locate(addr uint64) (loc symbolize.Location, ok bool) {
	var f *refFunction
	for _, other := range r.all {
		if start, has := other.covers(addr); has && (f == nil || start > loc.Start) {
			f, loc.Start = other, start
		}
	}
	if f == nil {
		return loc, false
	}
	loc.Function = f.name
	file, line := f.row(addr, loc.Start)
	chain := []*refFunction{}
	for in := f; in != nil; {
		var next *refFunction
		for _, c := range in.calls {
			if _, has := c.covers(addr); has {
				next = c
			}
		}
		if next != nil {
			chain = append(chain, next)
		}
		in = next
	}
	for _, c := range slices.Backward(chain) {
		loc.Inlines = append(loc.Inlines, symbolize.Inline{Function: c.name, File: path.Clean(file), Line: uint32(line)})
		file, line = c.file, c.line
	}
	loc.File, loc.Line = file, uint32(line)
	return loc, true
}

// addresses are those at which the reference changes, and the last ones before.
func (r *reference) addresses() (out []uint64) {
	var add func(f *refFunction)
	add = func(f *refFunction) {
		for _, s := range f.spans {
			out = append(out, s[0], s[1]-1, s[1])
		}
		for _, c := range f.calls {
			add(c)
		}
	}
	var unit []stddwarf.LineEntry // all functions of a unit have its rows
	for _, f := range r.all {
		add(f)
		if len(f.rows) == 0 || len(unit) > 0 && &unit[0] == &f.rows[0] {
			continue
		}
		unit = f.rows
		for _, e := range unit {
			out = append(out, e.Address, e.Address-1)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// openSections opens the DWARF of an ELF file without a container of ours.
func openSections(file *elf.File) *File {
	sections := Sections{}
	for _, s := range file.Sections {
		if name, ok := strings.CutPrefix(s.Name, ".debug_"); ok {
			if data, err := s.Data(); err == nil {
				sections[name] = bin.NewSource(bytes.NewReader(data), int64(len(data)))
			}
		}
	}
	return Open(sections, Options{BigEndian: file.Data == elf.ELFDATA2MSB})
}

func tidied(l symbolize.Location) symbolize.Location {
	l.LineStart, l.Size = 0, 0
	fix := func(file string) string {
		if file == "" || file == "." {
			return ""
		}
		return path.Clean(file)
	}
	l.File = fix(l.File)
	l.Inlines = slices.Clone(l.Inlines)
	for i := range l.Inlines {
		l.Inlines[i].File = fix(l.Inlines[i].File)
	}
	return l
}

// TestSameAsStandardLibrary compares all answers for all ELF files of the
// corpus that have DWARF which the standard library can read.
func TestSameAsStandardLibrary(t *testing.T) {
	tested, compared := 0, 0
	err := filepath.WalkDir(corpus, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(filepath.ToSlash(name), "/native/") || strings.HasSuffix(name, ".sym") {
			return err
		}
		file, err := elf.Open(name)
		if err != nil {
			return nil // no ELF file
		}
		defer file.Close()
		switch d.Name() {
		case "threads32": // its entries are damaged; see TestReadsOn
			return nil
		case "basic.dwz": // the file that it refers to is not there
			return nil
		case "crash.debug-zlib", "crash.debug-zstd": // the same as crash.debug
			return nil
		}
		data, err := file.DWARF()
		if err != nil || file.Section(".debug_info") == nil && file.Section(".zdebug_info") == nil {
			return nil
		}
		t.Run(d.Name(), func(t *testing.T) {
			ref := &reference{data: data}
			ref.read(t)
			compared += compareAll(t, openSections(file), ref)
		})
		tested++
		return nil
	})
	if os.IsNotExist(err) {
		t.Skip("no corpus: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if tested < 10 || compared < sample.Of(5000) {
		t.Errorf("only %d files and %d addresses", tested, compared)
	}
}

// unscoped takes the functions around a local function from its name, which the reference does not have; TestScopesOfInlinedFunctions has them.
func unscoped(got, want []symbolize.Inline) {
	for i := range got {
		if i < len(want) && strings.HasSuffix(got[i].Function, "::"+want[i].Function) {
			got[i].Function = want[i].Function
		}
	}
}

func compareAll(t *testing.T, f *File, ref *reference) int {
	compared := 0
	addrs := ref.addresses()
	for i := 0; i < len(addrs); i += sample.Step() {
		addr := addrs[i]
		compared++
		got, ok := f.Locate(addr)
		want, wantOK := ref.locate(addr)
		if got, want = tidied(got), tidied(want); want.Function == "" && wantOK {
			want.Function = noName
		}
		unscoped(got.Inlines, want.Inlines)
		if ok != wantOK || ok && !reflect.DeepEqual(got, want) {
			t.Errorf("%#x:\n  %v %+v\n  %v %+v", addr, ok, got, wantOK, want)
		}
	}
	for _, note := range f.Notes() {
		t.Error(note)
	}
	return compared
}
