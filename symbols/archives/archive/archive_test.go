package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

func source(b []byte) bin.Source { return bin.NewSource(bytes.NewReader(b), int64(len(b))) }

func errString(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

// A packed is a member of an archive to be made.
type packed struct {
	name   string
	data   []byte
	method uint16
}

func zipOf(t testing.TB, members ...packed) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range members {
		f, err := w.CreateHeader(&zip.FileHeader{Name: m.name, Method: m.method})
		if err != nil {
			t.Fatal(err)
		}
		f.Write(m.data)
	}
	w.Close()
	return out.Bytes()
}

func tarOf(t testing.TB, format tar.Format, members ...packed) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, m := range members {
		if err := w.WriteHeader(&tar.Header{Name: m.name, Size: int64(len(m.data)), Mode: 0o644, Format: format}); err != nil {
			t.Fatal(err)
		}
		w.Write(m.data)
	}
	w.Close()
	return out.Bytes()
}

// contents lists an archive and reads everything in it.
func contents(t testing.TB, name string, data []byte, limits Limits) (out []string) {
	members, err := List(name, source(data), NewBudget(limits))
	if err != nil {
		out = append(out, "error: "+err.Error())
	}
	for _, m := range members {
		head, headErr := m.Head(8)
		src, err := m.Open()
		all := make([]byte, src.Size())
		if n, _ := src.ReadAt(all, 0); n != len(all) {
			t.Errorf("%s: %d of %d bytes can be read", m.Name, n, len(all))
		}
		if headErr == nil && !bytes.HasPrefix(all, head) && err == nil {
			t.Errorf("%s: begins with %q, but its head is %q", m.Name, all[:min(8, len(all))], head)
		}
		line := fmt.Sprintf("%s=%.40s", m.Name, all)
		if len(all) > 40 {
			line += fmt.Sprintf("... (%d)", len(all))
		}
		if err != nil {
			line += " error: " + err.Error()
		}
		out = append(out, line)
	}
	return out
}

func TestList(t *testing.T) {
	long := strings.Repeat("d/", 90) + strings.Repeat("x", 80)
	noise := make([]byte, 3<<20)
	for i := range noise {
		noise[i] = byte(i >> 9)
	}
	wrong := zipOf(t, packed{"a", []byte("some text"), zip.Deflate})
	wrong[bytes.Index(wrong, []byte("PK\x01\x02"))+16] ^= 1 // the directory's checksum
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"crash.dmp.gz", gzipped([]byte("MDMP...")), "crash.dmp=MDMP..."},
		{`c:\x\syms.TGZ`, gzipped([]byte("tar")), "syms.tar=tar"},
		{".gz", gzipped(nil), ".gz="},
		{"big.gz", gzipped(noise), "big=" + strings.Repeat("\x00", 40) + "... (3145728)"},
		{"cut.gz", gzipped(noise)[:2000], ""},
		{"not.gz", []byte("\x1f\x8b\x09"), "not= error: archive: not in gzip: unexpected EOF"},
		{"two.gz", append(gzipped([]byte("one")), gzipped([]byte("two"))...), "two=onetwo"},

		{"a.zip", zipOf(t, packed{"d/a.sym", []byte("MODULE"), zip.Deflate}, packed{"dir/", nil, 0}, packed{"b", []byte("stored"), zip.Store}),
			"d/a.sym=MODULE; b=stored"},
		{"names.zip", zipOf(t, packed{`..\..\etc\passwd`, []byte("1"), 0}, packed{"/abs", []byte("2"), 0}, packed{"a/../../b", []byte("3"), 0}),
			"etc/passwd=1; abs=2; b=3"},
		{"unpacks-itself.exe.zip", append([]byte("PK\x03\x04 a program"), zipOf(t, packed{"a", []byte("text"), zip.Deflate})...), "a=text"},
		{"empty.zip", zipOf(t), ""},
		{"checksum.zip", wrong, "a=some text error: archive: a in zip: checksum is 0x"},
		{"method.zip", bytes.ReplaceAll(zipOf(t, packed{"a", []byte("x"), 0}), []byte("PK\x01\x02\x14\x00\x14\x00\x08\x00\x00\x00"), []byte("PK\x01\x02\x14\x00\x14\x00\x08\x00\x0c\x00")),
			"a= error: archive: a in zip: compression method 12 is not one that we read"},
		{"encrypted.zip", bytes.ReplaceAll(zipOf(t, packed{"a", []byte("x"), 0}), []byte("PK\x01\x02\x14\x00\x14\x00\x08\x00"), []byte("PK\x01\x02\x14\x00\x14\x00\x09\x00")),
			"a= error: archive: a in zip: it is encrypted"},
		{"cut.zip", zipOf(t, packed{"a", noise, zip.Deflate})[:5000], "error: archive: zip: no central directory: the file is cut short, or one part of several"},

		{"ustar.tar", tarOf(t, tar.FormatUSTAR, packed{long[len(long)-200:], []byte("one"), 0}, packed{"b", nil, 0}), long[len(long)-200:] + "=one; b="},
		{"gnu.tar", tarOf(t, tar.FormatGNU, packed{long, []byte("one"), 0}, packed{"b", bytes.Repeat([]byte("x"), 1024), 0}), long + "=one; b=" + strings.Repeat("x", 40) + "... (1024)"},
		{"pax.tar", tarOf(t, tar.FormatPAX, packed{long, []byte("one"), 0}, packed{"größe", []byte("two"), 0}), long + "=one; größe=two"},
		{"cut.tar", tarOf(t, tar.FormatGNU, packed{"a", noise, 0})[:512+7], "a=\x00\x00\x00\x00\x00\x00\x00"},

		{"x.xz", []byte("\xfd7zXZ\x00...."), "x= error: archive: x in xz: xz files cannot be opened here: decompress it with xz -d"},
		{"x", []byte("hello"), "error: archive: unknown kind of archive"},
		{"x", nil, "error: archive: archive at 0x0: lies beyond the end of the file at 0x0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(contents(t, tt.name, tt.data, Limits{}), "; ")
			if tt.name == "cut.gz" { // what comes before the damage is kept
				if !strings.HasPrefix(got, "cut=\x00\x00") || !strings.HasSuffix(got, "error: archive: cut in gzip: unexpected EOF") {
					t.Errorf("got %q", got)
				}
				return
			}
			if got != tt.want && !(tt.name == "checksum.zip" && strings.HasPrefix(got, tt.want)) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestZip64 is an archive whose directory has values of 64 bits.
func TestZip64(t *testing.T) {
	s := asm.At(0).
		Mark("local").Text("PK\x03\x04").Zeros(22).U16(1, 0).Text("a").Text("content").
		Mark("dir").Text("PK\x01\x02").Zeros(4).U16(0, 0).Zeros(4).
		U32(0, 0xffff_ffff, 0xffff_ffff).U16(1, 28, 0).Zeros(8).U32(0xffff_ffff).Text("a").
		U16(1, 24).U64(7, 7).Ref("local").
		Mark("end").Text("PK\x06\x06").Zeros(36).U64(46+1+28).Ref("dir").
		Text("PK\x06\x07").Zeros(4).Ref("end").Zeros(4).
		Text("PK\x05\x06").Zeros(4).U16(1, 1).U32(0xffff_ffff, 0xffff_ffff).U16(0)
	got := strings.Join(contents(t, "x.zip", s.Build(t), Limits{}), "; ")
	if want := "a=content"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// endless reads zeros.
type endless struct{}

func (endless) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// zeros compresses n zeros.
func zeros(n int64) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, flate.BestCompression)
	io.CopyN(w, endless{}, n)
	w.Close()
	return out.Bytes()
}

func TestLimits(t *testing.T) {
	bomb := zeros(100 << 20)
	many := make([]packed, 20)
	for i := range many {
		many[i] = packed{fmt.Sprint(i), []byte("x"), 0}
	}
	const first = "0=x; 1=x; 2=x; 3=x; 4=x; 5=x; 6=x; 7=x; 8=x; 9=x"
	tests := []struct {
		name   string
		data   []byte
		limits Limits
		want   string
	}{
		{"ratio", bomb, Limits{}, fmt.Sprintf("error: archive: x in gzip: %d bytes become more than 68157440: a decompression bomb", len(bomb))},
		{"total", bomb, Limits{Total: 10 << 20}, "error: archive: x in gzip: decompressed files exceed 10485760 bytes together"},
		{"zip entries", zipOf(t, many...), Limits{Entries: 10}, "error: archive: zip: more than 10 members; " + first},
		{"tar entries", tarOf(t, tar.FormatGNU, many...), Limits{Entries: 10}, "error: archive: tar: more than 10 members; " + first},
		{"cancel", zeros(3 << 20), Limits{Progress: func(name string, done int64) error {
			return errors.New("enough of " + name)
		}}, "error: archive: x in gzip: enough of x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(contents(t, "x", tt.data, tt.limits), "; ")
			if !strings.HasSuffix(got, tt.want) || strings.HasPrefix(got, "x=\x00") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	t.Run("together", func(t *testing.T) {
		b := NewBudget(Limits{Total: 3 << 20})
		for i := range 3 { // each takes a piece more until its end is known
			members, err := List("x.gz", source(zeros(1<<20)), b)
			if err != nil {
				t.Fatal(err)
			}
			_, err = members[0].Open()
			want := ""
			if i == 2 {
				want = "archive: x in gzip: decompressed files exceed 3145728 bytes together"
			}
			if errString(err) != want {
				t.Errorf("file %d: error %q, want %q", i, err, want)
			}
		}
	})
}

// TestDamage flips bytes and cuts files; it looks for panics, for memory, and
// for members that lie outside of their archive.
func TestDamage(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	base := [][]byte{
		zipOf(t, packed{"a", []byte("some text"), zip.Deflate}, packed{"b", []byte("stored"), zip.Store}),
		tarOf(t, tar.FormatPAX, packed{strings.Repeat("n", 150), []byte("one"), 0}, packed{"b", []byte("two"), 0}),
		gzipped([]byte("some text, some text")),
		testCab{method: 1, data: []byte("some text"), files: []cabFile{{name: "a", size: 4}, {name: "b", size: 5, off: 4}}}.build(t),
	}
	base = append(base, wrapped(t)...)
	for range 8000 {
		data := bytes.Clone(base[rnd.IntN(len(base))])
		for range 1 + rnd.IntN(4) {
			data[rnd.IntN(len(data))] = byte(rnd.IntN(256))
		}
		check(t, data[:len(data)-rnd.IntN(2)*rnd.IntN(len(data))])
	}
}

// check is what must hold of any bytes.
func check(t testing.TB, data []byte) {
	members, _ := List("x", source(data), NewBudget(Limits{Total: 4 << 20}))
	if len(members) > len(data) {
		t.Errorf("%d members out of %d bytes", len(members), len(data))
	}
	for _, m := range members {
		if strings.Contains("/"+m.Name+"/", "/../") || strings.HasPrefix(m.Name, "/") {
			t.Errorf("name %q", m.Name)
		}
		m.Head(100)
		src, _ := m.Open()
		if src.Size() > 0 {
			if _, err := src.Read("all", 0, uint64(src.Size())); err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
		}
	}
}

func FuzzList(f *testing.F) {
	f.Add(zipOf(f, packed{"a", []byte("some text"), zip.Deflate}))
	f.Add(tarOf(f, tar.FormatGNU, packed{"a", []byte("some text"), 0}))
	f.Add(gzipped([]byte("some text")))
	for _, data := range wrapped(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { check(t, data) })
}

// TestManyMembersOfOne has members that share what is expensive to open. What
// they may cost depends on what was given.
func TestManyMembersOfOne(t *testing.T) {
	var many []packed
	for i := range 40000 {
		many = append(many, packed{name: fmt.Sprint(i), data: []byte("x")})
	}
	data := zipOf(t, many...)
	b := NewBudget(Limits{})
	b.AddInput(1 << 10)
	members, err := List("x.zip", source(data), b)
	if err != nil {
		t.Fatal(err)
	}
	opened := 0
	for i := range members {
		if _, err = members[i].Head(1); err != nil {
			break
		}
		opened++
	}
	if opened < 1000 || opened > maxWork*freeRatio/reusedWork+1000 || b.Exceeded() == nil {
		t.Errorf("%d members were opened: %v", opened, err)
	}
	if b.AddInput(int64(len(data))); b.Exceeded() != nil {
		t.Error("the next file has no room")
	}
	if _, err := List("x.zip", source(data), b); err != nil {
		t.Error(err)
	}
	b.count = 10
	if _, err := List("x.zip", source(data), b); err == nil || err.Error() != "archive: zip: more than 65536 members" {
		t.Error(err)
	}
}

func TestWindow(t *testing.T) {
	for _, tt := range []struct {
		format Format
		head   string
		want   int64
	}{
		{Zstd, "\x28\xb5\x2f\xfd\x00\x88", 128 << 20},
		{Zstd, "\x28\xb5\x2f\xfd\xa0\x00\x00\x10\x00", 1 << 20},
		{Xz, "\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16", 8 << 20},
		{Xz, "\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4\x46\x02\xc0\x81\x01\x05\x21\x01\x1e", 128 << 20},
		{Gzip, "\x1f\x8b", 0},
	} {
		head := append([]byte(tt.head), make([]byte, 20)...)
		if got := window(tt.format, head); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.head, got, tt.want)
		}
		for n := range len(tt.head) {
			window(tt.format, head[:n])
		}
	}
}
