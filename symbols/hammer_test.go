package symbols

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hammered are the files that TestHammer damages: those beside the tests, and
// small ones of every format out of the corpus.
func hammered(t *testing.T) (files []string) {
	for _, pattern := range []string{
		"testdata/*.elf", "testdata/*.sup", "testdata/*.dwo", "tables/exidx/testdata/*.so",
		"../../shared/corpus/public/native/*/*.exe", "../../shared/corpus/public/native/*/*.pdb", "../../shared/corpus/public/native/*/*/*",
		"../../shared/corpus/public/native/symbolic/macos/*/*/*/*/*", "../../shared/corpus/real/native/*",
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Size() <= 1<<20 && !strings.HasSuffix(name, ".sym") {
				files = append(files, name)
			}
		}
	}
	return files
}

// mutant is a file with a few places changed: bits, words that are offsets,
// counts and sizes, and what is repeated or missing. Most are in a part that is
// chosen once, and half of the parts are at its beginning, where headers are.
func mutant(r *rand.Rand, whole []byte) []byte {
	data := append([]byte(nil), whole...)
	part := min(len(data), 1<<(4+r.IntN(12)))
	from := r.IntN(2) * r.IntN(len(data)-part+1)
	for range 1 + r.IntN(8) {
		at := from + r.IntN(part)
		switch rest := data[at:]; r.IntN(7) {
		case 0, 1:
			rest[0] ^= 1 << r.IntN(8)
		case 2:
			rest[0] = byte(r.Uint32())
		case 3:
			if len(rest) >= 4 {
				words := []uint32{0, 1, 1<<32 - 1, 1<<31 - 1, 1 << r.IntN(32), uint32(len(data)), uint32(at), uint32(r.IntN(len(data)))}
				binary.LittleEndian.PutUint32(rest, words[r.IntN(len(words))])
			}
		case 4:
			if len(rest) >= 8 {
				binary.LittleEndian.PutUint64(rest, []uint64{0, 1<<64 - 1, 1 << 63, 1<<64 - 16, 1 << r.IntN(64)}[r.IntN(5)])
			}
		case 5:
			copy(rest, data[from+r.IntN(part):min(from+part, len(data))])
		case 6:
			if r.IntN(8) == 0 {
				return data[:at]
			}
		}
	}
	return data
}

// ask asks everything of what a store has for its modules, and fails where an
// answer cannot be right for any bytes.
func ask(t *testing.T, r *rand.Rand, name string, data []byte) {
	t.Helper()
	s := NewStore(Options{})
	for _, item := range s.Add(name, source(string(data))) {
		if strings.Contains(item.Message, "\n") {
			t.Errorf("message %q", item.Message)
		}
	}
	for _, m := range s.Modules() {
		m.DebugFile, m.CodeFile = name, name
		s.Force(m.DebugFile, m.DebugID, true)
		src, _ := s.For(&m)
		if src == nil {
			continue
		}
		for range 60 {
			if why := sane(src, r.Uint64N(2*uint64(len(data))+1)); why != "" {
				t.Error(why)
			}
		}
		if err := s.Export(io.Discard, &m); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("error %q", err)
		}
		if _, st := s.For(&m); st.Why != nil && strings.Contains(*st.Why, "this is a bug in") { // which costs the file, and not the test
			t.Error(*st.Why)
		}
	}
}

// sane says what is wrong with the answers for an address, or "".
func sane(src Source, rel uint64) string {
	if loc, ok := src.Locate(rel); ok && (loc.Start > rel || !loc.Public && rel-loc.Start >= loc.Size) {
		return fmt.Sprintf("%#x is in %+v", rel, loc)
	}
	if fn, ok := src.Function(rel); ok && fn.Start > rel {
		return fmt.Sprintf("%#x is in %+v", rel, fn)
	}
	if f, ok := src.CallFrame(rel); ok {
		seen := map[string]bool{}
		for _, rule := range f.Rules {
			if seen[rule.Reg] || len(rule.Text()) > 1<<16 {
				return fmt.Sprintf("%#x: rule of %s in %d rules", rel, rule.Reg, len(f.Rules))
			}
			seen[rule.Reg] = true
		}
		if !seen[".cfa"] || f.Start > rel || rel-f.Start >= f.Size {
			return fmt.Sprintf("%#x: rules %+v", rel, f)
		}
	}
	if f, ok := src.WinFrame(rel); ok && (f.Start > rel || rel-f.Start >= f.Size) {
		return fmt.Sprintf("%#x: %+v", rel, f)
	}
	var p [64]byte
	if n := src.ReadImage(rel, p[:]); n < 0 || n > len(p) {
		return fmt.Sprintf("%#x: %d bytes of code", rel, n)
	}
	return ""
}

// TestHammer damages native files at random and asks all there is of them: no
// answer is absurd, nothing panics, and none takes long.
func TestHammer(t *testing.T) {
	begin := time.Now()
	files := hammered(t)
	rounds := 0
	for ; time.Since(begin) < 5*time.Second && !t.Failed() && rounds < 3000; rounds++ {
		r := rand.New(rand.NewPCG(uint64(rounds), 8))
		name := files[r.IntN(len(files))]
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		data := mutant(r, whole)
		start := time.Now()
		ask(t, r, filepath.Base(name), data)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("it took %v", took)
		}
		if t.Failed() {
			t.Errorf("round %d, of %s", rounds, name)
		}
	}
	t.Logf("%d rounds with %d files", rounds, len(files))
}
