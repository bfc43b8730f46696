package symbols

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

const (
	idA = "0102030405060708090A0B0C0D0E0F101"
	idB = "1112131415161718191A1B1C1D1E1F101"
)

// sym is a small symbol file.
func sym(id, name string, more ...string) string {
	code := "AABBCCDDEE"
	if id == idB {
		code = "B0"
	}
	return "MODULE Linux x86_64 " + id + " " + name + "\nINFO CODE_ID " + code + "\n" +
		"FILE 0 a.cc\nFUNC 1000 100 0 " + name + "_function\n1000 100 7 0\n" + strings.Join(more, "")
}

func source(s string) bin.Source {
	return bin.NewSource(strings.NewReader(s), int64(len(s)))
}

func app(id string) *module.Module {
	return &module.Module{Base: 0x40_0000, Size: 0x10000, CodeFile: "/usr/bin/app", DebugFile: "/usr/bin/app", DebugID: id, CodeID: "aabbccddee"}
}

// summary is a state in one line.
func summary(src Source, st report.Symbols) string {
	str := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	out := st.State + " | " + str(st.File) + " | " + str(st.GivenID) + " | " + str(st.Why)
	if src != nil {
		loc, _ := src.Locate(0x1004)
		out += " | " + loc.Function
	}
	return out
}

func TestFor(t *testing.T) {
	zero := strings.Repeat("0", 33)
	tests := []struct {
		name   string
		files  map[string]string
		module *module.Module
		want   string
	}{
		{"nothing", nil, app(idA), "missing | - | - | -"},
		{"same id", map[string]string{"x.sym": sym(idA, "app")}, app(idA),
			"matched | x.sym | " + idA + " | - | app_function"},
		{"id in another spelling", map[string]string{"x.sym": sym("01020304-0506-0708-090a-0b0c0d0e0f10-01", "app")}, app(idA),
			"matched | x.sym | 01020304-0506-0708-090a-0b0c0d0e0f10-01 | - | app_function"},
		{"same id, other name", map[string]string{"x.sym": sym(idA, "b.so")}, app(idA),
			"matched | x.sym | " + idA + " | it is named b.so, but its id is the one that the dump wants | b.so_function"},
		{"the name decides between two", map[string]string{"x.sym": sym(idA, "b.so", "# more\n"), "y.sym": sym(idA, "app")}, app(idA),
			"matched | y.sym | " + idA + " | - | app_function"},
		{"the larger one says more", map[string]string{"x.sym": sym(idA, "app"), "y.sym": sym(idA, "app", "PUBLIC 5000 0 more\n")}, app(idA),
			"matched | y.sym | " + idA + " | - | app_function"},
		{"the name of the file decides between equal ones", map[string]string{"y.sym": sym(idA, "app"), "x.sym": sym(idA, "app")}, app(idA),
			"matched | x.sym | " + idA + " | - | app_function"},
		{"zero id in the dump, same code id", map[string]string{"x.sym": sym(idA, "app")}, app(zero),
			"matched | x.sym | " + idA + " | matched by the code id AABBCCDDEE, because there is no debug id to compare | app_function"},
		{"zero id in the file, same code id", map[string]string{"x.sym": sym(zero, "app")}, app(idA),
			"matched | x.sym | " + zero + " | matched by the code id AABBCCDDEE, because there is no debug id to compare | app_function"},
		{"big-endian spelling", map[string]string{"x.sym": sym("04030201060508070"+"90A0B0C0D0E0F101", "app")}, app(idA),
			"matched | x.sym | 040302010605080709" + "0A0B0C0D0E0F101 | matched by the other spelling of the build id, 0403020106050807090A0B0C0D0E0F101 | app_function"},
		{"other build", map[string]string{"app.sym": sym(idB, "app")}, app(idA),
			"wrong_build | app.sym | " + idB + " | app.sym is of another build: its id is " + idB + ", the dump wants " + idA},
		{"other age", map[string]string{"app.sym": sym(idA[:32]+"2", "app"), "bpp.sym": sym(idB, "app")}, app(idA),
			"wrong_build | app.sym | " + idA[:32] + "2 | app.sym is of the same build at another age: its id is " + idA[:32] + "2, the dump wants " + idA + "; nor is it bpp.sym (" + idB + ")"},
		{"no id at all", map[string]string{"app.sym": "FUNC 1000 100 0 f\n"}, app(idA),
			"wrong_build | app.sym | - | app.sym has the name, but does not say which build it is of; the dump wants " + idA},
		{"the dump has no id", map[string]string{"app.sym": sym(idB, "app")}, &module.Module{DebugFile: "app"},
			"wrong_build | app.sym | " + idB + " | app.sym has the name, but the dump does not say which build it wants"},
		{"of something else", map[string]string{"b.sym": sym(idB, "b")}, app(idA), "missing | - | - | -"},
		{"empty", map[string]string{"app.sym": ""}, app(idA), "damaged | app.sym | - | app.sym is empty"},
		{"an empty one takes nothing away", map[string]string{"app.sym": "", "x": sym(idA, "app")}, app(idA),
			"matched | x | " + idA + " | - | app_function"},
		{"MODULE and no more", map[string]string{"app.sym": "MODULE Linux x86_64 " + idA + " app\n"}, app(idA),
			"damaged | app.sym | " + idA + " | app.sym has no record of any function, symbol or unwinding rule"},
		{"a smaller one that is of use", map[string]string{"app.sym": "MODULE Linux x86_64 " + idA + " app\n" + strings.Repeat("#\n", 500), "y": sym(idA, "app")}, app(idA),
			"matched | y | " + idA + " | - | app_function"},
		{"public symbols only", map[string]string{"app.sym": "MODULE Linux x86_64 " + idA + " app\nPUBLIC 1000 0 p\n"}, app(idA),
			"public_only | app.sym | " + idA + " | app.sym has only public symbols: no lines, and a name may be that of a neighbour | p"},
		{"unwinding rules only", map[string]string{"app.sym": "MODULE Linux x86_64 " + idA + " app\nSTACK CFI INIT 1000 10 .cfa: $rsp 8 + .ra: .cfa 8 - ^\n"}, app(idA),
			"public_only | app.sym | " + idA + " | app.sym has rules for unwinding but no names | "},
		{"one record damaged", map[string]string{"app.sym": sym(idA, "app", "noise\n")}, app(idA),
			"matched | app.sym | " + idA + " | app.sym has one odd record, in line 6: line is no known record | app_function"},
		{"cut short", map[string]string{"app.sym": sym(idA, "app", "FUNC 2000 1", "0\n#\n", "FUNC 3000 10")}, app(idA),
			"matched | app.sym | " + idA + " | app.sym seems to be cut short: its last line has no end; has 3 odd records, the first in line 6: FUNC is malformed | app_function"},
		{"UTF-16", map[string]string{"app.sym": utf16le(sym(idA, "app"))}, app(idA),
			"matched | app.sym | " + idA + " | app.sym is UTF-16, as a Windows shell may have made it | app_function"},
		{"in a gzip file", map[string]string{"app.sym.gz": gzipped(sym(idA, "app"))}, app(idA),
			"matched | app.sym.gz/app.sym | " + idA + " | - | app_function"},
		{"in a zip file", map[string]string{"s.zip": zipped("d/app.sym", sym(idA, "app"))}, app(idA),
			"matched | s.zip/d/app.sym | " + idA + " | - | app_function"},
		{"in a gzip file in a zip file", map[string]string{"s.zip": zipped("d/app.sym.gz", gzipped(sym(idA, "app")))}, app(idA),
			"matched | s.zip/d/app.sym.gz/app.sym | " + idA + " | - | app_function"},
		{"in a compressed tar file", map[string]string{"s.tgz": gzipped(tarred("d/app.sym", sym(idA, "app")))}, app(idA),
			"matched | s.tgz/d/app.sym | " + idA + " | - | app_function"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := NewStore(Options{})
			for name, data := range tt.files {
				s.Add(name, source(data))
			}
			for range 2 { // the second time from memory
				if got := summary(s.For(tt.module)); got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			}
		})
	}
}

func utf16le(s string) string {
	b := []byte("\xff\xfe")
	for _, c := range []byte(s) {
		b = append(b, c, 0)
	}
	return string(b)
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

func zipped(namesAndData ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(namesAndData); i += 2 {
		f, err := w.Create(namesAndData[i])
		if err != nil {
			panic(err)
		}
		f.Write([]byte(namesAndData[i+1]))
	}
	w.Close()
	return b.String()
}

func tarred(name, data string) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	w.WriteHeader(&tar.Header{Name: name, Size: int64(len(data)), Mode: 0o644})
	w.Write([]byte(data))
	w.Close()
	return b.String()
}

func TestForce(t *testing.T) {
	s := NewStore(Options{})
	s.Add("app.sym", source(sym(idB, "app")))
	s.Add("other.sym", source(sym(idB, "other")))
	s.Force("/usr/bin/app", idA, true)
	want := "wrong_build | app.sym | " + idB + " | app.sym is of another build: its id is " + idB + ", the dump wants " + idA + " | app_function"
	if got := summary(s.For(app(idA))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	s.Force("app", idA, false)
	if got, state := s.For(app(idA)); got != nil || !state.Forcible {
		t.Errorf("no longer: %v, %+v", got, state)
	}
	s.Force("app", idA, true)
	s.Add("right.sym", source(sym(idA, "app")))
	want = "matched | right.sym | " + idA + " | - | app_function"
	if got := summary(s.For(app(idA))); got != want {
		t.Errorf("with the right file: got  %s\nwant %s", got, want)
	}
}

// store is a symbol store in every layout, as a map of paths.
func storeFS(t *testing.T) fstest.MapFS {
	return fstest.MapFS{
		"app/" + idA + "/app.sym":                      {Data: []byte(sym(idA, "app"))},
		"app/" + idB + "/app.sym":                      {Data: []byte(sym(idB, "app"))},
		"Win.pdb/" + strings.ToLower(idA) + "/Win.sym": {Data: []byte(sym(idA, "Win.pdb"))},
		"tw/two.pdb/" + idA + "/two.sym":               {Data: []byte(sym(idA, "two.pdb"))},
		"packed.so/" + idA + "/packed.so.sym.gz":       {Data: []byte(gzipped(sym(idA, "packed.so")))},
		"cabinet.pdb/" + idA + "/cabinet.sy_":          {Data: []byte(cabOf(t, sym(idA, "cabinet.pdb")))},
		"flat.so.sym":                                  {Data: []byte(sym(idA, "flat.so"))},
		"zero/" + idA + "/zero.sym":                    {},
		"binary/" + idA + "/binary.sym":                {Data: []byte("\x7fELF\x02\x01\x01")},
		"unread/" + idA + "/unread.sym":                {Data: []byte(sym(idA, "unread"))},
		"deep/er/app/" + idA + "/app.sym":              {Data: []byte("never opened")},
	}
}

// counted counts the files that were opened.
type counted struct {
	fstest.MapFS
	opened []string
}

func (c *counted) Open(name string) (fs.File, error) {
	f, err := c.MapFS.Open(name)
	if info, e := fs.Stat(c.MapFS, name); e == nil && !info.IsDir() {
		c.opened = append(c.opened, name)
		if strings.Contains(name, "unread") {
			return struct{ fs.File }{f}, nil
		}
	}
	return f, err
}

func TestFolder(t *testing.T) {
	tests := []struct {
		debugFile, id string
		want          string
		opened        string
	}{
		{"app", idA, "matched | S/app/" + idA + "/app.sym | " + idA + " | - | app_function", "app/" + idA + "/app.sym"},
		{`c:\build\win.PDB`, idA, "matched | S/Win.pdb/" + strings.ToLower(idA) + "/Win.sym | " + idA + " | - | Win.pdb_function", "Win.pdb/" + strings.ToLower(idA) + "/Win.sym"},
		{"two.pdb", idA, "matched | S/tw/two.pdb/" + idA + "/two.sym | " + idA + " | - | two.pdb_function", "tw/two.pdb/" + idA + "/two.sym"},
		{"packed.so", idA, "matched | S/packed.so/" + idA + "/packed.so.sym.gz | " + idA + " | - | packed.so_function", "packed.so/" + idA + "/packed.so.sym.gz"},
		{"cabinet.pdb", idA, "matched | S/cabinet.pdb/" + idA + "/cabinet.sy_ | " + idA + " | - | cabinet.pdb_function", "cabinet.pdb/" + idA + "/cabinet.sy_"},
		{"/lib/flat.so", idA, "matched | S/flat.so.sym | " + idA + " | - | flat.so_function", "flat.so.sym"},
		{"flat.so", idB, "wrong_build | S/flat.so.sym | " + idA + " | S/flat.so.sym is of another build: its id is " + idA + ", the dump wants " + idB, "flat.so.sym"},
		{"app", idA[:32] + "7", "wrong_build | S/app/" + idA + "/app.sym | " + idA + " | S/app/" + idA + "/app.sym is of the same build at another age: its id is " + idA + ", the dump wants " + idA[:32] + "7; nor is it S/app/" + idB + "/app.sym (" + idB + ")", ""},
		{"zero", idA, "damaged | S/zero/" + idA + "/zero.sym | " + idA + " | S/zero/" + idA + "/zero.sym is empty", "zero/" + idA + "/zero.sym"},
		{"binary", idA, "damaged | S/binary/" + idA + "/binary.sym | " + idA + " | S/binary/" + idA + "/binary.sym is no symbol file, nor anything else that we know", "binary/" + idA + "/binary.sym"},
		{"unread", idA, "damaged | S/unread/" + idA + "/unread.sym | " + idA + " | S/unread/" + idA + "/unread.sym cannot be read: symbols: unread/" + idA + "/unread.sym: struct { fs.File } cannot be read at an offset", "unread/" + idA + "/unread.sym"},
		{"..", idA, "missing | - | - | -", ""},
		{"nobody", idA, "missing | - | - | -", ""},
		{"", "", "missing | - | - | -", ""},
	}
	for _, tt := range tests {
		t.Run(tt.debugFile+" "+tt.id, func(t *testing.T) {
			fsys := &counted{MapFS: storeFS(t)}
			s := NewStore(Options{})
			s.AddFS("S", fsys)
			if got := summary(s.For(&module.Module{DebugFile: tt.debugFile, DebugID: tt.id})); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if got := strings.Join(fsys.opened, " "); got != tt.opened {
				t.Errorf("opened %s, want %s", got, tt.opened)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestForceInAFolder(t *testing.T) {
	s := NewStore(Options{})
	s.AddFS("S", storeFS(t))
	wanted := idA[:32] + "7"
	s.Force("app", wanted, true)
	src, st := s.For(&module.Module{DebugFile: "app", DebugID: wanted})
	if src == nil || st.State != "wrong_build" {
		t.Errorf("got %s", summary(src, st))
	}
}

// TestOrderOfArrival gives the same files in many orders.
func TestOrderOfArrival(t *testing.T) {
	type given struct{ name, data string }
	var files []given
	for i := range 40 {
		id := fmt.Sprintf("%032X%X", i%7+1, i%3)
		name := fmt.Sprintf("m%d", i%5)
		files = append(files, given{fmt.Sprintf("%d/%s.sym", i%11, name), sym(id, name, strings.Repeat("PUBLIC 9000 0 x\n", i%4))})
	}
	files = append(files, given{"z.zip", zipped("m1.sym", sym("000000000000000000000000000000010", "m1"))}, given{"m2.sym", ""})
	answers := func(order []int) string {
		s := NewStore(Options{})
		for _, i := range order {
			s.Add(files[i].name, source(files[i].data))
		}
		var out []report.Symbols
		for i := range 60 {
			m := &module.Module{DebugFile: fmt.Sprintf("m%d", i%5), DebugID: fmt.Sprintf("%032X%X", i%8, i%4)}
			_, st := s.For(m)
			out = append(out, st)
		}
		text, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	want := answers(rnd.Perm(len(files)))
	for range 100 {
		if order := rnd.Perm(len(files)); answers(order) != want {
			t.Fatalf("order %v changes the answers", order)
		}
	}
}

func TestCancel(t *testing.T) {
	stop := errors.New("enough")
	refuse := true
	s := NewStore(Options{Progress: func(string, int64, int64) error {
		if refuse {
			return stop
		}
		return nil
	}})
	s.Add("app.sym", source(sym(idA, "app")))
	if got, want := summary(s.For(app(idA))), "missing | - | - | app.sym was not read: enough"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	refuse = false
	if got, want := summary(s.For(app(idA))), "matched | app.sym | "+idA+" | - | app_function"; got != want {
		t.Errorf("afterwards: got %s, want %s", got, want)
	}
}

type brokenFile struct{ at int64 }

func (b brokenFile) ReadAt(p []byte, off int64) (int, error) {
	text := sym(idA, "app", strings.Repeat("FUNC 9000 1 0 x\n", 10000))
	n := copy(p, text[off:])
	if off+int64(n) > b.at {
		return int(max(b.at-off, 0)), errors.New("the disk is gone")
	}
	return n, nil
}

func TestReadErrors(t *testing.T) {
	s := NewStore(Options{})
	s.Add("app.sym", bin.NewSource(brokenFile{100_000}, 150_000))
	want := "damaged | app.sym | " + idA + " | app.sym cannot be read: symbol file at 0x186a0: reading failed: the disk is gone"
	if got := summary(s.For(app(idA))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	items := s.Add("worse.sym", bin.NewSource(brokenFile{10}, 150_000))
	if want := "this cannot be read: start of the file at 0xa: reading failed: the disk is gone"; len(items) != 1 || items[0].Message != want {
		t.Errorf("items %+v, want %q", items, want)
	}
}
