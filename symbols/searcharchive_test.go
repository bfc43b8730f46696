package symbols

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/symbols/archives/archive"
	"crashglass/symbols/archives/decompress"
)

// largeText is symbols of 70 MB, with a function at each multiple of 256.
func largeText() []byte {
	text := bytes.NewBufferString("MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 app\nFILE 1 app.c\nINLINE_ORIGIN 1 inlined\n")
	at := 0
	for ; text.Len() < 40<<20; at += 0x100 {
		fmt.Fprintf(text, "FUNC %x 100 0 function_%d\nINLINE 0 5 1 1 %x 10\n%x 80 1 1\n%x 80 2 1\n", at, at, at, at, at+0x80)
	}
	for end := at; text.Len() < 70<<20; end -= 0x100 {
		fmt.Fprintf(text, "STACK CFI INIT %x 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^\n", at-end)
	}
	return text.Bytes()
}

// stored is a zip with one member as it is.
func stored(t *testing.T, name string, data []byte) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	m, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err != nil {
		t.Fatal(err)
	}
	m.Write(data)
	w.Close()
	return b.Bytes()
}

// seekable compresses frames of so many bytes, with their table.
func seekable(t *testing.T, data []byte, frame int) (file []byte) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	var table []byte
	frames := uint32(0)
	for ; len(data) > 0; frames++ {
		n := min(frame, len(data))
		packed := w.EncodeAll(data[:n], nil)
		file = append(file, packed...)
		table = binary.LittleEndian.AppendUint32(table, uint32(len(packed)))
		table = binary.LittleEndian.AppendUint32(table, uint32(n))
		data = data[n:]
	}
	table = append(binary.LittleEndian.AppendUint32(table, frames), 0)
	table = binary.LittleEndian.AppendUint32(table, 0x8f92_eab1)
	file = binary.LittleEndian.AppendUint32(file, 0x184d_2a5e)
	return append(binary.LittleEndian.AppendUint32(file, uint32(len(table))), table...)
}

// countedBytes counts what is read.
type countedBytes struct {
	io.ReaderAt
	read int
}

func (c *countedBytes) ReadAt(p []byte, off int64) (int, error) {
	c.read += len(p)
	return c.ReaderAt.ReadAt(p, off)
}

// TestAskedMembers finds a function in symbols of 70 MB: of a member that lies in
// its archive as it is, or in small blocks, little is read. One in large blocks
// is read from front to back, because its blocks would be unpacked again and again.
func TestAskedMembers(t *testing.T) {
	text := largeText()
	for _, tt := range []struct {
		name  string
		file  []byte
		least int // times as much as is read
	}{
		{"app.sym", text, 5},
		{"app.zip", stored(t, "app.sym", text), 5},
		{"app.sym.zst", seekable(t, text, 64<<10), 3},
		{"app.tar.zst", seekable(t, []byte(tarred("app.sym", string(text))), 64<<10), 3},
		{"zst.zip", stored(t, "app.sym.zst", seekable(t, text, 64<<10)), 3},
		{"large.sym.zst", seekable(t, text, 8<<20), 0},
	} {
		src := &countedBytes{ReaderAt: bytes.NewReader(tt.file)}
		asked := 0
		store := NewStore(Options{SearchFrom: LeastSearched, Limits: archive.Limits{Decompressors: decompress.All(), Seekers: decompress.Seekers()}})
		items := store.Add(tt.name, bin.NewSource(src, int64(len(tt.file))))
		if len(items) != 1 || items[0].Use != IsSymbols {
			t.Fatalf("%s: %+v", tt.name, items)
		}
		known, state := store.For(&module.Module{DebugFile: "app", DebugID: "000102030405060708090A0B0C0D0E0F0"})
		if known == nil || state.State != report.SymbolsMatched {
			t.Fatalf("%s: %+v", tt.name, state)
		}
		for _, at := range []uint64{0x100, 0x12300, 0x345600} {
			loc, ok := known.Locate(at + 0x20)
			if want := fmt.Sprint("function_", at); !ok || loc.Function != want || loc.File != "app.c" || loc.Line != 1 {
				t.Errorf("%s: at %#x %+v, want %s", tt.name, at, loc, want)
			}
			if _, ok := known.CallFrame(at + 0x20); ok {
				asked++
			}
		}
		if asked != 3 {
			t.Errorf("%s: %d rules, want 3", tt.name, asked)
		}
		if tt.least > 0 && src.read*tt.least > len(tt.file) {
			t.Errorf("%s: %d bytes were read of %d", tt.name, src.read, len(tt.file))
		}
		store.Close()
	}
}
