package breakpad

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"crashglass/core/base/bin"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/sample"
)

func openString(t testing.TB, data string, opt Options) *File {
	t.Helper()
	f, err := Open(bin.NewSource(strings.NewReader(data), int64(len(data))), opt)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// compare asks the reader and the reference the same questions.
func compare(t testing.TB, what string, f *File, ref *reference, addr uint64) {
	t.Helper()
	loc, ok := f.Locate(addr)
	want, wantOK := ref.Locate(addr)
	if !(want.Public && overlapping(ref)) && (ok != wantOK || !reflect.DeepEqual(loc, want)) {
		t.Errorf("%s: Locate(%#x) = %+v, %v, want %+v, %v", what, addr, loc, ok, want, wantOK)
	}
	fn, fnOK := f.Function(addr)
	if fnOK != ok || fn.Name != loc.Function || fn.Start != loc.Start || fn.Size != loc.Size || fn.Public != loc.Public {
		t.Errorf("%s: Function(%#x) = %+v, %v, but Locate says %+v, %v", what, addr, fn, fnOK, loc, ok)
	}
	cf, ok := f.CallFrame(addr)
	wantCF, wantOK := ref.CallFrame(addr)
	if ok != wantOK || ok && !reflect.DeepEqual(cf, wantCF) {
		t.Errorf("%s: CallFrame(%#x) = %+v, %v, want %+v, %v", what, addr, cf, ok, wantCF, wantOK)
	}
	win, ok := f.WinFrame(addr)
	wantWin, wantOK := ref.WinFrame(addr)
	if ok != wantOK || ok && win != wantWin {
		t.Errorf("%s: WinFrame(%#x) = %+v, %v, want %+v, %v", what, addr, win, ok, wantWin, wantOK)
	}
}

// overlapping reports whether functions overlap: see reference.bounded.
func overlapping(r *reference) bool {
	for i, f := range r.funcs {
		for _, g := range r.funcs[i+1:] {
			if refCovers(f.start, f.size) && refCovers(g.start, g.size) && f.start <= g.start+(g.size-1) && g.start <= f.start+(f.size-1) {
				return true
			}
		}
	}
	return false
}

// A maker writes random symbol files. Addresses are from a small range, so
// that records overlap, repeat and miss each other in every way.
type maker struct {
	*rand.Rand
	strings.Builder
	tidy bool // no overlaps and no damage
	at   uint64
}

func (m *maker) addr() uint64 { return uint64(m.IntN(0x400)) }

func (m *maker) pick(words ...string) string { return words[m.IntN(len(words))] }

func (m *maker) line(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if !m.tidy {
		switch m.IntN(60) {
		case 0: // a byte of the line is something else
			b := []byte(s)
			b[m.IntN(len(b))] = " \x00zZ:$f0\xff"[m.IntN(9)]
			s = string(b)
		case 1: // the line is cut short
			s = s[:m.IntN(len(s))]
		case 2:
			s = m.pick("", " ", "noise", "FUNC", "FUNC ", "STACK", "STACK CFI ", "deadbeef", "F 1 2 3", "INFO x", "-1", "MODULE a b c d")
		}
	}
	m.WriteString(s)
	m.WriteString(m.pick("\n", "\n", "\n", "\r\n"))
}

func (m *maker) file() string {
	m.line("MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 a file.so")
	for i := range m.IntN(5) {
		m.line("FILE %d /src/file %d.cc", i*(1+m.IntN(2)), i)
	}
	m.origins()
	for range m.IntN(12) {
		switch m.IntN(6) {
		case 0:
			m.line("PUBLIC %s%x %x public_%d", m.pick("", "m "), m.addr(), m.IntN(64), m.IntN(100))
		case 1:
			m.line("STACK WIN %x %x %x 1 2 %x %x %x 3 %s", m.IntN(5), m.addr(), m.IntN(0x80), m.IntN(64), m.IntN(64), m.IntN(64),
				m.pick("1 $eip 4 + ^ =  $esp", "0 1", "0 0", "1 0", "2 x"))
		case 2:
			m.cfi()
		case 3:
			m.line("FILE %d /other", m.IntN(9))
		default:
			m.function()
		}
	}
	return m.String()
}

func (m *maker) origins() {
	for i := range m.IntN(6) {
		m.line("INLINE_ORIGIN %d %sinlined %d()", i, m.pick("", "", "0 ", "-1 ", "3 "), i)
	}
}

func (m *maker) function() {
	start, size := m.addr(), uint64(m.IntN(0x60))
	if m.tidy {
		start, size = m.at, size+1
		m.at += size + uint64(m.IntN(16))
	}
	m.line("FUNC %s%x %x %x name of %d", m.pick("", "", "m "), start, size, m.IntN(64), m.IntN(1000))
	near := func() uint64 { return start + uint64(m.IntN(0x60)) }
	for range m.IntN(4) {
		ranges := ""
		for range 1 + m.IntN(3) {
			ranges += fmt.Sprintf(" %x %x", near(), m.IntN(0x20))
		}
		m.line("INLINE %d %d %s%d%s", m.IntN(4), m.IntN(99), m.pick("", "0 ", "1 "), m.IntN(7), ranges)
	}
	for range m.IntN(8) {
		m.line("%x %x %d %d", near(), m.IntN(0x18), m.IntN(99), m.IntN(5))
		if m.IntN(12) == 0 {
			m.origins()
		}
		if m.IntN(20) == 0 {
			m.line("FILE 2 late.cc")
		}
	}
}

func (m *maker) cfi() {
	start := m.addr()
	m.line("STACK CFI INIT %x %x .cfa: $rsp 8 + .ra: .cfa -8 + ^", start, m.IntN(0x80))
	for range m.IntN(5) {
		m.line("STACK CFI %x %s", start+uint64(m.IntN(0x80)), m.pick(".cfa: $rsp 16 +", "$rbx: .cfa 16 - ^", "rbx: .undef $rbp: 1", "$rbp:", "x .cfa: 1", "a: b c: "))
		if m.IntN(12) == 0 {
			m.line("INLINE_ORIGIN 9 nine")
		}
		if m.IntN(12) == 0 {
			m.line("FILE 9 nine")
		}
	}
}

func TestAnswersOfTheReference(t *testing.T) {
	for seed := range uint64(sample.Of(1500)) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 1)), tidy: seed%3 == 0}
		data := m.file()
		ref := parseReference(data)
		files := map[string]*File{
			"whole": openString(t, data, Options{Parts: 1}),
			"parts": openString(t, data, Options{Parts: 4}),
		}
		for addr := uint64(0); addr < 0x500; addr += 1 + uint64(m.IntN(4)) {
			for what, f := range files {
				compare(t, what, f, ref, addr)
			}
		}
		if a, b := files["whole"].Notes(), files["parts"].Notes(); !reflect.DeepEqual(a, b) {
			t.Errorf("notes of the whole %+v, of parts %+v", a, b)
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, data)
		}
	}
}

func encode16(s string, order binary.AppendByteOrder) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func TestUTF16(t *testing.T) {
	for seed := range uint64(sample.Of(100)) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 2)), tidy: true}
		m.line("MODULE windows x86 000102030405060708090A0B0C0D0E0F1 größe.pdb")
		m.line("FILE 0 c:\\größe\\日本語 𝄞.cc")
		data := m.file()
		plain := openString(t, data, Options{})
		for what, encoded := range map[string]string{
			"little, marked": "\xff\xfe" + encode16(data, binary.LittleEndian),
			"big, marked":    "\xfe\xff" + encode16(data, binary.BigEndian),
			"little":         encode16(data, binary.LittleEndian),
			"big":            encode16(data, binary.BigEndian),
			"UTF-8, marked":  "\xef\xbb\xbf" + data,
			"odd":            "\xff\xfe" + encode16(data, binary.LittleEndian) + "x",
		} {
			f := openString(t, encoded, Options{Parts: 1 + int(seed%3)})
			if f.Module() != plain.Module() {
				t.Fatalf("%s: module %+v, want %+v", what, f.Module(), plain.Module())
			}
			for addr := uint64(0); addr < 0x300; addr++ {
				a, _ := f.Locate(addr)
				b, _ := plain.Locate(addr)
				c, _ := f.CallFrame(addr)
				d, _ := plain.CallFrame(addr)
				if !reflect.DeepEqual(a, b) || !reflect.DeepEqual(c, d) {
					t.Fatalf("%s, seed %d: %#x is %+v %+v, want %+v %+v", what, seed, addr, a, c, b, d)
				}
			}
		}
	}
}

const corpus = "../../../../shared/corpus"

// TestCorpusAnswersOfTheReference asks real files about every place where
// something begins or ends.
func TestCorpusAnswersOfTheReference(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no corpus: ", err)
	}
	n := 0
	err := filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".sym") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || len(data) > 3<<20 && testing.Short() {
			return err
		}
		if n++; n%sample.Step() == 0 {
			compareFile(t, filepath.Base(path), string(data))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 100 {
		t.Errorf("only %d symbol files in the corpus", n)
	}
}

// compareFile takes as many questions as it can afford: the reference searches
// everything for each.
func compareFile(t *testing.T, name, data string) {
	f, ref := openString(t, data, Options{Parts: 3}), parseReference(data)
	var addrs []uint64
	for _, fn := range ref.funcs {
		addrs = append(addrs, fn.start, fn.start+fn.size-1, fn.start+fn.size)
		for _, l := range fn.lines {
			addrs = append(addrs, l.start)
		}
		for _, in := range fn.inlines {
			addrs = append(addrs, in.start, in.start+in.size)
		}
	}
	for _, p := range ref.publics {
		addrs = append(addrs, p.start, p.start+1)
	}
	for _, in := range ref.inits {
		for _, row := range in.rows {
			addrs = append(addrs, row.addr, in.start+in.size)
		}
	}
	for _, w := range ref.wins {
		addrs = append(addrs, w.Start, w.Start+w.Size-1, w.Start+w.Size)
	}
	rnd := rand.New(rand.NewPCG(1, uint64(len(data))))
	rnd.Shuffle(len(addrs), func(i, j int) { addrs[i], addrs[j] = addrs[j], addrs[i] })
	limit := 15_000_000 / (1 + len(ref.funcs) + len(ref.inits) + len(ref.wins) + len(ref.publics))
	for _, addr := range addrs[:min(len(addrs), sample.Of(limit), sample.Of(2000))] {
		compareQuick(t, name, f, ref, addr)
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// compareQuick is compare, but for the quadratic check of overlaps.
func compareQuick(t *testing.T, name string, f *File, ref *reference, addr uint64) {
	loc, ok := f.Locate(addr)
	want, wantOK := ref.Locate(addr)
	if ok != wantOK || !reflect.DeepEqual(loc, want) {
		t.Errorf("%s: Locate(%#x) = %+v, %v, want %+v, %v", name, addr, loc, ok, want, wantOK)
	}
	cf, ok := f.CallFrame(addr)
	wantCF, wantOK := ref.CallFrame(addr)
	if ok != wantOK || ok && !reflect.DeepEqual(cf, wantCF) {
		t.Errorf("%s: CallFrame(%#x) = %+v, %v, want %+v, %v", name, addr, cf, ok, wantCF, wantOK)
	}
	win, ok := f.WinFrame(addr)
	if want, wantOK := ref.WinFrame(addr); ok != wantOK || ok && win != want {
		t.Errorf("%s: WinFrame(%#x) = %+v, %v, want %+v, %v", name, addr, win, ok, want, wantOK)
	}
}

var _ unwind.Rules = (*File)(nil)
