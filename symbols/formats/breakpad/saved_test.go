package breakpad

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/sample"
)

// answers asks a file a few hundred questions.
func answers(f *File) (out []any) {
	for addr := uint64(0xf00); addr < 0x3100; addr += 5 {
		loc, ok := f.Locate(addr)
		fn, ok2 := f.Function(addr)
		cfi, ok3 := f.CallFrame(addr)
		win, ok4 := f.WinFrame(addr)
		out = append(out, loc, ok, fn, ok2, cfi, ok3, win, ok4)
	}
	return append(out, f.Module(), f.Notes(), f.Stats().Lines, f.Stats().Inlines, f.Stats().Funcs)
}

// kept is an index as a cache returns it.
func kept(index []byte) bin.Source { return bin.NewSource(bytes.NewReader(index), int64(len(index))) }

// TestSavedIndex opens many files with the index of a run before.
func TestSavedIndex(t *testing.T) {
	files := []string{"", "x", everything, "\xef\xbb\xbf" + everything, utf16Text(everything), everything + strings.Repeat("noise\n", 10) + "FUNC 1"}
	for seed := range uint64(60) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 3))}
		files = append(files, m.file())
	}
	for i, data := range sample.Members(files) {
		fresh := openString(t, data, Options{})
		index := fresh.Index()
		saved := openString(t, data, Options{Index: kept(index), Scanned: func(func() []byte) { t.Errorf("file %d was scanned", i) }})
		if !saved.saved {
			t.Errorf("file %d: its index was not used", i)
		}
		if !bytes.Equal(saved.Index(), index) {
			t.Errorf("file %d: the index is not saved as it was loaded", i)
		}
		if have, want := answers(saved), answers(fresh); !reflect.DeepEqual(have, want) {
			t.Errorf("file %d: got  %v\nwant %v", i, have, want)
		}
		if !saved.saved {
			t.Errorf("file %d: its index was doubted", i)
		}
	}
}

func utf16Text(s string) string {
	b := []byte("\xff\xfe")
	for _, r := range s {
		b = binary.LittleEndian.AppendUint16(b, uint16(r))
	}
	return string(b)
}

// TestSavedIndexSuite runs the conformance suite on a file with a saved index.
func TestSavedIndexSuite(t *testing.T) {
	testEverything(t, Options{
		Index:   kept(openString(t, everything, Options{}).Index()),
		Scanned: func(func() []byte) { t.Error("the file was scanned") },
	})
}

// TestDamagedIndex damages each byte of an index, and cuts it everywhere.
func TestDamagedIndex(t *testing.T) {
	fresh := openString(t, everything, Options{})
	want, index := answers(fresh), fresh.Index()
	try := func(what string, i int, damaged []byte) {
		scans := 0
		f := openString(t, everything, Options{Index: kept(damaged), Scanned: func(again func() []byte) {
			if scans++; !bytes.Equal(again(), index) {
				t.Errorf("%s %d: another index", what, i)
			}
		}})
		if f.saved || scans != 1 {
			t.Errorf("%s %d: used %v, scanned %d times", what, i, f.saved, scans)
		}
		if i%16 == 0 && !reflect.DeepEqual(answers(f), want) {
			t.Errorf("%s %d: other answers", what, i)
		}
	}
	for i := range index {
		damaged := bytes.Clone(index)
		damaged[i] ^= 1 << (i % 8)
		try("damaged", i, damaged)
		try("cut", i, index[:i])
	}
	try("longer", 0, append(bytes.Clone(index), 0))
	version := bytes.Clone(index)
	version[len(savedMagic)]++
	try("version", 0, version)
}

// signed makes the checksum of an index right.
func signed(index []byte) []byte {
	binary.LittleEndian.PutUint32(index[savedHead-4:], crc32.Checksum(index[savedHead:], castagnoli))
	return index
}

// TestWrongIndex gives an index whose checksum is right, of a file that is
// not: of other content in as many bytes, as an edited file is. Whatever the
// index leads to must be what the file has there.
func TestWrongIndex(t *testing.T) {
	for _, edit := range []struct{ old, new string }{
		{"FUNC m 2000 80 8 void", "FUNC m 2100 80 8 void"},
		{"FUNC m 2000 80 8 void", "FUNC m 2000 08 8 void"},
		{"FUNC m 2000 80 8 void", "LINE m 2000 80 8 void"},
		{"\nFUNC m 2000", " FUNC m 2000"},
		{"PUBLIC 3000", "PUBLIC 3008"},
		{"STACK CFI INIT 1000 40", "STACK CFI INIT 1010 40"},
		{"STACK WIN 4 2000 100", "STACK WIN 4 2080 100"},
		{"STACK WIN 0 2000 200", "STACK WIN 4 2000 200"},
		{"FILE 1 c:", "FILE 7 c:"},
		{"FILE 1 c:", "FUNC 1 c:"},
		{"INLINE_ORIGIN 0", "STACK WIN     0"},
		{"FUNC 1000 40 0 main", "FUNC 1000 40 0     "},
		{"STACK CFI INIT 1000 40", "STACK CFI      1000 40"},
		{"STACK WIN 4 2000", "00000000004 2000"},
		{"STACK WIN 4 2000 100 6", "STACK WIN 4 2000 100 x"},
		{"PUBLIC m 1800 0 folded", "PUBLIC m 1800 0       "},
		{"\nPUBLIC m 1800", " PUBLIC m 1800"},
		{"INLINE_ORIGIN 0", "INLINE_ORIGIN 5"},
		{"MODULE windows", "MODULES window"},
		{"INFO CODE_ID", "inFO CODE_ID"},
	} {
		edited := strings.Replace(everything, edit.old, edit.new, 1)
		if len(edited) != len(everything) || edited == everything {
			t.Fatalf("%q changes nothing, or the size", edit.new)
		}
		fresh := openString(t, edited, Options{})
		var again []byte
		f := openString(t, edited, Options{
			Index:   kept(openString(t, everything, Options{}).Index()),
			Scanned: func(index func() []byte) { again = index() },
		})
		answers(f) // what the edit is about is found out while these are answered
		if f.saved || !bytes.Equal(again, fresh.Index()) {
			t.Errorf("%q: the wrong index is still used", edit.new)
		}
		if have, want := answers(f), answers(fresh); !reflect.DeepEqual(have, want) {
			t.Errorf("%q: got  %v\nwant %v", edit.new, have, want)
		}
	}
}

// TestWrongIndexAtTheEnd makes a record shorter, and asks about the first address that it lost.
func TestWrongIndexAtTheEnd(t *testing.T) {
	for _, tt := range []struct {
		old, new string
		ask      func(f *File) any
	}{
		{"FUNC 1000 40 0 main", "FUNC 1000 20 0 main", func(f *File) any { fn, _ := f.Function(0x1020); return fn }},
		{"FUNC 1000 40 0 main", "FUNC 1000 20 0 main", func(f *File) any { loc, _ := f.Locate(0x1020); return loc }},
		{"STACK CFI INIT 1000 40", "STACK CFI INIT 1000 20", func(f *File) any { frame, _ := f.CallFrame(0x1020); return frame }},
		{"STACK WIN 4 2000 100", "STACK WIN 4 2000 080", func(f *File) any { frame, _ := f.WinFrame(0x2080); return frame }},
		{"MODULE windows", "MODULES window", func(f *File) any { return f.Module() }},
	} {
		edited := strings.Replace(everything, tt.old, tt.new, 1)
		f := openString(t, edited, Options{Index: kept(openString(t, everything, Options{}).Index())})
		if got, want := tt.ask(f), tt.ask(openString(t, edited, Options{})); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", tt.new, got, want)
		}
	}
}

// TestWrongIndexOfBody joins a line to the record before it. The index says that a body goes on there.
func TestWrongIndexOfBody(t *testing.T) {
	const text = "FUNC 1000 20 0 f\nFILE 0 a.c\n1000 20 7 0\n"
	edited := strings.Replace(text, "a.c\n", "a.c ", 1)
	f := openString(t, edited, Options{Index: kept(openString(t, text, Options{}).Index())})
	if loc, _ := f.Locate(0x1000); loc.Function != "f" || loc.Line != 0 || f.saved {
		t.Errorf("%+v, saved %v", loc, f.saved)
	}
}

// TestWrongIndexOneQuestion asks for the edited record first: no wrong answer
// is given before the index is found out.
func TestWrongIndexOneQuestion(t *testing.T) {
	edited := strings.Replace(everything, "FUNC m 2000 80 8 void", "FUNC m 2040 40 8 void", 1)
	f := openString(t, edited, Options{Index: kept(openString(t, everything, Options{}).Index())})
	if loc, ok := f.Locate(0x2010); ok && loc.Function != "folded" && !loc.Public {
		t.Errorf("got %+v", loc)
	}
	want, _ := openString(t, edited, Options{}).Locate(0x2010)
	if loc, _ := f.Locate(0x2010); !reflect.DeepEqual(loc, want) {
		t.Errorf("got %+v, want %+v", loc, want)
	}
}

// TestRescanStopped stops the scan that a wrong index leads to: nothing is
// answered until it may be finished.
func TestRescanStopped(t *testing.T) {
	edited := strings.Replace(everything, "FUNC m 2000 80 8 void", "FUNC m 2040 40 8 void", 1)
	stop := errors.New("enough")
	f := openString(t, edited, Options{
		Index:    kept(openString(t, everything, Options{}).Index()),
		Progress: func(done, total int64) error { return stop },
	})
	for _, addr := range []uint64{0x2010, 0x2010, 0x1000} {
		if loc, ok := f.Locate(addr); ok {
			t.Errorf("got %+v", loc)
		}
	}
	stop = nil
	if loc, ok := f.Locate(0x2010); !ok || loc.Function != "hidden by the function" {
		t.Errorf("got %+v, %v", loc, ok)
	}
}

func TestKey(t *testing.T) {
	key := func(s string) string {
		k, err := Key(bin.NewSource(strings.NewReader(s), int64(len(s))))
		if err != nil || len(k) != 64 {
			t.Fatalf("%q, %v", k, err)
		}
		return k
	}
	data := generated(2000)
	seen := map[string]string{key(data): "the file"}
	for name, other := range map[string]string{
		"empty": "", "short": "x", "cut": data[:len(data)-1], "longer": data + "\n",
		"another id":          strings.Replace(data, "MODULE Linux x86_64 01", "MODULE Linux x86_64 02", 1),
		"moved in the middle": data[:len(data)/2] + "#" + data[len(data)/2:len(data)-1],
		"another end":         data[:len(data)-1] + "x",
	} {
		if k := key(other); seen[k] != "" {
			t.Errorf("%s has the key of %s", name, seen[k])
		} else {
			seen[k] = name
		}
	}
	if key(data) != key(data) {
		t.Error("another key for the same file")
	}
	broken := bin.NewSource(strings.NewReader("short"), 100)
	if _, err := Key(broken); err == nil {
		t.Error("no error for a file that cannot be read")
	}
}

// FuzzIndex loads any index with a right checksum, for a file that it is not
// of. It must not panic, and what it answers must be in the file.
func FuzzIndex(f *testing.F) {
	index := openString(f, everything, Options{}).Index()
	f.Add(index[savedHead:])
	f.Add([]byte{})
	want := answers(openString(f, everything, Options{}))
	f.Fuzz(func(t *testing.T, body []byte) {
		data := signed(append(bytes.Clone(index[:savedHead]), body...))
		file := openString(t, everything, Options{Index: kept(data)})
		answers(file)
		if !file.saved && !reflect.DeepEqual(answers(file), want) {
			t.Error("other answers after the scan")
		}
		for addr := uint64(0xf00); addr < 0x3100; addr += 64 {
			if fn, ok := file.Function(addr); ok && !strings.Contains(everything, fn.Name) {
				t.Errorf("%#x is %q", addr, fn.Name)
			}
		}
	})
}

func BenchmarkSavedIndex(b *testing.B) {
	data := perf(b)
	src := bin.NewSource(strings.NewReader(data), int64(len(data)))
	fresh, err := Open(src, Options{})
	if err != nil {
		b.Fatal(err)
	}
	index := fresh.Index()
	b.Run("key", func(b *testing.B) {
		for b.Loop() {
			if _, err := Key(src); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("load", func(b *testing.B) {
		b.SetBytes(int64(len(index)))
		for b.Loop() {
			if f, err := Open(src, Options{Index: kept(index)}); err != nil || !f.saved {
				b.Fatal(err)
			}
		}
	})
	b.Run("save", func(b *testing.B) {
		b.SetBytes(int64(len(index)))
		for b.Loop() {
			fresh.Index()
		}
	})
}
