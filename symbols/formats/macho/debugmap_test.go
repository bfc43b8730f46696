package macho

import (
	"bytes"
	"encoding/binary"
	"os"
	"strings"
	"testing"
)

// withSymbols replaces the symbol table of a file of the debug map's folder by symbols whose names begin
// at growing offsets of one long name.
func withSymbols(t *testing.T, name string, count int, entry func(name uint32) []uint32) *File {
	t.Helper()
	data, err := os.ReadFile("testdata/debugmap/" + name)
	if err != nil {
		t.Fatal(err)
	}
	text, symbols := []byte("\x00"+strings.Repeat("x", 1<<15)+"\x00"), []byte(nil)
	for i := range uint32(count) {
		for _, word := range entry(1 + i) {
			symbols = binary.LittleEndian.AppendUint32(symbols, word)
		}
	}
	const symtab, header64 = 2, 32
	for at := header64; ; at += int(binary.LittleEndian.Uint32(data[at+4:])) {
		if binary.LittleEndian.Uint32(data[at:]) == symtab {
			end := uint32(len(data))
			for i, word := range []uint32{end, uint32(len(symbols) / symbolSize), end + uint32(len(symbols)), uint32(len(text))} {
				binary.LittleEndian.PutUint32(data[at+8+4*i:], word)
			}
			break
		}
	}
	f, err := Open(source(bytes.Join([][]byte{data, symbols, text}, nil)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// symbolSize is the size of a symbol of 64 bits.
const symbolSize = 16

// Thousands of symbols may point into one long name. What is kept of their names stays in proportion to
// the file.
func TestSharedNames(t *testing.T) {
	const count, object, function, code = 1 << 12, stabObject, stabFunction, 0x0f
	for name, kept := range map[string]func() (int, *File){
		"object files": func() (n int, f *File) {
			f = withSymbols(t, "program", count, func(name uint32) []uint32 { return []uint32{name, object, 0, 0} })
			for _, m := range f.readDebugMap() {
				n += len(m.path)
			}
			return n, f
		},
		"functions": func() (n int, f *File) {
			f = withSymbols(t, "program", count, func(name uint32) []uint32 {
				if name == 1 {
					return []uint32{1 << 15, object, 0, 0}
				}
				return []uint32{name, 1<<8 | function, 0x300, 1, 0, function, 8, 0}
			})
			for _, m := range f.readDebugMap()[0].funcs {
				n += len(m.name)
			}
			return n, f
		},
		"symbols": func() (n int, f *File) {
			f = withSymbols(t, "main.o", count, func(name uint32) []uint32 { return []uint32{name, 1<<8 | code, name % 8, 0} })
			for m := range f.named() {
				n += len(m)
			}
			return n, f
		},
	} {
		if n, f := kept(); n == 0 || n > 8*int(f.size) {
			t.Errorf("%s: names of %d bytes in a file of %d", name, n, f.size)
		}
	}
}
